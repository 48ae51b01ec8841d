import { isShownToAnyone, type Site, wantsSignIn } from "@docent/sites/site/sites";

/** Who can vouch for a site's readers. */
export interface Vouching {
  /** What the providers are called with which readers sign in. */
  providers: readonly string[];
  /** The site can sign tokens of its own. */
  signs: boolean;
}

/** Who can read a site now, in one sentence for its owners. Pages for groups are for fewer. */
export function whoReads(site: Site, { providers, signs }: Vouching): string {
  if (isShownToAnyone(site)) return "Anyone with the address.";
  if (!wantsSignIn(site)) return "Anyone with one of its keys, as the pages have that show its assistant.";
  const people = [
    ...(providers.length > 0 ? [`people who sign in with ${listOf(providers, "or")}`] : []),
    ...(signs ? [`people whom ${site.host ?? site.name} vouches for`] : []),
  ];
  if (people.length === 0) return "Members alone: nobody else can sign in yet.";
  const sentence = `${listOf([...people, "members"], "and")}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const listOf = (parts: readonly string[], last: "and" | "or") =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
