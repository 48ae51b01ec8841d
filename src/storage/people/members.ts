import type { Member } from "@docent/people/members/member";
import type { Arrival, Arrived, MemberStore, StoredLink, TakenAway } from "@docent/people/members/stores";
import { taken } from "../conflicts.ts";
import { type MemberRow, toMember } from "../people-rows/members.ts";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import type { Dialect } from "../sql/dialect.ts";
import { get, run, type Sql, type Steps } from "../sql/sql.ts";
import { insertInto, type Statement, statement } from "../sql/statement.ts";
import { memberLinks, members } from "../tables/people.ts";

/** The columns of a `MemberRow`, of the table `members`. */
export const memberColumns = (d: Dialect): string => `members.id, members.name,
  members.is_server_owner AS "isServerOwner", members.created_at AS "createdAt", members.last_seen_at AS "lastSeenAt",
  members.password_hash IS NOT NULL OR members.issuer IS NOT NULL AS "isActive",
  members.issuer, members.subject, members.provider AS "vouchedBy",
  (SELECT ${d.jsonOf(d.objectOf({ organizationId: "organization_id", role: "role" }), "organization_id")}
   FROM member_roles WHERE member_id = members.id) AS roles`;

const membersWhere = (rest: string): Statement<MemberRow> =>
  statement((d) => `SELECT ${memberColumns(d)} FROM members ${rest}`);

const LIST = membersWhere("ORDER BY name_key");
const FIND = membersWhere("WHERE id = $id");
const VOUCHED = membersWhere("WHERE issuer = $issuer AND subject = $subject");
const CREDENTIALS = statement<MemberRow & { passwordHash: string | null }>(
  (d) => `SELECT ${memberColumns(d)}, password_hash AS "passwordHash" FROM members WHERE name_key = $nameKey`,
);
const NAMED = statement("SELECT id FROM members WHERE name_key = $nameKey");
const ANY_OWNER = statement("SELECT id FROM members WHERE is_server_owner LIMIT 1");
const OTHER_OWNER = statement(`
  SELECT id FROM members
  WHERE is_server_owner AND (password_hash IS NOT NULL OR issuer IS NOT NULL) AND id <> $id LIMIT 1`);
const ADD = statement(
  insertInto(members, ["id", "name", "nameKey", "isServerOwner", "passwordHash", "createdAt"]),
);
const ADD_VOUCHED = statement(
  insertInto(members, [
    "id",
    "name",
    "nameKey",
    "isServerOwner",
    "createdAt",
    "issuer",
    "subject",
    "provider",
  ]),
);
const SET_OWNER = statement("UPDATE members SET is_server_owner = $isServerOwner WHERE id = $id");
const SET_VOUCHED = statement(
  "UPDATE members SET is_server_owner = $isServerOwner, provider = $provider WHERE id = $id",
);
const SEEN = statement(
  (d) => `
  UPDATE members SET last_seen_at = ${d.greater("coalesce(last_seen_at, 0)", "CAST($at AS bigint)")} WHERE id = $id`,
);
const SET_PASSWORD = statement("UPDATE members SET password_hash = $passwordHash WHERE id = $id");
const CHANGE_PASSWORD = statement(
  "UPDATE members SET password_hash = $passwordHash WHERE id = $id AND password_hash = $from",
);
const REMOVE = statement("DELETE FROM members WHERE id = $id");

const HAS_ROLE = statement(
  "SELECT role FROM member_roles WHERE member_id = $id AND organization_id = $organizationId",
);
/** Does nothing for a member who is not there. */
const PUT_ROLE = statement(`
  INSERT INTO member_roles (member_id, organization_id, role)
  SELECT id, CAST($organizationId AS text), CAST($role AS text) FROM members WHERE id = $id
  ON CONFLICT (member_id, organization_id) DO UPDATE SET role = excluded.role`);
const TAKE_ROLE = statement(
  "DELETE FROM member_roles WHERE member_id = $id AND organization_id = $organizationId",
);
const TAKE_ROLES = statement("DELETE FROM member_roles WHERE member_id = $id");

