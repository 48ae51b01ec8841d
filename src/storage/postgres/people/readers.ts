import type { ReaderSessionStore, SiteSecret, SiteSecretStore } from "../../../readers/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { fromReaderSession, type ReaderSessionRow, toReaderSession } from "../../rows/people/readers.ts";
import type { Database } from "../database/database.ts";

/** Two that are made at the same time are counted one behind the other. */
const LOCK_SITE = "SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE";
const ADD_SECRET = `
  INSERT INTO reader_secrets (id, site_id, secret, created_at, last_used_at)
  SELECT $id::text, $siteId::int, $secret::text, $createdAt::bigint, $lastUsedAt::bigint
  WHERE (SELECT count(*) FROM reader_secrets WHERE site_id = $siteId) < $most`;
const SECRETS = `
  SELECT id, site_id, secret, created_at, last_used_at FROM reader_secrets WHERE site_id = $siteId
  ORDER BY created_at, id`;
const END_SECRET = "DELETE FROM reader_secrets WHERE site_id = $siteId AND id = $id";
const SECRET_USED = `
  UPDATE reader_secrets SET last_used_at = greatest(coalesce(last_used_at, 0), used.at)
  FROM unnest($ids::text[], $times::bigint[]) AS used (id, at) WHERE reader_secrets.id = used.id`;

/** What sites sign their readers' tokens with. */
export function createSiteSecretStore(database: Database): SiteSecretStore {
  return {
    add: ({ lastUsedAt = null, ...secret }, most) =>
      database.inOneWrite(async (write) => {
        const { siteId } = secret;
        await write.all(LOCK_SITE, { siteId });
        return (await write.run(ADD_SECRET, { ...secret, lastUsedAt, most })) === 1;
      }),
    async list(siteId) {
      return (await database.all<RowOf<SiteSecret>>(SECRETS, { siteId })).map(fieldsOf);
    },
    async end(siteId, id) {
      return (await database.run(END_SECRET, { siteId, id })) > 0;
    },
    async touch(uses) {
      await database.run(SECRET_USED, { ids: [...uses.keys()], times: [...uses.values()] });
    },
  };
}

const SESSIONS = `
  SELECT id, provider, sid, issuer, subject, name, groups_json, created_at, last_used_at, expires_at
  FROM reader_sessions`;
const END_OVER = "DELETE FROM reader_sessions WHERE expires_at <= $now OR last_used_at <= $usedAfter";
const END_BEYOND = `
  DELETE FROM reader_sessions WHERE id IN (
    SELECT id FROM reader_sessions WHERE issuer = $issuer AND subject = $subject
    ORDER BY last_used_at DESC, id DESC OFFSET $most)`;
const ADD = `
  INSERT INTO reader_sessions (id, secret_hash, provider, sid, issuer, subject, name, groups_json, created_at,
    last_used_at, expires_at)
  VALUES ($id, $secretHash, $provider, $sid, $issuer, $subject, $name, $groupsJson, $createdAt, $lastUsedAt, $expiresAt)`;
const END_OF = `
  DELETE FROM reader_sessions WHERE issuer = $issuer AND ($sid::text IS NULL OR sid = $sid)
    AND ($subject::text IS NULL OR subject = $subject)`;
const USED = `
  UPDATE reader_sessions SET last_used_at = greatest(last_used_at, used.at)
  FROM unnest($ids::text[], $times::bigint[]) AS used (id, at) WHERE reader_sessions.id = used.id`;

/** Browsers in which readers have signed in. */
export function createReaderSessionStore(database: Database): ReaderSessionStore {
  return {
    async add(session, secretHash, { most, now, usedAfter }) {
      const { issuer, subject } = session.identity;
      await database.inOneWrite(async (write) => {
        await write.run(END_OVER, { now, usedAfter });
        await write.run(END_BEYOND, { issuer, subject, most: most - 1 });
        await write.run(ADD, { ...fromReaderSession(session), secretHash });
      });
    },
    async find(hash) {
      const row = await database.get<ReaderSessionRow>(`${SESSIONS} WHERE secret_hash = $hash`, { hash });
      return row && toReaderSession(row);
    },
    async findById(id) {
      const row = await database.get<ReaderSessionRow>(`${SESSIONS} WHERE id = $id`, { id });
      return row && toReaderSession(row);
    },
    async end(id) {
      await database.run("DELETE FROM reader_sessions WHERE id = $id", { id });
    },
    endOf: ({ issuer, sid = null, subject = null }) => database.run(END_OF, { issuer, sid, subject }),
    async touch(uses) {
      await database.run(USED, { ids: [...uses.keys()], times: [...uses.values()] });
    },
  };
}
