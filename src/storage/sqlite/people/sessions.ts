import type { Database } from "bun:sqlite";
import type { Session, SessionStore } from "../../../members/sessions.ts";
import { type MemberRow, toMember } from "../../rows.ts";
import { MEMBER_COLUMNS } from "./members.ts";

interface SessionRow {
  session_id: string;
  member_id: string;
  began_at: number;
  last_used_at: number;
  address: string;
  agent: string;
}

const COLUMNS = `member_sessions.id AS session_id, member_sessions.member_id, member_sessions.created_at AS began_at,
  member_sessions.last_used_at, member_sessions.address, member_sessions.agent`;

const ADD = `INSERT INTO member_sessions (id, secret_hash, member_id, created_at, last_used_at, address, agent)
  SELECT ?, ?, id, ?, ?, ?, ? FROM members WHERE id = ? AND password_hash = ?`;
const END_BEYOND = `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE member_id = ?
  ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`;
const SEEN = `UPDATE members SET last_seen_at = max(coalesce(last_seen_at, 0), ?)
  WHERE id = (SELECT member_id FROM member_sessions WHERE id = ?)`;

export function createSessionStore(database: Database): SessionStore {
  const bySecret = database.query<SessionRow & MemberRow, [string]>(
    `SELECT ${COLUMNS}, ${MEMBER_COLUMNS} FROM member_sessions JOIN members ON members.id = member_id
     WHERE secret_hash = ?`,
  );
  const seen = database.query(SEEN);

  return {
    async add({ id, memberId, createdAt, lastUsedAt, address, agent }, secretHash, given) {
      const { passwordHash, most, bounds } = given;
      return database
        .transaction(() => {
          database
            .query("DELETE FROM member_sessions WHERE created_at <= ? OR last_used_at <= ?")
            .run(bounds.createdAfter, bounds.usedAfter);
          database.query(END_BEYOND).run(memberId, most - 1);
          const { changes } = database
            .query(ADD)
            .run(id, secretHash, createdAt, lastUsedAt, address, agent, memberId, passwordHash);
          if (changes === 1) seen.run(lastUsedAt, id);
          return changes === 1;
        })
        .immediate();
    },

    async find(secretHash) {
      const row = bySecret.get(secretHash);
      return row === null ? undefined : { session: toSession(row), member: toMember(row) };
    },

    async list(memberId) {
      return database
        .query<SessionRow, [string]>(
          `SELECT ${COLUMNS} FROM member_sessions WHERE member_id = ? ORDER BY last_used_at DESC, id DESC`,
        )
        .all(memberId)
        .map(toSession);
    },

    async end(memberId, id) {
      const end = database.query("DELETE FROM member_sessions WHERE member_id = ? AND id = ?");
      return end.run(memberId, id).changes === 1;
    },

    async touch(uses) {
      const update = database.query(
        "UPDATE member_sessions SET last_used_at = max(last_used_at, ?) WHERE id = ?",
      );
      database
        .transaction(() => {
          for (const [id, at] of uses) {
            update.run(at, id);
            seen.run(at, id);
          }
        })
        .immediate();
    },
  };
}

function toSession(row: SessionRow): Session {
  return {
    id: row.session_id,
    memberId: row.member_id,
    createdAt: row.began_at,
    lastUsedAt: row.last_used_at,
    address: row.address,
    agent: row.agent,
  };
}