/**
 * The first link is nobody's. On SQLite there is one of that too; servers that start together on PostgreSQL each show one,
 * and do not end each other's.
 */
const END_LINKS = statement(
  ({ engine }) => `
  DELETE FROM member_links
  WHERE member_id ${engine === "sqlite" ? "IS" : "="} $memberId OR expires_at <= $createdAt`,
);
const ADD_LINK = statement(insertInto(memberLinks));
const FIND_LINK = statement<RowOf<StoredLink>>(`
  SELECT link_hash AS hash, member_id AS "memberId", created_at AS "createdAt", expires_at AS "expiresAt"
  FROM member_links WHERE link_hash = $hash AND expires_at > $now`);
/** Uses a link up; of several who try, one. */
const TAKE_LINK = statement("DELETE FROM member_links WHERE link_hash = $hash");
/** Whoever had the link made could perhaps not give what the member becomes now. */
const END_LINK = statement("DELETE FROM member_links WHERE member_id = $id");
const END_SESSIONS = statement("DELETE FROM member_sessions WHERE member_id = $id");
const LOCK = statement(({ onPostgres }) => onPostgres("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE"));

/** Changes members, one at a time: nobody else becomes or stops being an owner meanwhile. */
const asOne = <R>(sql: Sql, body: () => Steps<R>): Promise<R> =>
  sql.inOneWrite(function* () {
    yield* run(LOCK);
    return yield* body();
  });

export const createMemberStore = (sql: Sql): MemberStore => ({ ...createMembers(sql), ...createLinks(sql) });

type Links = Pick<MemberStore, "putLink" | "findLink" | "redeem" | "redeemFirst">;

function createMembers(sql: Sql): Omit<MemberStore, keyof Links> {
  return {
    add: (member, nameKey) =>
      asOne(sql, function* () {
        yield* insert(sql, member, nameKey);
        yield* putRoles(member.id, member.roles);
      }),
    async list() {
      return (await sql.all(LIST)).map(toMember);
    },
    find: (id) => sql.inTurn(() => find(id)),
    async findCredentials(nameKey) {
      const row = await sql.get(CREDENTIALS, { nameKey });
      return row && { member: toMember(row), passwordHash: row.passwordHash ?? undefined };
    },
    hasServerOwner: () => sql.inTurn(hasServerOwner),

    giveRole: (id, organizationId, role) => asOne(sql, () => giveRole(id, organizationId, role)),
    takeRole: (id, organizationId) => asOne(sql, () => takeRole(id, organizationId)),
    setServerOwner: (id, isServerOwner) =>
      asOne(sql, () => (isServerOwner ? makeServerOwner(id) : unmakeServerOwner(id))),
    remove: (id) => asOne(sql, () => remove(id)),

    findVouched: (issuer, subject) => sql.inTurn(() => findVouched(issuer, subject)),
    arrive: (arrival) => asOne(sql, () => arrive(arrival)),
    async seen(id, at) {
      await sql.run(SEEN, { id, at });
    },

    changePassword: (id, from, to) =>
      asOne(sql, function* () {
        const isChanged = (yield* run(CHANGE_PASSWORD, { id, passwordHash: to, from })) > 0;
        if (isChanged) yield* run(END_SESSIONS, { id });
        return isChanged;
      }),
  };
}

/** The links with which members choose their passwords. */
function createLinks(sql: Sql): Links {
  return {
    putLink: ({ hash: linkHash, memberId, createdAt, expiresAt }) =>
      asOne(sql, function* () {
        yield* run(END_LINKS, { memberId, createdAt });
        yield* run(ADD_LINK, { linkHash, memberId, createdAt, expiresAt });
      }),
    async findLink(hash, now) {
      const row = await sql.get(FIND_LINK, { hash, now });
      return row && fieldsOf(row);
    },
    redeem: ({ hash, memberId: id = "" }, passwordHash) =>
      asOne(sql, function* () {
        if ((yield* run(TAKE_LINK, { hash })) === 0) return false;
        yield* run(END_SESSIONS, { id });
        return (yield* run(SET_PASSWORD, { id, passwordHash })) > 0;
      }),
    redeemFirst: ({ hash }, owner, nameKey, passwordHash) =>
      asOne(sql, function* () {
        if ((yield* hasServerOwner()) || (yield* run(TAKE_LINK, { hash })) === 0) return false;
        yield* insert(sql, owner, nameKey, passwordHash);
        return true;
      }),
  };
}

