import type { SessionStore } from "@docent/people/members/stores";
import { type MemberRow, type SessionRow, toMember, toSession } from "../people-rows/members.ts";
import { run, type Sql } from "../sql/sql.ts";
import { insertWhere, statement } from "../sql/statement.ts";
import { memberSessions } from "../tables/people.ts";
import { memberColumns } from "./members.ts";
import { noteUses, usedIn, usesJson } from "./used.ts";

const SESSION = `member_sessions.id AS "sessionId", member_sessions.member_id AS "memberId",
  member_sessions.created_at AS "beganAt", member_sessions.last_used_at AS "lastUsedAt", member_sessions.address,
  member_sessions.agent, member_sessions.provider, member_sessions.sid, member_sessions.id_token AS "idToken",
  member_sessions.ends_at AS "endsAt"`;
const BY_SECRET = statement<SessionRow & MemberRow>(
  (d) => `
  SELECT ${SESSION}, ${memberColumns(d)}
  FROM member_sessions JOIN members ON members.id = member_id WHERE secret_hash = $secretHash`,
);
const LIST = statement<SessionRow>(
  `SELECT ${SESSION} FROM member_sessions WHERE member_id = $memberId ORDER BY last_used_at DESC, id DESC`,
);
const END_OLD = statement(
  "DELETE FROM member_sessions WHERE created_at <= $createdAfter OR last_used_at <= $usedAfter OR ends_at <= $now",
);
const END_BEYOND = statement(
  ({ offset }) => `
  DELETE FROM member_sessions WHERE id IN (
    SELECT id FROM member_sessions WHERE member_id = $memberId ORDER BY last_used_at DESC, id DESC ${offset("$most")})`,
);
const ADD_BY_PASSWORD = statement(
  insertWhere(memberSessions, "FROM members WHERE id = $memberId AND password_hash = $passwordHash"),
);
const ADD_BY_VOUCHER = statement(
  insertWhere(
    memberSessions,
    "FROM members WHERE id = $memberId AND issuer = $issuer AND subject = $subject",
  ),
);
/** Of a subject all, where no session is named. */
const END_PROVIDED = statement(`
  DELETE FROM member_sessions WHERE provider IS NOT NULL AND (CAST($sid AS text) IS NULL OR sid = $sid) AND member_id IN
    (SELECT id FROM members WHERE issuer = $issuer AND (CAST($subject AS text) IS NULL OR subject = $subject))`);
/** Waits for whoever changes passwords now: they end the sessions of the old one, and this one has to be seen, or not begin. */
const WAIT = statement(({ onPostgres }) => onPostgres("LOCK TABLE members IN ROW EXCLUSIVE MODE"));
const END = statement("DELETE FROM member_sessions WHERE member_id = $memberId AND id = $id");
const USED = noteUses("member_sessions");
const SEEN = statement(
  (d) => `
  UPDATE members SET last_seen_at = ${d.greater("coalesce(last_seen_at, 0)", "seen.at")}
  FROM (SELECT member_id, max(used.at) AS at FROM ${usedIn(d)}
    JOIN member_sessions ON member_sessions.id = used.id GROUP BY member_id) AS seen
  WHERE members.id = seen.member_id`,
);

export function createSessionStore(sql: Sql): SessionStore {
  return {
    add: ({ provided, ...session }, secretHash, { proof, most, bounds }) =>
      sql.inOneWrite(function* () {
        yield* run(WAIT);
        yield* run(END_OLD, { ...bounds });
        yield* run(END_BEYOND, { memberId: session.memberId, most: most - 1 });
        const { provider, sid, idToken, endsAt } = provided ?? {};
        const add = "passwordHash" in proof ? ADD_BY_PASSWORD : ADD_BY_VOUCHER;
        const values = { ...session, secretHash, provider, sid, idToken, endsAt, ...proof };
        const isAdded = (yield* run(add, values)) === 1;
        const uses = new Map([[session.id, session.lastUsedAt]]);
        if (isAdded) yield* run(SEEN, { usesJson: usesJson(uses) });
        return isAdded;
      }),

    async find(secretHash) {
      const row = await sql.get(BY_SECRET, { secretHash });
      return row && { session: toSession(row), member: toMember(row) };
    },

    async list(memberId) {
      return (await sql.all(LIST, { memberId })).map(toSession);
    },

    async end(memberId, id) {
      return (await sql.run(END, { memberId, id })) > 0;
    },

    async endProvided({ issuer, subject, sid }) {
      return sid === undefined && subject === undefined ? 0 : sql.run(END_PROVIDED, { issuer, subject, sid });
    },

    touch: (uses) =>
      sql.inOneWrite(function* () {
        const used = { usesJson: usesJson(uses) };
        yield* run(USED, used);
        yield* run(SEEN, used);
      }),
  };
}
