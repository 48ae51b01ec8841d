import type { Database } from "bun:sqlite";
import { and, eq, gt, isNotNull, lte, ne, or, sql } from "drizzle-orm";
import type { Member } from "../../../members/member.ts";
import type { Arrival, Arrived, MemberStore, StoredLink, TakenAway } from "../../../members/stores.ts";
import { taken } from "../../conflicts.ts";
import { type MemberRow, toMember } from "../../rows/people/members.ts";
import { memberLinks, memberRoles, memberSessions, members } from "../../sql/tables/people.ts";
import { isTaken } from "../failures.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

/** The columns of a `MemberRow`, of the table `members`. */
export const MEMBER_COLUMNS = `members.id, members.name, members.is_server_owner AS isServerOwner, members.created_at AS createdAt,
  members.last_seen_at AS lastSeenAt, members.password_hash IS NOT NULL OR members.issuer IS NOT NULL AS isActive,
  members.issuer, members.subject, members.provider AS vouchedBy,
  (SELECT json_group_array(json_object('organizationId', organization_id, 'role', role) ORDER BY organization_id)
   FROM member_roles WHERE member_id = members.id) AS roles`;

export function createMemberStore(database: Database): MemberStore {
  const db = typed(database);
  return {
    add: async (member, nameKey) => add(db, member, nameKey),
    list: async () => list(db).map(toMember),
    async find(id) {
      const row = findRow(db, id);
      return row === null ? undefined : toMember(row);
    },
    findCredentials: async (nameKey) => findCredentials(db, nameKey),
    hasServerOwner: async () => hasServerOwner(db),

    giveRole: async (id, organizationId, role) => giveRole(db, id, organizationId, role),
    takeRole: async (id, organizationId) => takeRole(db, id, organizationId),
    setServerOwner: async (id, isServerOwner) =>
      isServerOwner ? makeServerOwner(db, id) : unmakeServerOwner(db, id),
    remove: async (id) => remove(db, id),

    putLink: async (link) => putLink(db, link),
    findLink: async (hash, now) => findLink(db, hash, now),
    redeem: async (link, passwordHash) => redeem(db, link, passwordHash),
    redeemFirst: async (link, owner, nameKey, passwordHash) =>
      redeemFirst(db, link, owner, nameKey, passwordHash),

    async findVouched(issuer, subject) {
      const row = findVouched(db, issuer, subject);
      return row === null ? undefined : toMember(row);
    },
    arrive: async (arrival) => inOneWrite(db.$client, () => arrive(db, arrival)),
    seen: async (id, at) => seen(db, id, at),

    changePassword: async (id, from, to) => changePassword(db, id, from, to),
  };
}

function add(db: TypedDatabase, member: Member, nameKey: string): void {
  inOneWrite(db.$client, () => {
    insert(db, member, nameKey);
    for (const { organizationId, role } of member.roles) putRole(db, member.id, organizationId, role);
  });
}

function insert(
  db: TypedDatabase,
  member: Member,
  nameKey: string,
  passwordHash: string | null = null,
): void {
  const { id, name, isServerOwner, createdAt } = member;
  try {
    db.insert(members).values({ id, name, nameKey, isServerOwner, passwordHash, createdAt }).run();
  } catch (cause) {
    throw isTaken(cause) ? taken("member", name, cause) : cause;
  }
}

const list = ({ $client }: TypedDatabase): MemberRow[] =>
  $client.query<MemberRow, []>(`SELECT ${MEMBER_COLUMNS} FROM members ORDER BY name_key`).all();

const findRow = ({ $client }: TypedDatabase, id: string): MemberRow | null =>
  $client.query<MemberRow, [string]>(`SELECT ${MEMBER_COLUMNS} FROM members WHERE id = ?`).get(id);

function findCredentials({ $client }: TypedDatabase, nameKey: string) {
  const row = $client
    .query<MemberRow & { passwordHash: string | null }, [string]>(
      `SELECT ${MEMBER_COLUMNS}, password_hash AS passwordHash FROM members WHERE name_key = ?`,
    )
    .get(nameKey);
  return row === null ? undefined : { member: toMember(row), passwordHash: row.passwordHash ?? undefined };
}

