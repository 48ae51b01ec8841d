import { AppError } from "@docent/kernel/errors";
import type { Identity } from "@docent/people/identity/identity";
import {
  type Reader,
  type ReaderSessions,
  type ReaderTokens,
  readerOf,
  UNKNOWN_READER,
} from "@docent/people/readers/readers";
import { type Site, wantsSignIn } from "@docent/sites/site/sites";
import type { ReaderPasses } from "./reader-pass.ts";

/** The header in which a site's own token for its reader comes, beside the key. */
const READER_TOKEN_HEADER = "x-docent-reader";

/** Another way in which a request may show who reads: what a proxy says of them, or a provider. */
export type ReaderSource = (request: Request, peer: string) => Promise<Identity | undefined>;

interface SiteReadersDeps {
  tokens: ReaderTokens;
  sessions: Pick<ReaderSessions, "ofId">;
  passes: Pick<ReaderPasses, "sessionIn">;
  /** Asked in this order, where the request brings nothing of the site's own. */
  sources: readonly ReaderSource[];
}

/** Tells who reads a site, as a request shows it. */
export interface SiteReaders {
  /** Whom somebody vouches for; undefined where nobody does. Raises `unauthorized` for a token that is not good. */
  known(request: Request, site: Site, peer: string): Promise<Reader | undefined>;
  /** The same, and one who is not known on a site that lets them read. Raises `unauthorized` on any other. */
  admit(request: Request, site: Site, peer: string): Promise<Reader>;
}

export function createSiteReaders({ tokens, sessions, passes, sources }: SiteReadersDeps): SiteReaders {
  /** What is sent on purpose comes before what a browser, or whoever is between, sends by itself. */
  async function identify(request: Request, site: Site, peer: string): Promise<Identity | undefined> {
    const token = request.headers.get(READER_TOKEN_HEADER)?.trim() ?? "";
    if (token !== "") return tokens.verify(token, site);
    const sessionId = passes.sessionIn(site, request.headers.get("origin"), request.url);
    if (sessionId !== undefined) return (await sessions.ofId(sessionId))?.identity ?? signedOut();
    for (const source of sources) {
      const identity = await source(request, peer);
      if (identity !== undefined) return identity;
    }
    return undefined;
  }

  async function known(request: Request, site: Site, peer: string): Promise<Reader | undefined> {
    const identity = await identify(request, site, peer);
    return identity && readerOf(identity);
  }

  return {
    known,
    async admit(request, site, peer) {
      const reader = await known(request, site, peer);
      if (reader === undefined && wantsSignIn(site)) throw signInNeeded();
      return reader ?? UNKNOWN_READER;
    },
  };
}

/** The same words whatever was asked for: of the site they tell that one has to sign in, and nothing else. */
const signInNeeded = () =>
  new AppError(
    "unauthorized",
    `This is for readers who have signed in: send the site's token for its reader in the header ${READER_TOKEN_HEADER}.`,
  );

/** The pass of a page that is still open in a browser where its reader has signed out, or was signed out. */
function signedOut(): never {
  throw new AppError("unauthorized", "You are signed out. Load the page again, and sign in.");
}
