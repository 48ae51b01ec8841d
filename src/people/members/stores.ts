import type { Member, Role, Vouched } from "./member.ts";

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

/** Somebody whom a provider or a proxy vouches for, with all that they are from now on. */
export interface Arrival extends Pick<Member, "isServerOwner" | "roles"> {
  vouched: Vouched;
  /** For a member who is new. */
  id: string;
  createdAt: number;
  /** Names for a member who is new: the first that nobody has. The last one has to be nobody's. */
  names: readonly { name: string; nameKey: string }[];
}

/** What an arrival came to. */
export interface Arrived {
  /** Undefined where they are to be nothing, and were nothing before. */
  member: Member | undefined;
  /** What they were; undefined for who is new. */
  before: Pick<Member, "isServerOwner" | "roles"> | undefined;
}

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

  /** The member whom that one vouches for under that name. */
  findVouched(issuer: string, subject: string): Promise<Member | undefined>;
  /**
   * Makes a member, or makes them what they are from now on. Who is nothing any more stays without a role, and all their
   * sessions end. The last owner of the server who can sign in stays one.
   */
  arrive(arrival: Arrival): Promise<Arrived>;
  /** Remembers when a member without a session was seen. */
  seen(id: string, at: number): Promise<void>;

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
  /** Undefined where it began with a password. */
  provided: ProvidedSession | undefined;
}

/** What is known of a session by the provider that vouched for its member. */
export interface ProvidedSession {
  provider: string;
  /** What the provider calls its own session. */
  sid: string | undefined;
  /** Shown to the provider when the member signs out. */
  idToken: string | undefined;
  endsAt: number;
}

/** Sessions that began, or were used, before these moments have ended; so have those whose end has come by `now`. */
export interface SessionBounds {
  createdAfter: number;
  usedAfter: number;
  now: number;
}

/** What a session begins with: it does not where that is not so any more. */
export type SessionProof = { passwordHash: string } | Pick<Vouched, "issuer" | "subject">;

/** Keeps sessions, by the hash of their secrets. */
export interface SessionStore {
  /**
   * Adds a session, ends all of the member beyond `most`, and removes those that ended by themselves. False where the
   * member is not there any more, or their password is not that one.
   */
  add(
    session: Session,
    secretHash: string,
    given: { proof: SessionProof; most: number; bounds: SessionBounds },
  ): Promise<boolean>;
  find(secretHash: string): Promise<{ session: Session; member: Member } | undefined>;
  /** The member's, the last used one first. */
  list(memberId: string): Promise<Session[]>;
  /** False where the member has none of that id. */
  end(memberId: string, id: string): Promise<boolean>;
  /** Ends those that a provider has ended: of one of its own sessions, or all of a subject. Returns how many. */
  endProvided(of: { issuer: string; subject: string | undefined; sid: string | undefined }): Promise<number>;
  /** Remembers when sessions, and so their members, were last seen. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}
