import type { Identity } from "./identity.ts";
import type { KeptState, Purpose } from "./kept-state.ts";
import type { MemberRules } from "./member-rules.ts";

/** Somebody who came back from a provider. */
export interface Provided {
  identity: Identity;
  /** What the provider calls its own session, by which it ends it later. */
  sid: string | undefined;
  /** Shown to the provider when signing out; undefined where it is too long for an address. */
  idToken: string | undefined;
}

/** Sessions of readers, which `readers` implements. */
export interface ReaderSessions {
  /** Begins one, and gives the headers that set its cookies. */
  begin(
    provided: Provided & { provider: string; endsAt: number },
    place: { address: string; agent: string },
  ): Promise<{ cookies: readonly string[] }>;
  /** Ends those that a provider has ended. Returns how many. */
  endProvided(notice: Pick<LogoutNotice, "issuer" | "subject" | "sid">): Promise<number>;
}

/** Whose sessions a provider has ended: those of one of its own sessions, or all of a subject. */
export interface LogoutNotice {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** What tells this notice from every other one. */
  id: string;
  /** Until when it could be sent again. */
  until: number;
}

/** A provider of OpenID Connect. */
export interface Provider {
  /** In addresses and in the audit log. */
  name: string;
  /** On the button. */
  label: string;
  issuer: string;
  /** What its groups make somebody in the dashboard; undefined: nobody signs in there with it. */
  members: MemberRules | undefined;
  /** Whether readers sign in with it. */
  readers: boolean;
  /** The audience that agents' access tokens must have; undefined: agents bring none of it. */
  mcpAudience: string | undefined;
  /** What agents ask it for. */
  mcpScopes: readonly string[];

  /** Where the browser goes, and what it keeps meanwhile. Raises a SignInFault. */
  begin(asked: {
    purpose: Purpose;
    returnTo: string;
    redirectUri: string;
  }): Promise<{ url: string; kept: Omit<KeptState, "until"> }>;
  /** Who came back. `callback` is the redirect URI with what the provider added. Raises a SignInFault. */
  finish(callback: URL, kept: KeptState): Promise<Provided>;
  /** Where the browser goes to sign out there too; undefined where the provider has no such address. */
  logoutUrl(asked: { idToken: string | undefined; returnTo: string }): Promise<string | undefined>;
  /** Whether it tells when its sessions end (back-channel logout). */
  tellsOfLogout(): Promise<boolean>;
  /** Reads what it sends when a session ends. Raises `invalid_request`, and `unavailable` where its keys cannot be had. */
  readLogoutToken(token: string): Promise<LogoutNotice>;
  /**
   * Who an agent's access token speaks for: it has to be for `mcpAudience`, or for the address that it was sent to. Raises `unauthorized`, and
   * `unavailable` where its keys cannot be had.
   */
  verifyAccessToken(token: string, resource?: string): Promise<Identity>;
}
