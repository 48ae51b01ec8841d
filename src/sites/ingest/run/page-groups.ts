import { audienceWords, NOBODY } from "@docent/kernel/text/groups/groups";
import type { SourceItem } from "@docent/reading/source-reader";

/** Groups that a page is for, and who says so; none: everyone. */
interface Restriction {
  /** "its source", "hr/_access.yml". */
  by: string;
  groups: readonly string[];
}

/** Whom a page is for when all is said; none: everyone. */
interface Admitted {
  groups: string[];
  /** For people: why it is for nobody, where that is so. Completes "<location> …". */
  why: string | undefined;
  /** Nobody said so: what was said leaves nobody. */
  isConflict: boolean;
}

/**
 * The groups that each of those admits who say something of a page: its source, the rule of its folder, itself. Where they
 * have no group in common, it is for nobody: a page for one group, in a source for another, is not for all of the other.
 */
export function admitted(all: readonly Restriction[]): Admitted {
  const said = all.filter(({ groups }) => groups.length > 0);
  const closed = said.find(({ groups }) => groups.includes(NOBODY));
  if (closed !== undefined)
    return { groups: [NOBODY], why: `is for nobody, as ${closed.by} says`, isConflict: false };
  const [first, ...others] = said;
  if (first === undefined) return { groups: [], why: undefined, isConflict: false };
  const groups = others.reduce<readonly string[]>(
    (left, other) => other.groups.filter((group) => left.includes(group)),
    first.groups,
  );
  if (groups.length > 0) return { groups: [...groups], why: undefined, isConflict: false };
  const words = said.map(({ by, groups: own }) => `${by} names ${named(own)}`).join(", ");
  return {
    groups: [NOBODY],
    why: `is for nobody: ${words}, and no group is in all of them`,
    isConflict: true,
  };
}

const NAMED = 5;

const named = (groups: readonly string[]): string =>
  groups.length <= NAMED
    ? audienceWords(groups)
    : `${audienceWords(groups.slice(0, NAMED))} and ${groups.length - NAMED} more`;

/** Whether a page that is for these groups is for nobody beside those: as it is, it shows itself to none that may not see it. */
export const isWithin = (groups: readonly string[], admittedGroups: readonly string[]): boolean =>
  admittedGroups.length === 0 ||
  (groups.length > 0 && groups.every((group) => group === NOBODY || admittedGroups.includes(group)));

/** What its source, the rule of its folder and the page itself say of whom it is for. */
export const restrictions = (
  { rule }: Pick<SourceItem, "rule">,
  ofSource: readonly string[],
  own: readonly string[] = [],
): Restriction[] => [
  { by: "its source", groups: ofSource },
  ...(rule === undefined ? [] : [{ by: rule.location, groups: rule.groups }]),
  { by: "its front matter", groups: own },
];
