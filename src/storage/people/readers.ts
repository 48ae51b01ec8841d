import type { ReaderSession, ReaderSessionStore, SiteSecretStore } from "@docent/people/readers/stores";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";
import { all, run, type Sql } from "../sql/sql.ts";
import { insertInto, insertWhere, namesIn, select, statement } from "../sql/statement.ts";
import { readerSecrets, readerSessions } from "../tables/people.ts";
import { noteUses, usesJson } from "./used.ts";

/** Two that are made at the same time are counted one behind the other. */
const LOCK_SITE = statement(({ onPostgres }) =>
  onPostgres("SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE"),
);
const ADD_SECRET = statement(
  insertWhere(readerSecrets, "WHERE (SELECT count(*) FROM reader_secrets WHERE site_id = $siteId) < $most"),
);
const SECRETS = select(
  readerSecrets,
  namesIn(readerSecrets),
  "FROM reader_secrets WHERE site_id = $siteId ORDER BY created_at, id",
);
const END_SECRET = statement("DELETE FROM reader_secrets WHERE site_id = $siteId AND id = $id");
const SECRET_USED = noteUses("reader_secrets");

/** What sites sign their readers' tokens with. */
export function createSiteSecretStore(sql: Sql): SiteSecretStore {
  return {
    add: (secret, most) =>
      sql.inOneWrite(function* () {
        yield* all(LOCK_SITE, { siteId: secret.siteId });
        return (yield* run(ADD_SECRET, { ...secret, most })) === 1;
      }),
    async list(siteId) {
      return (await sql.all(SECRETS, { siteId })).map(fieldsOf);
    },
    async end(siteId, id) {
      return (await sql.run(END_SECRET, { siteId, id })) > 0;
    },
    async touch(uses) {
      await sql.run(SECRET_USED, { usesJson: usesJson(uses) });
    },
  };
}

/** All but the secret's hash. */
const SESSION = [
  "id",
  "provider",
  "sid",
  "issuer",
  "subject",
  "name",
  "groupsJson",
  "createdAt",
  "lastUsedAt",
  "expiresAt",
] as const;
const FIND = select(readerSessions, SESSION, "FROM reader_sessions WHERE secret_hash = $hash");
const FIND_BY_ID = select(readerSessions, SESSION, "FROM reader_sessions WHERE id = $id");
const END_OVER = statement(
  "DELETE FROM reader_sessions WHERE expires_at <= $now OR last_used_at <= $usedAfter",
);
const END_BEYOND = statement(
  ({ offset }) => `
  DELETE FROM reader_sessions WHERE id IN (
    SELECT id FROM reader_sessions WHERE issuer = $issuer AND subject = $subject
    ORDER BY last_used_at DESC, id DESC ${offset("$most")})`,
);
const ADD = statement(insertInto(readerSessions));
const END = statement("DELETE FROM reader_sessions WHERE id = $id");
const END_OF = statement(`
  DELETE FROM reader_sessions WHERE issuer = $issuer AND (CAST($sid AS text) IS NULL OR sid = $sid)
    AND (CAST($subject AS text) IS NULL OR subject = $subject)`);
const USED = noteUses("reader_sessions");

/** Browsers in which readers have signed in. */
export function createReaderSessionStore(sql: Sql): ReaderSessionStore {
  return {
    add(session, secretHash, { most, now, usedAfter }) {
      const { issuer, subject } = session.identity;
      return sql.inOneWrite(function* () {
        yield* run(END_OVER, { now, usedAfter });
        yield* run(END_BEYOND, { issuer, subject, most: most - 1 });
        yield* run(ADD, { ...fromReaderSession(session), secretHash });
      });
    },
    async find(hash) {
      const row = await sql.get(FIND, { hash });
      return row && toReaderSession(row);
    },
    async findById(id) {
      const row = await sql.get(FIND_BY_ID, { id });
      return row && toReaderSession(row);
    },
    async end(id) {
      await sql.run(END, { id });
    },
    endOf: ({ issuer, sid, subject }) => sql.run(END_OF, { issuer, sid, subject }),
    async touch(uses) {
      await sql.run(USED, { usesJson: usesJson(uses) });
    },
  };
}

/** A reader's session, with whom the provider vouched for. */
interface ReaderSessionRow extends RowOf<Omit<ReaderSession, "identity">> {
  issuer: string;
  subject: string;
  name: string | null;
  groupsJson: string;
}

const toReaderSession = ({
  issuer,
  subject,
  name,
  groupsJson,
  sid,
  ...row
}: ReaderSessionRow): ReaderSession => ({
  ...row,
  sid: sid ?? undefined,
  identity: { issuer, subject, name: name ?? undefined, groups: readStrings(groupsJson) },
});

const fromReaderSession = ({ identity, sid, ...session }: ReaderSession): ReaderSessionRow => ({
  ...session,
  sid: sid ?? null,
  issuer: identity.issuer,
  subject: identity.subject,
  name: identity.name ?? null,
  groupsJson: JSON.stringify(identity.groups),
});
