/**
 * A group that nobody belongs to: for pages whose rule could not be read. No provider, proxy or token can put anybody into
 * it, because its name is none that they may give.
 */
export const NOBODY = "(nobody)";

/** Whom groups are, for people: "everyone", "nobody", "hr, legal". */
export const audienceWords = (groups: readonly string[]): string =>
  groups.length === 0 ? "everyone" : groups.map((group) => (group === NOBODY ? "nobody" : group)).join(", ");

/** Groups as somebody wrote them. */
export interface WrittenGroups {
  /** None: everyone. Nobody alone where they cannot be read. */
  groups: string[];
  /** Why they cannot be read. */
  fault?: string;
}

const GROUPS_MAX = 50;
const GROUP_CHARACTERS_MAX = 200;

/** Reads groups: a list of texts, one text, or several with commas between them. The fault completes "groups …". */
export function readGroups(value: unknown): WrittenGroups {
  if (value === undefined || value === null) return { groups: [] };
  if (typeof value !== "string" && !Array.isArray(value)) return unreadable("is not a list of texts");
  const written: unknown[] = typeof value === "string" ? value.split(",") : value;
  const groups: string[] = [];
  for (const each of written) {
    if (typeof each !== "string") return unreadable("names something that is not text: put it in quotes");
    const group = each.replace(/\s+/g, " ").trim();
    if (group === "") return unreadable("names a group without a name");
    if (group.length > GROUP_CHARACTERS_MAX)
      return unreadable(`names a group of more than ${GROUP_CHARACTERS_MAX} characters`);
    groups.push(group);
  }
  return distinctGroups(groups);
}

function distinctGroups(all: readonly string[]): WrittenGroups {
  const groups = [...new Set(all)];
  if (groups.length > GROUPS_MAX) return unreadable(`names more than ${GROUPS_MAX} groups`);
  return { groups: groups.includes(NOBODY) ? [NOBODY] : groups };
}

const unreadable = (fault: string): WrittenGroups => ({ groups: [NOBODY], fault });