const hasServerOwner = (db: TypedDatabase): boolean =>
  db.select({ id: members.id }).from(members).where(eq(members.isServerOwner, true)).get() !== undefined;

function giveRole(db: TypedDatabase, id: string, organizationId: string, role: string): void {
  const ofMember = and(eq(memberRoles.memberId, id), eq(memberRoles.organizationId, organizationId));
  inOneWrite(db.$client, () => {
    const had = db.select().from(memberRoles).where(ofMember).get();
    putRole(db, id, organizationId, role);
    if (had === undefined) endLink(db, id);
  });
}

/** Does nothing for a member who is not there. */
function putRole({ $client }: TypedDatabase, id: string, organizationId: string, role: string): void {
  $client
    .query(
      `INSERT INTO member_roles (member_id, organization_id, role) SELECT id, ?, ? FROM members WHERE id = ?
       ON CONFLICT DO UPDATE SET role = excluded.role`,
    )
    .run(organizationId, role, id);
}

function takeRole(db: TypedDatabase, id: string, organizationId: string): TakenAway {
  const ofMember = and(eq(memberRoles.memberId, id), eq(memberRoles.organizationId, organizationId));
  return takeAway(
    db,
    id,
    ({ isServerOwner, roles }) => {
      const isAll = !isServerOwner && roles.every((role) => role.organizationId === organizationId);
      return isAll ? "left_with_nothing" : undefined;
    },
    () => db.delete(memberRoles).where(ofMember).run(),
  );
}

function makeServerOwner(db: TypedDatabase, id: string): TakenAway {
  return inOneWrite(db.$client, () => {
    const found = db
      .update(members)
      .set({ isServerOwner: true })
      .where(eq(members.id, id))
      .returning({ id: members.id })
      .get();
    endLink(db, id);
    return found === undefined ? "missing" : "done";
  });
}

function unmakeServerOwner(db: TypedDatabase, id: string): TakenAway {
  return takeAway(
    db,
    id,
    (member) => {
      if (isLastOwner(db, member)) return "last_owner";
      return member.roles.length === 0 ? "left_with_nothing" : undefined;
    },
    () => db.update(members).set({ isServerOwner: false }).where(eq(members.id, id)).run(),
  );
}

function remove(db: TypedDatabase, id: string): TakenAway {
  return takeAway(
    db,
    id,
    (member) => (isLastOwner(db, member) ? "last_owner" : undefined),
    () => db.delete(members).where(eq(members.id, id)).run(),
  );
}

/** Takes something from a member, unless there is a reason against it. */
function takeAway(
  db: TypedDatabase,
  id: string,
  reasonAgainst: (member: Member) => Exclude<TakenAway, "done" | "missing"> | undefined,
  take: () => void,
): TakenAway {
  return inOneWrite(db.$client, () => {
    const row = findRow(db, id);
    if (row === null) return "missing";
    const reason = reasonAgainst(toMember(row));
    if (reason !== undefined) return reason;
    take();
    return "done";
  });
}

/** Whether nobody else owns the server and can sign in. */
function isLastOwner(db: TypedDatabase, { id, isServerOwner, isActive }: Member): boolean {
  if (!isServerOwner || !isActive) return false;
  const maySignIn = or(isNotNull(members.passwordHash), isNotNull(members.issuer));
  const isOther = and(eq(members.isServerOwner, true), maySignIn, ne(members.id, id));
  return db.select({ id: members.id }).from(members).where(isOther).get() === undefined;
}

function putLink(db: TypedDatabase, { hash, memberId, createdAt, expiresAt }: StoredLink): void {
  // The first link is nobody's, and there is one of that too.
  const isReplaced = eq(sql`coalesce(${memberLinks.memberId}, '')`, memberId ?? "");
  inOneWrite(db.$client, () => {
    db.delete(memberLinks)
      .where(or(isReplaced, lte(memberLinks.expiresAt, createdAt)))
      .run();
    db.insert(memberLinks)
      .values({ linkHash: hash, memberId: memberId ?? null, createdAt, expiresAt })
      .run();
  });
}

function findLink(db: TypedDatabase, hash: string, now: number): StoredLink | undefined {
  const isValid = and(eq(memberLinks.linkHash, hash), gt(memberLinks.expiresAt, now));
  const row = db.select().from(memberLinks).where(isValid).get();
  if (row === undefined) return undefined;
  const { linkHash, memberId, ...times } = row;
  return { hash: linkHash, memberId: memberId ?? undefined, ...times };
}

