import type { Member } from "../../../members/member.ts";
import type { Arrival, Arrived, MemberStore, StoredLink, TakenAway } from "../../../members/stores.ts";
import { taken } from "../../conflicts.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { type MemberRow, toMember } from "../../rows/people/members.ts";
import type { Database, Queries } from "../database/database.ts";
import { isTaken } from "../failures.ts";

/** The columns of a `MemberRow`, of the table `members`. */
export const MEMBER_COLUMNS = `members.id, members.name, members.is_server_owner, members.created_at,
  members.last_seen_at, members.password_hash IS NOT NULL OR members.issuer IS NOT NULL AS is_active,
  members.issuer, members.subject, members.provider AS vouched_by,
  (SELECT coalesce(json_agg(json_build_object('organizationId', organization_id, 'role', role)
     ORDER BY organization_id), '[]')::text
   FROM member_roles WHERE member_id = members.id) AS roles`;

const INSERT = `
  INSERT INTO members (id, name, name_key, is_server_owner, password_hash, created_at)
  VALUES ($id, $name, $nameKey, $isServerOwner, $passwordHash, $createdAt)`;
const LIST = `SELECT ${MEMBER_COLUMNS} FROM members ORDER BY name_key`;
const FIND = `SELECT ${MEMBER_COLUMNS} FROM members WHERE id = $id`;
const CREDENTIALS = `SELECT ${MEMBER_COLUMNS}, password_hash FROM members WHERE name_key = $nameKey`;
const ANY_OWNER = "SELECT id FROM members WHERE is_server_owner LIMIT 1";
const OTHER_OWNER = `
  SELECT id FROM members
  WHERE is_server_owner AND (password_hash IS NOT NULL OR issuer IS NOT NULL) AND id <> $id LIMIT 1`;
const SET_OWNER = "UPDATE members SET is_server_owner = $isServerOwner WHERE id = $id";
const REMOVE = "DELETE FROM members WHERE id = $id";
const HAS_ROLE = "SELECT role FROM member_roles WHERE member_id = $id AND organization_id = $organizationId";
/** Does nothing for a member who is not there. */
const PUT_ROLE = `
  INSERT INTO member_roles (member_id, organization_id, role)
  SELECT id, $organizationId::text, $role::text FROM members WHERE id = $id
  ON CONFLICT (member_id, organization_id) DO UPDATE SET role = excluded.role`;
const TAKE_ROLE = "DELETE FROM member_roles WHERE member_id = $id AND organization_id = $organizationId";
/** Servers that start together each show a link for the first owner: those are nobody's, and do not end each other. */
const END_LINKS = "DELETE FROM member_links WHERE member_id = $memberId OR expires_at <= $createdAt";
const ADD_LINK = `
  INSERT INTO member_links (link_hash, member_id, created_at, expires_at)
  VALUES ($hash, $memberId, $createdAt, $expiresAt)`;
const FIND_LINK = `
  SELECT link_hash AS hash, member_id, created_at, expires_at FROM member_links
  WHERE link_hash = $hash AND expires_at > $now`;
/** Uses a link up; of several who try, one. */
const TAKE_LINK = "DELETE FROM member_links WHERE link_hash = $hash";
/** Whoever had the link made could perhaps not give what the member becomes now. */
const END_LINK = "DELETE FROM member_links WHERE member_id = $id";
const END_SESSIONS = "DELETE FROM member_sessions WHERE member_id = $id";
const VOUCHED = `SELECT ${MEMBER_COLUMNS} FROM members WHERE issuer = $issuer AND subject = $subject`;
const NAMED = "SELECT id FROM members WHERE name_key = $nameKey";
const ADD_VOUCHED = `
  INSERT INTO members (id, name, name_key, is_server_owner, created_at, issuer, subject, provider)
  VALUES ($id, $name, $nameKey, false, $createdAt, $issuer, $subject, $provider)`;
const SET_VOUCHED = `
  UPDATE members SET is_server_owner = $isServerOwner, provider = $provider WHERE id = $id`;
