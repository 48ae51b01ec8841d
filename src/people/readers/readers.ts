import { hashSecret } from "@docent/kernel/lib/secrets";
import { ANYBODY, type Audience, groupsOf } from "@docent/sites/pages/audience";
import type { Identity } from "../identity/identity.ts";

export { createKeySets, type ReadKeySet } from "./key-sets.ts";
export { createReaderSessions, type ReaderSessions, type SignedInWith } from "./sessions.ts";
export { createSiteSecrets, type SiteSecrets, siteSecretJson } from "./site-secrets.ts";
export { createReaderTokens, type ReaderTokens } from "./tokens.ts";
export { type Vouching, whoReads } from "./who-reads.ts";

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
