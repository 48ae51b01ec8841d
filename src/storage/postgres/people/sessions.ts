import type { SessionStore } from "../../../members/stores.ts";
import { type MemberRow, type SessionRow, toMember, toSession } from "../../rows/people/members.ts";
import type { Database } from "../database/database.ts";
import { MEMBER_COLUMNS } from "./members.ts";

const BY_SECRET = `
  SELECT member_sessions.id AS session_id, member_sessions.member_id, member_sessions.created_at AS began_at,
    member_sessions.last_used_at, member_sessions.address, member_sessions.agent, member_sessions.provider,
    member_sessions.sid, member_sessions.id_token, member_sessions.ends_at, ${MEMBER_COLUMNS}
  FROM member_sessions JOIN members ON members.id = member_id WHERE secret_hash = $secretHash`;
const LIST = `
  SELECT id AS session_id, member_id, created_at AS began_at, last_used_at, address, agent, provider, sid, id_token, ends_at
  FROM member_sessions WHERE member_id = $memberId
  ORDER BY last_used_at DESC, id DESC`;
const END_OLD =
  "DELETE FROM member_sessions WHERE created_at <= $createdAfter OR last_used_at <= $usedAfter OR ends_at <= $now";
const END_BEYOND = `
  DELETE FROM member_sessions WHERE id IN (
    SELECT id FROM member_sessions WHERE member_id = $memberId ORDER BY last_used_at DESC, id DESC OFFSET $most)`;
const ADD = `
  INSERT INTO member_sessions
    (id, secret_hash, member_id, created_at, last_used_at, address, agent, provider, sid, id_token, ends_at)
  SELECT $id::text, $secretHash::text, id, $createdAt::bigint, $lastUsedAt::bigint, $address::text, $agent::text,
    $provider::text, $sid::text, $idToken::text, $endsAt::bigint
  FROM members WHERE id = $memberId AND`;
const ADD_BY_PASSWORD = `${ADD} password_hash = $passwordHash`;
const ADD_BY_VOUCHER = `${ADD} issuer = $issuer AND subject = $subject`;
/** Of a subject all, where no session is named. */
const END_PROVIDED = `
  DELETE FROM member_sessions WHERE provider IS NOT NULL AND ($sid::text IS NULL OR sid = $sid::text) AND member_id IN
    (SELECT id FROM members WHERE issuer = $issuer AND ($subject::text IS NULL OR subject = $subject::text))`;
/** Waits for whoever changes passwords now: they end the sessions of the old one, and this one has to be seen, or not begin. */
const WAIT = "LOCK TABLE members IN ROW EXCLUSIVE MODE";
const END = "DELETE FROM member_sessions WHERE member_id = $memberId AND id = $id";
const USED = `
  UPDATE member_sessions SET last_used_at = greatest(last_used_at, used.at)
  FROM unnest($ids::text[], $times::bigint[]) AS used (id, at) WHERE member_sessions.id = used.id`;
const SEEN = `
  UPDATE members SET last_seen_at = greatest(coalesce(last_seen_at, 0), used.at)
  FROM (SELECT member_id, max(at) AS at FROM unnest($ids::text[], $times::bigint[]) AS each (id, at)
    JOIN member_sessions ON member_sessions.id = each.id GROUP BY member_id) AS used
  WHERE members.id = used.member_id`;

export function createSessionStore(database: Database): SessionStore {
  return {
    add: (
      { id, memberId, createdAt, lastUsedAt, address, agent, provided },
      secretHash,
      { proof, most, bounds },
    ) =>
      database.inOneWrite(async (write) => {
        await write.run(WAIT);
        await write.run(END_OLD, { ...bounds });
        await write.run(END_BEYOND, { memberId, most: most - 1 });
        const { provider = null, sid = null, idToken = null, endsAt = null } = provided ?? {};
        const session = {
          id,
          memberId,
          createdAt,
          lastUsedAt,
          address,
          agent,
          provider,
          sid,
          idToken,
          endsAt,
        };
        const add = "passwordHash" in proof ? ADD_BY_PASSWORD : ADD_BY_VOUCHER;
        const isAdded = (await write.run(add, { ...session, secretHash, ...proof })) === 1;
        if (isAdded) await write.run(SEEN, { ids: [id], times: [lastUsedAt] });
        return isAdded;
      }),

    async find(secretHash) {
      const row = await database.get<SessionRow & MemberRow>(BY_SECRET, { secretHash });
      return row && { session: toSession(row), member: toMember(row) };
    },

    async list(memberId) {
      return (await database.all<SessionRow>(LIST, { memberId })).map(toSession);
    },

    async end(memberId, id) {
      return (await database.run(END, { memberId, id })) > 0;
    },

    async endProvided({ issuer, subject = null, sid = null }) {
      return sid === null && subject === null ? 0 : database.run(END_PROVIDED, { issuer, subject, sid });
    },

    async touch(uses) {
      const used = { ids: [...uses.keys()], times: [...uses.values()] };
      await database.inOneWrite(async (write) => {
        await write.run(USED, used);
        await write.run(SEEN, used);
      });
    },
  };
}