function redeem(db: TypedDatabase, { hash, memberId = "" }: StoredLink, passwordHash: string): boolean {
  return inOneWrite(db.$client, () => {
    if (!takeLink(db, hash)) return false;
    endSessions(db, memberId);
    return setPassword(db, memberId, passwordHash);
  });
}

function redeemFirst(
  db: TypedDatabase,
  { hash }: StoredLink,
  owner: Member,
  nameKey: string,
  passwordHash: string,
): boolean {
  return inOneWrite(db.$client, () => {
    if (hasServerOwner(db) || !takeLink(db, hash)) return false;
    insert(db, owner, nameKey, passwordHash);
    return true;
  });
}

const findVouched = ({ $client }: TypedDatabase, issuer: string, subject: string): MemberRow | null =>
  $client
    .query<MemberRow, [string, string]>(
      `SELECT ${MEMBER_COLUMNS} FROM members WHERE issuer = ? AND subject = ?`,
    )
    .get(issuer, subject);

function arrive(db: TypedDatabase, arrival: Arrival): Arrived {
  const { vouched, roles } = arrival;
  const { issuer, subject, provider } = vouched;
  const row = findVouched(db, issuer, subject);
  const before = row === null ? undefined : toMember(row);
  const isNothing = !arrival.isServerOwner && roles.length === 0;
  if (before === undefined && isNothing) return { member: undefined, before };
  const id = before?.id ?? addVouched(db, arrival);
  const isServerOwner = arrival.isServerOwner || (before !== undefined && isLastOwner(db, before));
  db.update(members).set({ isServerOwner, provider }).where(eq(members.id, id)).run();
  db.delete(memberRoles).where(eq(memberRoles.memberId, id)).run();
  for (const { organizationId, role } of roles) putRole(db, id, organizationId, role);
  if (isNothing && !isServerOwner) endSessions(db, id);
  const after = findRow(db, id);
  return { member: after === null ? undefined : toMember(after), before };
}

function addVouched(db: TypedDatabase, { id, names, vouched, createdAt }: Arrival): string {
  const { issuer, subject, provider } = vouched;
  const isFree = (nameKey: string) =>
    db.select({ id: members.id }).from(members).where(eq(members.nameKey, nameKey)).get() === undefined;
  const { name, nameKey } = names.find((each) => isFree(each.nameKey)) ?? { name: id, nameKey: id };
  const isServerOwner = false;
  db.insert(members).values({ id, name, nameKey, isServerOwner, createdAt, issuer, subject, provider }).run();
  return id;
}

const seen = (db: TypedDatabase, id: string, at: number) =>
  void db
    .update(members)
    .set({ lastSeenAt: sql`max(coalesce(${members.lastSeenAt}, 0), ${at})` })
    .where(eq(members.id, id))
    .run();

function changePassword(db: TypedDatabase, id: string, from: string, to: string): boolean {
  return inOneWrite(db.$client, () => {
    const isChanged = setPassword(db, id, to, from);
    if (isChanged) endSessions(db, id);
    return isChanged;
  });
}

/** False where there is no such member, or where the password is not `from` any more. */
function setPassword(db: TypedDatabase, id: string, passwordHash: string, from?: string): boolean {
  const isFrom = from === undefined ? undefined : eq(members.passwordHash, from);
  const changed = db
    .update(members)
    .set({ passwordHash })
    .where(and(eq(members.id, id), isFrom))
    .returning({ id: members.id })
    .get();
  return changed !== undefined;
}

/** Uses a link up. False where that was done before. */
const takeLink = (db: TypedDatabase, hash: string): boolean =>
  db.delete(memberLinks).where(eq(memberLinks.linkHash, hash)).returning().get() !== undefined;

/** Whoever had the link made could perhaps not give what the member becomes now. */
const endLink = (db: TypedDatabase, memberId: string) =>
  db.delete(memberLinks).where(eq(memberLinks.memberId, memberId)).run();

const endSessions = (db: TypedDatabase, memberId: string) =>
  db.delete(memberSessions).where(eq(memberSessions.memberId, memberId)).run();
