import { hashSecret } from "@docent/kernel/lib/secrets";
import { ANYBODY, type Audience, groupsOf } from "@docent/sites/pages/audience";
import { isShownToAnyone, type Site, wantsSignIn } from "@docent/sites/site/sites";
import type { Identity } from "../identity/identity.ts";

export { createKeySets, type ReadKeySet } from "./key-sets.ts";
export { createReaderSessions, type ReaderSessions } from "./sessions.ts";
export { createSiteSecrets, type SiteSecrets, siteSecretJson } from "./site-secrets.ts";
export { createReaderTokens, type ReaderTokens } from "./tokens.ts";

/** Who reads a site, as one request shows them. */
export interface Reader {
  /** What their threads belong to; undefined for whom nobody vouches. */
  id: string | undefined;
  /** Which pages are for them. */
  audience: Audience;
}

/** A reader for whom nobody vouches. */
export const UNKNOWN_READER: Reader = { id: undefined, audience: ANYBODY };

/** The same person is the same reader whichever way they come, and nobody can tell from the id who it is. */
export const readerOf = ({ issuer, subject, groups }: Identity): Reader => ({
  id: hashSecret(JSON.stringify(["reader", issuer, subject])),
  audience: groupsOf(groups),
});

/** Who can vouch for a site's readers. */
interface Vouching {
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
