import type { Database } from "bun:sqlite";
import { AppError } from "../../../errors.ts";
import type { Member } from "../../../members/member.ts";
import type { MemberStore, StoredLink, TakenAway } from "../../../members/stores.ts";
import { type MemberRow, toMember } from "../../rows.ts";
import { isTaken } from "../failures.ts";

/** The columns of a `MemberRow`, of the table `members`. */
export const MEMBER_COLUMNS = `members.id, members.name, members.is_server_owner, members.created_at,
  members.last_seen_at, members.password_hash IS NOT NULL AS is_active,
  (SELECT json_group_array(json_object('organizationId', organization_id, 'role', role) ORDER BY organization_id)
   FROM member_roles WHERE member_id = members.id) AS roles`;

interface LinkRow {
  link_hash: string;
  member_id: string | null;
  created_at: number;
  expires_at: number;
}

/** Another one than the named who owns the server and can sign in. */
const OTHER_OWNER =
  "SELECT 1 FROM members WHERE is_server_owner = 1 AND password_hash IS NOT NULL AND id <> ?";

export function createMemberStore(database: Database): MemberStore {
  const byKey = database.query<MemberRow & { password_hash: string | null }, [string]>(
    `SELECT ${MEMBER_COLUMNS}, password_hash FROM members WHERE name_key = ?`,
  );
  const byId = database.query<MemberRow, [string]>(`SELECT ${MEMBER_COLUMNS} FROM members WHERE id = ?`);

  function insert({ id, name, isServerOwner, createdAt }: Member, nameKey: string, passwordHash?: string) {
    try {
      database
        .query(
          `INSERT INTO members (id, name, name_key, is_server_owner, password_hash, created_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(id, name, nameKey, isServerOwner ? 1 : 0, passwordHash ?? null, createdAt);
    } catch (cause) {
      throw isTaken(cause)
        ? new AppError("conflict", `There is a member ${name} already.`, { cause })
        : cause;
    }
  }

  const putRole = (id: string, organizationId: string, role: string) =>
    database
      .query(
        `INSERT INTO member_roles (member_id, organization_id, role) SELECT id, ?, ? FROM members WHERE id = ?
         ON CONFLICT DO UPDATE SET role = excluded.role`,
      )
      .run(organizationId, role, id);

  const isLastOwner = ({ id, is_server_owner, is_active }: MemberRow) =>
    is_server_owner === 1 && is_active === 1 && database.query(OTHER_OWNER).get(id) === null;

  /** Takes something from a member, unless there is a reason against it. */
  function takeAway(
    id: string,
    reasonAgainst: (member: MemberRow) => Exclude<TakenAway, "done" | "missing"> | undefined,
    statement: string,
    ...values: string[]
  ): TakenAway {
    return database
      .transaction((): TakenAway => {
        const member = byId.get(id);
        if (member === null) return "missing";
        const reason = reasonAgainst(member);
        if (reason !== undefined) return reason;
        database.query(statement).run(id, ...values);
        return "done";
      })
      .immediate();
  }

  /** Uses a link up. False where that was done before. */
  const takeLink = (hash: string) =>
    database.query("DELETE FROM member_links WHERE link_hash = ?").run(hash).changes === 1;
  const endSessions = (id: string) =>
    database.query("DELETE FROM member_sessions WHERE member_id = ?").run(id);
  /** Whoever had it made could perhaps not give what the member becomes now. */
  const endLink = (id: string) => database.query("DELETE FROM member_links WHERE member_id = ?").run(id);
  const hasServerOwner = () =>
    database.query("SELECT 1 FROM members WHERE is_server_owner = 1").get() !== null;

  const makeServerOwner = (id: string): TakenAway =>
    database
      .transaction((): TakenAway => {
        const found = database.query("UPDATE members SET is_server_owner = 1 WHERE id = ?").run(id);
        endLink(id);
        return found.changes === 1 ? "done" : "missing";
      })
      .immediate();

  return {
    async add(member, nameKey) {
      database
        .transaction(() => {
          insert(member, nameKey);
          for (const { organizationId, role } of member.roles) putRole(member.id, organizationId, role);
        })
        .immediate();
    },

    async list() {
      return database
        .query<MemberRow, []>(`SELECT ${MEMBER_COLUMNS} FROM members ORDER BY name_key`)
        .all()
        .map(toMember);
    },

    async find(id) {
      const row = byId.get(id);
      return row === null ? undefined : toMember(row);
    },

    async findCredentials(nameKey) {
      const row = byKey.get(nameKey);
      return row === null
        ? undefined
        : { member: toMember(row), passwordHash: row.password_hash ?? undefined };
    },

    async hasServerOwner() {
      return hasServerOwner();
    },

    async giveRole(id, organizationId, role) {
      database
        .transaction(() => {
          const isNew = !database
            .query("SELECT 1 FROM member_roles WHERE member_id = ? AND organization_id = ?")
            .get(id, organizationId);
          putRole(id, organizationId, role);
          if (isNew) endLink(id);
        })
        .immediate();
    },

    async takeRole(id, organizationId) {
      return takeAway(
        id,
        (member) => {
          const { isServerOwner, roles } = toMember(member);
          const isAll = !isServerOwner && roles.every((role) => role.organizationId === organizationId);
          return isAll ? "left_with_nothing" : undefined;
        },
        "DELETE FROM member_roles WHERE member_id = ? AND organization_id = ?",
        organizationId,
      );
    },

    async setServerOwner(id, isServerOwner) {
      if (isServerOwner) return makeServerOwner(id);
      return takeAway(
        id,
        (member) => {
          if (isLastOwner(member)) return "last_owner";
          return toMember(member).roles.length === 0 ? "left_with_nothing" : undefined;
        },
        "UPDATE members SET is_server_owner = 0 WHERE id = ?",
      );
    },

    async remove(id) {
      return takeAway(
        id,
        (member) => (isLastOwner(member) ? "last_owner" : undefined),
        "DELETE FROM members WHERE id = ?",
      );
    },

    async putLink({ hash, memberId, createdAt, expiresAt }) {
      database
        .transaction(() => {
          database
            .query("DELETE FROM member_links WHERE coalesce(member_id, '') = ? OR expires_at <= ?")
            .run(memberId ?? "", createdAt);
          database
            .query(
              "INSERT INTO member_links (link_hash, member_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
            )
            .run(hash, memberId ?? null, createdAt, expiresAt);
        })
        .immediate();
    },

    async findLink(hash, now) {
      const row = database
        .query<LinkRow, [string, number]>("SELECT * FROM member_links WHERE link_hash = ? AND expires_at > ?")
        .get(hash, now);
      return row === null ? undefined : toLink(row);
    },

    async redeem({ hash, memberId }, passwordHash) {
      return database
        .transaction((id: string) => {
          if (!takeLink(hash)) return false;
          endSessions(id);
          return (
            database.query("UPDATE members SET password_hash = ? WHERE id = ?").run(passwordHash, id)
              .changes === 1
          );
        })
        .immediate(memberId ?? "");
    },

    async redeemFirst({ hash }, owner, nameKey, passwordHash) {
      return database
        .transaction(() => {
          if (hasServerOwner() || !takeLink(hash)) return false;
          insert(owner, nameKey, passwordHash);
          return true;
        })
        .immediate();
    },

    async changePassword(id, from, to) {
      return database
        .transaction(() => {
          const { changes } = database
            .query("UPDATE members SET password_hash = ? WHERE id = ? AND password_hash = ?")
            .run(to, id, from);
          if (changes === 1) endSessions(id);
          return changes === 1;
        })
        .immediate();
    },
  };
}

function toLink({ link_hash: hash, member_id, created_at, expires_at }: LinkRow): StoredLink {
  return { hash, memberId: member_id ?? undefined, createdAt: created_at, expiresAt: expires_at };
}