const TAKE_ROLES = "DELETE FROM member_roles WHERE member_id = $id";
const SEEN =
  "UPDATE members SET last_seen_at = greatest(coalesce(last_seen_at, 0), $at::bigint) WHERE id = $id";
const SET_PASSWORD = "UPDATE members SET password_hash = $passwordHash WHERE id = $id";
const CHANGE_PASSWORD = `${SET_PASSWORD} AND password_hash = $from`;

export function createMemberStore(database: Database): MemberStore {
  return {
    add: (member, nameKey) =>
      asOneOf(database, async (write) => {
        await insert(write, member, nameKey);
        for (const { organizationId, role } of member.roles)
          await write.run(PUT_ROLE, { id: member.id, organizationId, role });
      }),
    async list() {
      return (await database.all<MemberRow>(LIST)).map(toMember);
    },
    find: (id) => find(database, id),
    async findCredentials(nameKey) {
      const row = await database.get<MemberRow & { passwordHash: string | null }>(CREDENTIALS, { nameKey });
      return row && { member: toMember(row), passwordHash: row.passwordHash ?? undefined };
    },
    hasServerOwner: () => hasServerOwner(database),

    giveRole: (id, organizationId, role) =>
      asOneOf(database, async (write) => {
        const had = await write.get(HAS_ROLE, { id, organizationId });
        await write.run(PUT_ROLE, { id, organizationId, role });
        if (had === undefined) await write.run(END_LINK, { id });
      }),
    takeRole: (id, organizationId) => takeRole(database, id, organizationId),
    setServerOwner: (id, isServerOwner) =>
      isServerOwner ? makeServerOwner(database, id) : unmakeServerOwner(database, id),
    remove: (id) => remove(database, id),

    putLink: ({ hash, memberId = null, createdAt, expiresAt }) =>
      asOneOf(database, async (write) => {
        await write.run(END_LINKS, { memberId, createdAt });
        await write.run(ADD_LINK, { hash, memberId, createdAt, expiresAt });
      }),
    async findLink(hash, now) {
      const row = await database.get<RowOf<StoredLink>>(FIND_LINK, { hash, now });
      return row && fieldsOf(row);
    },
    redeem: (link, passwordHash) => redeem(database, link, passwordHash),
    redeemFirst: (link, owner, nameKey, passwordHash) =>
      redeemFirst(database, link, owner, nameKey, passwordHash),

    findVouched: (issuer, subject) => findVouched(database, issuer, subject),
    arrive: (arrival) => asOneOf(database, (write) => arrive(write, arrival)),
    async seen(id, at) {
      await database.run(SEEN, { id, at });
    },

    changePassword: (id, from, to) =>
      asOneOf(database, async (write) => {
        const isChanged = (await write.run(CHANGE_PASSWORD, { id, passwordHash: to, from })) > 0;
        if (isChanged) await write.run(END_SESSIONS, { id });
        return isChanged;
      }),
  };
}

/** Changes members, one at a time: nobody else becomes or stops being an owner meanwhile. */
const asOneOf = <R>(database: Database, work: (write: Queries) => Promise<R>): Promise<R> =>
  database.inOneWrite(async (write) => {
    await write.run("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE");
    return work(write);
  });

async function insert(
  write: Queries,
  { id, name, isServerOwner, createdAt }: Member,
  nameKey: string,
  passwordHash: string | null = null,
): Promise<void> {
  try {
    await write.run(INSERT, { id, name, nameKey, isServerOwner, passwordHash, createdAt });
  } catch (cause) {
    throw isTaken(cause) ? taken("member", name, cause) : cause;
  }
}

async function find(queries: Queries, id: string): Promise<Member | undefined> {
  const row = await queries.get<MemberRow>(FIND, { id });
  return row && toMember(row);
}

const hasServerOwner = async (queries: Queries) => (await queries.get(ANY_OWNER)) !== undefined;

const takeRole = (database: Database, id: string, organizationId: string): Promise<TakenAway> =>
  takeAway(
    database,
    id,
    async (_, { isServerOwner, roles }) => {
      const isAll = !isServerOwner && roles.every((role) => role.organizationId === organizationId);
      return isAll ? "left_with_nothing" : undefined;
    },
    (write) => write.run(TAKE_ROLE, { id, organizationId }),
  );

