import type { Database } from "bun:sqlite";
import { and, desc, eq, getTableColumns, lte, or, sql } from "drizzle-orm";
import type { Session, SessionBounds, SessionProof, SessionStore } from "../../../members/stores.ts";
import { type MemberRow, type SessionRow, toMember, toSession } from "../../rows/people/members.ts";
import { memberSessions } from "../../sql/tables/people.ts";
import { later } from "../later.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";
import { MEMBER_COLUMNS } from "./members.ts";

const BY_SECRET = `SELECT member_sessions.id AS sessionId, member_sessions.member_id AS memberId,
    member_sessions.created_at AS beganAt, member_sessions.last_used_at AS lastUsedAt, member_sessions.address,
    member_sessions.agent, member_sessions.provider, member_sessions.sid, member_sessions.id_token AS idToken,
    member_sessions.ends_at AS endsAt, ${MEMBER_COLUMNS}
  FROM member_sessions JOIN members ON members.id = member_id WHERE secret_hash = ?`;
const ADD = `INSERT INTO member_sessions
    (id, secret_hash, member_id, created_at, last_used_at, address, agent, provider, sid, id_token, ends_at)
  SELECT ?, ?, id, ?, ?, ?, ?, ?, ?, ?, ? FROM members WHERE id = ? AND `;
const ADD_BY_PASSWORD = `${ADD} password_hash = ?`;
const ADD_BY_VOUCHER = `${ADD} issuer = ? AND subject = ?`;
/** Of a subject all, where no session is named. */
const END_PROVIDED = `DELETE FROM member_sessions
  WHERE (?1 IS NULL OR sid = ?1) AND member_id IN
    (SELECT id FROM members WHERE issuer = ?2 AND (?3 IS NULL OR subject = ?3)) AND provider IS NOT NULL`;
const END_BEYOND = `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE member_id = ?
  ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)`;
const SEEN = `UPDATE members SET last_seen_at = max(coalesce(last_seen_at, 0), ?)
  WHERE id = (SELECT member_id FROM member_sessions WHERE id = ?)`;

const prepareNoteUse = (db: TypedDatabase) =>
  later(() =>
    db
      .update(memberSessions)
      .set({ lastUsedAt: sql`max(${memberSessions.lastUsedAt}, ${sql.placeholder("at")})` })
      .where(eq(memberSessions.id, sql.placeholder("id")))
      .prepare(),
  );

export function createSessionStore(database: Database): SessionStore {
  const db = typed(database);
  const bySecret = database.query<SessionRow & MemberRow, [string]>(BY_SECRET);
  const seen = database.query(SEEN);
  const endProvided = database.query(END_PROVIDED);
  const { secretHash: _, ...columns } = getTableColumns(memberSessions);
  const noteUse = prepareNoteUse(db);

  return {
    async add(session, secretHash, given) {
      return inOneWrite(database, () => {
        db.delete(memberSessions).where(hasEnded(given.bounds)).run();
        database.query(END_BEYOND).run(session.memberId, given.most - 1);
        const isAdded = add(database, session, secretHash, given.proof);
        if (isAdded) seen.run(session.lastUsedAt, session.id);
        return isAdded;
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
        .all()
        .map(({ createdAt, id, ...row }) => toSession({ ...row, sessionId: id, beganAt: createdAt }));
    },

    async end(memberId, id) {
      const isTheirs = and(eq(memberSessions.memberId, memberId), eq(memberSessions.id, id));
      return (
        db.delete(memberSessions).where(isTheirs).returning({ id: memberSessions.id }).get() !== undefined
      );
    },

    async endProvided({ issuer, subject = null, sid = null }) {
      return sid === null && subject === null ? 0 : endProvided.run(sid, issuer, subject).changes;
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

const hasEnded = ({ createdAfter, usedAfter, now }: SessionBounds) =>
  or(
    lte(memberSessions.createdAt, createdAfter),
    lte(memberSessions.lastUsedAt, usedAfter),
    lte(memberSessions.endsAt, now),
  );

function add(database: Database, session: Session, secretHash: string, proof: SessionProof): boolean {
  const { id, memberId, createdAt, lastUsedAt, address, agent, provided } = session;
  const { provider = null, sid = null, idToken = null, endsAt = null } = provided ?? {};
  const fields = [id, secretHash, createdAt, lastUsedAt, address, agent, provider, sid, idToken, endsAt];
  const proofs = "passwordHash" in proof ? [proof.passwordHash] : [proof.issuer, proof.subject];
  const statement = database.query(proofs.length === 1 ? ADD_BY_PASSWORD : ADD_BY_VOUCHER);
  return statement.run(...fields, memberId, ...proofs).changes === 1;
}
