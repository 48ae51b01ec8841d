import type { Database } from "bun:sqlite";
import { and, desc, eq, getTableColumns, lte, or, sql } from "drizzle-orm";
import type { SessionStore } from "../../../members/stores.ts";
import { type MemberRow, type SessionRow, toMember, toSession } from "../../rows/people/members.ts";
import { inOneWrite, memberSessions, typed } from "../tables.ts";
import { MEMBER_COLUMNS } from "./members.ts";

const BY_SECRET = `SELECT member_sessions.id AS sessionId, member_sessions.member_id AS memberId,
    member_sessions.created_at AS beganAt, member_sessions.last_used_at AS lastUsedAt, member_sessions.address,
    member_sessions.agent, ${MEMBER_COLUMNS}
  FROM member_sessions JOIN members ON members.id = member_id WHERE secret_hash = ?`;
const ADD = `INSERT INTO member_sessions (id, secret_hash, member_id, created_at, last_used_at, address, agent)
  SELECT ?, ?, id, ?, ?, ?, ? FROM members WHERE id = ? AND password_hash = ?`;
const END_BEYOND = `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE member_id = ?
  ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`;
const SEEN = `UPDATE members SET last_seen_at = max(coalesce(last_seen_at, 0), ?)
  WHERE id = (SELECT member_id FROM member_sessions WHERE id = ?)`;

export function createSessionStore(database: Database): SessionStore {
  const db = typed(database);
  const bySecret = database.query<SessionRow & MemberRow, [string]>(BY_SECRET);
  const seen = database.query(SEEN);
  const { secretHash: _, ...columns } = getTableColumns(memberSessions);
  const noteUse = db
    .update(memberSessions)
    .set({ lastUsedAt: sql`max(${memberSessions.lastUsedAt}, ${sql.placeholder("at")})` })
    .where(eq(memberSessions.id, sql.placeholder("id")))
    .prepare();

  return {
    async add({ id, memberId, createdAt, lastUsedAt, address, agent }, secretHash, given) {
      const { passwordHash, most, bounds } = given;
      const hasEnded = or(
        lte(memberSessions.createdAt, bounds.createdAfter),
        lte(memberSessions.lastUsedAt, bounds.usedAfter),
      );
      return inOneWrite(database, () => {
        db.delete(memberSessions).where(hasEnded).run();
        database.query(END_BEYOND).run(memberId, most - 1);
        const { changes } = database
          .query(ADD)
          .run(id, secretHash, createdAt, lastUsedAt, address, agent, memberId, passwordHash);
        if (changes === 1) seen.run(lastUsedAt, id);
        return changes === 1;
      });
    },

    async find(secretHash) {
      const row = bySecret.get(secretHash);
      return row === null ? undefined : { session: toSession(row), member: toMember(row) };
    },

    async list(memberId) {
      return db
        .select(columns)
        .from(memberSessions)
        .where(eq(memberSessions.memberId, memberId))
        .orderBy(desc(memberSessions.lastUsedAt), desc(memberSessions.id))
        .all();
    },

    async end(memberId, id) {
      const isTheirs = and(eq(memberSessions.memberId, memberId), eq(memberSessions.id, id));
      return (
        db.delete(memberSessions).where(isTheirs).returning({ id: memberSessions.id }).get() !== undefined
      );
    },

    async touch(uses) {
      inOneWrite(database, () => {
        for (const [id, at] of uses) {
          noteUse.run({ id, at });
          seen.run(at, id);
        }
      });
    },
  };
}