const makeServerOwner = (database: Database, id: string): Promise<TakenAway> =>
  asOneOf(database, async (write) => {
    const found = await write.run(SET_OWNER, { id, isServerOwner: true });
    await write.run(END_LINK, { id });
    return found === 0 ? "missing" : "done";
  });

const unmakeServerOwner = (database: Database, id: string): Promise<TakenAway> =>
  takeAway(
    database,
    id,
    async (write, member) => {
      if (await isLastOwner(write, member)) return "last_owner";
      return member.roles.length === 0 ? "left_with_nothing" : undefined;
    },
    (write) => write.run(SET_OWNER, { id, isServerOwner: false }),
  );

const remove = (database: Database, id: string): Promise<TakenAway> =>
  takeAway(
    database,
    id,
    async (write, member) => ((await isLastOwner(write, member)) ? "last_owner" : undefined),
    (write) => write.run(REMOVE, { id }),
  );

type Reason = Exclude<TakenAway, "done" | "missing">;

/** Takes something from a member, unless there is a reason against it. */
const takeAway = (
  database: Database,
  id: string,
  reasonAgainst: (write: Queries, member: Member) => Promise<Reason | undefined>,
  take: (write: Queries) => Promise<unknown>,
): Promise<TakenAway> =>
  asOneOf(database, async (write) => {
    const member = await find(write, id);
    if (member === undefined) return "missing";
    const reason = await reasonAgainst(write, member);
    if (reason !== undefined) return reason;
    await take(write);
    return "done";
  });

/** Whether nobody else owns the server and can sign in. */
async function isLastOwner(write: Queries, { id, isServerOwner, isActive }: Member): Promise<boolean> {
  return isServerOwner && isActive && (await write.get(OTHER_OWNER, { id })) === undefined;
}

const redeem = (database: Database, { hash, memberId: id = "" }: StoredLink, passwordHash: string) =>
  asOneOf(database, async (write) => {
    if ((await write.run(TAKE_LINK, { hash })) === 0) return false;
    await write.run(END_SESSIONS, { id });
    return (await write.run(SET_PASSWORD, { id, passwordHash })) > 0;
  });

async function findVouched(queries: Queries, issuer: string, subject: string): Promise<Member | undefined> {
  const row = await queries.get<MemberRow>(VOUCHED, { issuer, subject });
  return row && toMember(row);
}

async function arrive(write: Queries, arrival: Arrival): Promise<Arrived> {
  const { vouched, roles } = arrival;
  const before = await findVouched(write, vouched.issuer, vouched.subject);
  const isNothing = !arrival.isServerOwner && roles.length === 0;
  if (before === undefined && isNothing) return { member: undefined, before };
  const id = before?.id ?? (await addVouched(write, arrival));
  const isServerOwner = arrival.isServerOwner || (before !== undefined && (await isLastOwner(write, before)));
  await write.run(SET_VOUCHED, { id, isServerOwner, provider: vouched.provider });
  await write.run(TAKE_ROLES, { id });
  for (const { organizationId, role } of roles) await write.run(PUT_ROLE, { id, organizationId, role });
  if (isNothing && !isServerOwner) await write.run(END_SESSIONS, { id });
  return { member: await find(write, id), before };
}

async function addVouched(write: Queries, { id, names, vouched, createdAt }: Arrival): Promise<string> {
  let free = { name: id, nameKey: id };
  for (const each of names.toReversed())
    if ((await write.get(NAMED, { nameKey: each.nameKey })) === undefined) free = each;
  await write.run(ADD_VOUCHED, { id, ...free, createdAt, ...vouched });
  return id;
}

const redeemFirst = (
  database: Database,
  { hash }: StoredLink,
  owner: Member,
  nameKey: string,
  passwordHash: string,
): Promise<boolean> =>
  asOneOf(database, async (write) => {
    if ((await hasServerOwner(write)) || (await write.run(TAKE_LINK, { hash })) === 0) return false;
    await insert(write, owner, nameKey, passwordHash);
    return true;
  });
