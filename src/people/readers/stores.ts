import type { Identity } from "../identity/identity.ts";

/** What a site signs its readers' tokens with. */
export interface SiteSecret {
  /** Stands in the head of the tokens that are signed with it, as `kid`. */
  id: string;
  siteId: number;
  secret: string;
  createdAt: number;
  lastUsedAt: number | undefined;
}

/** Keeps the secrets of sites. */
export interface SiteSecretStore {
  /** False where the site has `most` already. */
  add(secret: SiteSecret, most: number): Promise<boolean>;
  /** The site's, the oldest first. */
  list(siteId: number): Promise<SiteSecret[]>;
  /** False where the site has none of that id. */
  end(siteId: number, id: string): Promise<boolean>;
  /** Remembers when secrets were last used. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** A browser in which a reader has signed in. */
export interface ReaderSession {
  id: string;
  identity: Identity;
  /** The name of the provider that vouched for them. */
  provider: string;
  /** What the provider calls its own session; undefined where it does not say. */
  sid: string | undefined;
  createdAt: number;
  lastUsedAt: number;
  /** When it ends, however it is used. */
  expiresAt: number;
}

/** Which sessions a provider has ended: one of its own, or all of a reader. One of them is there. */
export interface EndedAtProvider {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/** Keeps readers' sessions, by the hash of their secrets. */
export interface ReaderSessionStore {
  /**
   * Adds a session, ends all of the same reader beyond `most`, and removes those that are over: that have expired, or were not
   * used since then.
   */
  add(
    session: ReaderSession,
    secretHash: string,
    bounds: { most: number; now: number; usedAfter: number },
  ): Promise<void>;
  find(secretHash: string): Promise<ReaderSession | undefined>;
  findById(id: string): Promise<ReaderSession | undefined>;
  end(id: string): Promise<void>;
  /** Ends the sessions that a provider has ended. Returns how many there were. */
  endOf(ended: EndedAtProvider): Promise<number>;
  /** Remembers when sessions were last used. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}