function* insert(
  sql: Sql,
  { id, name, isServerOwner, createdAt }: Member,
  nameKey: string,
  passwordHash?: string,
): Steps<void> {
  try {
    yield* run(ADD, { id, name, nameKey, isServerOwner, passwordHash, createdAt });
  } catch (cause) {
    throw sql.isTaken(cause) ? taken("member", name, cause) : cause;
  }
}

function* find(id: string): Steps<Member | undefined> {
  const row = yield* get(FIND, { id });
  return row && toMember(row);
}

function* findVouched(issuer: string, subject: string): Steps<Member | undefined> {
  const row = yield* get(VOUCHED, { issuer, subject });
  return row && toMember(row);
}

function* hasServerOwner(): Steps<boolean> {
  return (yield* get(ANY_OWNER)) !== undefined;
}

function* putRoles(id: string, roles: Member["roles"]): Steps<void> {
  for (const { organizationId, role } of roles) yield* run(PUT_ROLE, { id, organizationId, role });
}

function* giveRole(id: string, organizationId: string, role: string): Steps<void> {
  const had = yield* get(HAS_ROLE, { id, organizationId });
  yield* run(PUT_ROLE, { id, organizationId, role });
  if (had === undefined) yield* run(END_LINK, { id });
}

function* takeRole(id: string, organizationId: string): Steps<TakenAway> {
  const member = yield* find(id);
  if (member === undefined) return "missing";
  const isAll = !member.isServerOwner && member.roles.every((role) => role.organizationId === organizationId);
  if (isAll) return "left_with_nothing";
  yield* run(TAKE_ROLE, { id, organizationId });
  return "done";
}

function* makeServerOwner(id: string): Steps<TakenAway> {
  const found = yield* run(SET_OWNER, { id, isServerOwner: true });
  yield* run(END_LINK, { id });
  return found === 0 ? "missing" : "done";
}

function* unmakeServerOwner(id: string): Steps<TakenAway> {
  const member = yield* find(id);
  if (member === undefined) return "missing";
  if (yield* isLastOwner(member)) return "last_owner";
  if (member.roles.length === 0) return "left_with_nothing";
  yield* run(SET_OWNER, { id, isServerOwner: false });
  return "done";
}

function* remove(id: string): Steps<TakenAway> {
  const member = yield* find(id);
  if (member === undefined) return "missing";
  if (yield* isLastOwner(member)) return "last_owner";
  yield* run(REMOVE, { id });
  return "done";
}

/** Whether nobody else owns the server and can sign in. */
function* isLastOwner({ id, isServerOwner, isActive }: Member): Steps<boolean> {
  return isServerOwner && isActive && (yield* get(OTHER_OWNER, { id })) === undefined;
}

function* arrive(arrival: Arrival): Steps<Arrived> {
  const { vouched, roles } = arrival;
  const before = yield* findVouched(vouched.issuer, vouched.subject);
  const isNothing = !arrival.isServerOwner && roles.length === 0;
  if (before === undefined && isNothing) return { member: undefined, before };
  const id = before?.id ?? (yield* addVouched(arrival));
  const isServerOwner = arrival.isServerOwner || (before !== undefined && (yield* isLastOwner(before)));
  yield* run(SET_VOUCHED, { id, isServerOwner, provider: vouched.provider });
  yield* run(TAKE_ROLES, { id });
  yield* putRoles(id, roles);
  if (isNothing && !isServerOwner) yield* run(END_SESSIONS, { id });
  return { member: yield* find(id), before };
}

function* addVouched({ id, names, vouched, createdAt }: Arrival): Steps<string> {
  let free = { name: id, nameKey: id };
  for (const each of names.toReversed())
    if ((yield* get(NAMED, { nameKey: each.nameKey })) === undefined) free = each;
  yield* run(ADD_VOUCHED, { id, ...free, createdAt, isServerOwner: false, ...vouched });
  return id;
}
