import type { AdminKeyStore } from "@docent/people/keys/admin-keys";
import type { AssistantKey, KeyStore } from "@docent/people/keys/keys";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readNumbers, readStrings } from "../rows/json.ts";
import { run, runEach, type Sql } from "../sql/sql.ts";
import { columns, insertInto, type Statement, select, statement } from "../sql/statement.ts";
import { adminKeys, assistantKeySites, assistantKeys } from "../tables/people.ts";
import { noteUses, usesJson } from "./used.ts";

type KeyRow = RowOf<Omit<AssistantKey, "siteIds" | "addresses">> & { addressesJson: string; siteIds: string };

/** Keys with the sites that they name. */
const keys = (rest: string): Statement<KeyRow> =>
  statement(
    (d) => `
  SELECT ${columns(assistantKeys)}, (
    SELECT ${d.jsonOf("site_id", "site_id")} FROM assistant_key_sites WHERE key_id = assistant_keys.id) AS "siteIds"
  FROM assistant_keys ${rest}`,
  );

const LIST = keys("ORDER BY created_at, id");
const FIND = keys("WHERE key = $key");
const ADD = statement(insertInto(assistantKeys));
const ADD_SITE = statement(insertInto(assistantKeySites));
const REVOKE = statement("UPDATE assistant_keys SET revoked_at = $at WHERE id = $id AND revoked_at IS NULL");
const NOTE_USES = noteUses("assistant_keys");

/** Assistant keys, which every question is asked with. */
export function createKeyStore(sql: Sql): KeyStore {
  return {
    add: ({ siteIds, addresses, ...key }) =>
      sql.inOneWrite(function* () {
        yield* run(ADD, { ...key, addressesJson: JSON.stringify(addresses) });
        yield* runEach(
          ADD_SITE,
          siteIds.map((siteId) => ({ keyId: key.id, siteId })),
        );
      }),
    async list() {
      return (await sql.all(LIST)).map(toKey);
    },
    async find(key) {
      const row = await sql.get(FIND, { key });
      return row && toKey(row);
    },
    async revoke(id, at) {
      await sql.run(REVOKE, { id, at });
    },
    async touch(uses) {
      await sql.run(NOTE_USES, { usesJson: usesJson(uses) });
    },
  };
}

const toKey = ({ addressesJson, siteIds, allSites, ...row }: KeyRow): AssistantKey => ({
  ...fieldsOf(row),
  allSites: allSites === 1,
  siteIds: readNumbers(siteIds),
  addresses: readStrings(addressesJson),
});

const SHOWN = [
  "id",
  "name",
  "organizationId",
  "mayWrite",
  "createdAt",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
] as const;
const LIST_ADMIN = select(adminKeys, SHOWN, "FROM admin_keys ORDER BY created_at, id");
const FIND_ADMIN = select(adminKeys, SHOWN, "FROM admin_keys WHERE key_hash = $hash");
const ADD_ADMIN = statement(insertInto(adminKeys));
const REVOKE_ADMIN = statement(
  "UPDATE admin_keys SET revoked_at = $at WHERE id = $id AND revoked_at IS NULL",
);
const NOTE_ADMIN_USES = noteUses("admin_keys");

/** Admin keys, of which the hash alone is kept. */
export function createAdminKeyStore(sql: Sql): AdminKeyStore {
  return {
    async add(key, keyHash) {
      await sql.run(ADD_ADMIN, { ...key, keyHash });
    },
    async list() {
      return (await sql.all(LIST_ADMIN)).map(fieldsOf);
    },
    async find(hash) {
      const row = await sql.get(FIND_ADMIN, { hash });
      return row && fieldsOf(row);
    },
    async revoke(id, at) {
      await sql.run(REVOKE_ADMIN, { id, at });
    },
    async touch(uses) {
      await sql.run(NOTE_ADMIN_USES, { usesJson: usesJson(uses) });
    },
  };
}
