import { isSameSecret } from "@docent/kernel/lib/secrets";
import type { Sessions } from "@docent/people/members/sign-in";
import { type ReaderSessions, readerOf, UNKNOWN_READER } from "@docent/people/readers/readers";
import type { Audience } from "@docent/sites/pages/audience";
import { isReadWithoutKey, isShownToAnyone, type Site } from "@docent/sites/site/sites";
import type { SiteReaders } from "../../guard/guard.ts";
import { cookieValue, type ReaderCookie, type SessionCookie } from "../../session/cookie.ts";
import { memberAdmin } from "../../session/guard.ts";

export { isForPrograms, showSignIn } from "./sign-in-page.ts";

/** A reader who has signed in, in this browser. */
export interface SignedInReader {
  /** What they are called, as far as their provider says. */
  name: string;
  /** The session that the page's own requests are made for. */
  sessionId: string;
  /** What is behind the address that signs them out. */
  signOut: string;
}

/** Who reads a page of the reader site. */
export interface PageReader {
  audience: Audience;
  /** Undefined for everyone who has not signed in here as a reader: a member, and whom a token or a proxy names. */
  signedIn?: SignedInReader | undefined;
  /** The cookie to give with the page. */
  cookie?: string | undefined;
}

/** A way for readers to sign in: a provider. */
export interface SignInWay {
  label: string;
  /** Where one signs in with it, to come back to an address of this server. */
  href(returnTo: string): string;
}

export interface ReaderAccess {
  /** Undefined for whoever may not read the site. Raises `unauthorized` for a token that is not good. */
  admit(request: Request, site: Site, peer: string | undefined): Promise<PageReader | undefined>;
  /** Ends the session that the address names, if it is the browser's own. Returns the cookie that takes it away. */
  signOut(request: Request, query: URLSearchParams): Promise<string>;
  /** How readers may sign in; empty where no provider is there for them. */
  ways(): readonly SignInWay[];
}

interface ReaderAccessOptions {
  readers: SiteReaders;
  sessions: Pick<ReaderSessions, "authenticate" | "end">;
  members: ReaderMembers;
  /** The cookie of readers' sessions, which is known once the server listens. */
  cookie: () => ReaderCookie;
  ways: () => readonly SignInWay[];
  /** Signs what is behind the addresses that sign out. */
  secret: string;
}

/** What nobody else's page may make a browser ask for: it names the session. */
const PARAMETER = "of";

export function createReaderAccess(options: ReaderAccessOptions): ReaderAccess {
  const { readers, sessions, members, cookie, ways, secret } = options;
  const sign = (sessionId: string) =>
    new Bun.CryptoHasher("sha256", secret)
      .update(JSON.stringify(["sign out", sessionId]))
      .digest("base64url");

  async function bySession(request: Request): Promise<PageReader | undefined> {
    const session = await sessions.authenticate(cookie().read(request));
    if (session === undefined) return undefined;
    const { id: sessionId, identity } = session;
    const name = identity.name ?? identity.subject;
    const signOut = `${PARAMETER}=${sign(sessionId)}`;
    return { audience: readerOf(identity).audience, signedIn: { name, sessionId, signOut } };
  }

  return {
    ways,
    async admit(request, site, peer = "") {
      const known = await readers.known(request, site, peer);
      if (known !== undefined) return { audience: known.audience };
      const reader = await bySession(request);
      if (reader !== undefined && isReadWithoutKey(site)) return reader;
      if (isShownToAnyone(site)) return { audience: UNKNOWN_READER.audience };
      const member = await members.admit(request, site);
      // Whoever works for the organization sees in its dashboard what its pages say, whomever these are for: viewers too.
      return member && { audience: "everything", cookie: member.cookie };
    },
    async signOut(request, query) {
      const session = await sessions.authenticate(cookie().read(request));
      const isOwn = session !== undefined && isSameSecret(query.get(PARAMETER) ?? "", sign(session.id));
      if (isOwn) await sessions.end(session.id);
      return session === undefined || isOwn ? cookie().take() : "";
    },
  };
}

interface ReaderMembersOptions {
  sessions: Sessions;
  /** The cookie that the dashboard's sign-in gives. */
  cookie: () => SessionCookie;
  publicUrl: () => string;
  basePath: string;
}

/** Lets members of an organization read its sites that are not public. */
interface ReaderMembers {
  /** The cookie to give with the page, if there is one to give; undefined for everyone who may not read the site. */
  admit(request: Request, site: Site): Promise<{ cookie: string | undefined } | undefined>;
}

const COOKIE_NAME = "docent_reader";

/**
 * The session's cookie comes with what the dashboard links to and no further: to a browser the reader's sandboxed pages
 * are pages of somebody else, and what they link to is asked for without it. So the reader gives the same secret once
 * more, in a cookie that goes with links and for the reader's addresses alone. Nothing but reading is done with it.
 */
export function createReaderMembers(options: ReaderMembersOptions): ReaderMembers {
  const { sessions, cookie, publicUrl, basePath } = options;

  async function mayRead(secret: string | undefined, { organizationId }: Site): Promise<boolean> {
    const signedIn = await sessions.authenticate(secret);
    return signedIn !== undefined && memberAdmin(signedIn.member).sees(organizationId);
  }

  const give = (secret: string) => {
    const secure = URL.parse(publicUrl())?.protocol === "https:" ? "; Secure" : "";
    return `${COOKIE_NAME}=${secret}; Path=${basePath}/sites; HttpOnly; SameSite=Lax${secure}`;
  };

  return {
    async admit(request, site) {
      const own = cookieValue(request, COOKIE_NAME);
      const secret = cookie().read(request);
      if (secret !== undefined && (await mayRead(secret, site)))
        return { cookie: secret === own ? undefined : give(secret) };
      return (await mayRead(own, site)) ? { cookie: undefined } : undefined;
    },
  };
}
