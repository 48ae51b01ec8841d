import type { Member, Role } from "./member.ts";

/** A link that is used once, by its hash. */
export interface StoredLink {
  hash: string;
  /** Whose password it chooses; undefined: it makes the server's first owner. */
  memberId: string | undefined;
  createdAt: number;
  expiresAt: number;
}

/** The member of a name, with the hash of their password. */
interface Credentials {
  member: Member;
  /** Undefined before the first password is chosen. */
  passwordHash: string | undefined;
}

/**
 * What became of a change that takes something away. It is not done where nobody who can sign in would own the server
 * then, or where the member would be left with nothing.
 */
export type TakenAway = "done" | "missing" | "last_owner" | "left_with_nothing";

/** Keeps members, their passwords, and the links to choose one. Names that are taken raise `conflict`. */
export interface MemberStore {
  add(member: Member, nameKey: string): Promise<void>;
  list(): Promise<Member[]>;
  find(id: string): Promise<Member | undefined>;
  findCredentials(nameKey: string): Promise<Credentials | undefined>;
  /** Whether anyone owns the server: has signed in, or was invited to. */
  hasServerOwner(): Promise<boolean>;

  /**
   * Does nothing for a member who is not there. A first role in an organization, as the server's ownership, ends the link
   * that the member had: whoever made it may be nobody who could let others in there.
   */
  giveRole(id: string, organizationId: string, role: Role): Promise<void>;
  takeRole(id: string, organizationId: string): Promise<TakenAway>;
  setServerOwner(id: string, isServerOwner: boolean): Promise<TakenAway>;
  /** Removes a member with all that is theirs. */
  remove(id: string): Promise<TakenAway>;

  /**
   * Puts a link in the place of the one that the same member had. Where servers share the store, each has a first link of its
   * own.
   */
  putLink(link: StoredLink): Promise<void>;
  /** The link of that hash, if its time has not come. */
  findLink(hash: string, now: number): Promise<StoredLink | undefined>;
  /** Uses a member's link up: sets the password, ends all sessions. False where another use was faster. */
  redeem(link: StoredLink, passwordHash: string): Promise<boolean>;
  /** Uses the first link up: adds the server's first owner. False where there is one by now. */
  redeemFirst(link: StoredLink, owner: Member, nameKey: string, passwordHash: string): Promise<boolean>;

  /** Puts one password in the place of another, and ends all sessions. False where it is not that other one any more. */
  changePassword(id: string, from: string, to: string): Promise<boolean>;
}

/** A browser that is signed in. */
export interface Session {
  id: string;
  memberId: string;
  createdAt: number;
  lastUsedAt: number;
  address: string;
  /** What the browser calls itself. */
  agent: string;
}

/** Sessions that began, or were used, before these moments have ended. */
export interface SessionBounds {
  createdAfter: number;
  usedAfter: number;
}

/** Keeps sessions, by the hash of their secrets. */
export interface SessionStore {
  /**
   * Adds a session, ends all of the member beyond `most`, and removes those that ended by themselves. False where the
   * member's password is not that one any more.
   */
  add(
    session: Session,
    secretHash: string,
    given: { passwordHash: string; most: number; bounds: SessionBounds },
  ): Promise<boolean>;
  find(secretHash: string): Promise<{ session: Session; member: Member } | undefined>;
  /** The member's, the last used one first. */
  list(memberId: string): Promise<Session[]>;
  /** False where the member has none of that id. */
  end(memberId: string, id: string): Promise<boolean>;
  /** Remembers when sessions, and so their members, were last seen. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}
