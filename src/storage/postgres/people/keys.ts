import type { AdminKey, AdminKeyStore } from "../../../keys/admin-keys.ts";
import type { AssistantKey, KeyStore } from "../../../keys/keys.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { readStrings } from "../../rows/json.ts";
import type { Database } from "../database/database.ts";

type KeyRow = RowOf<Omit<AssistantKey, "siteIds" | "addresses">> & {
  addressesJson: string;
  siteIds: number[];
};
type AdminKeyRow = RowOf<AdminKey>;

/** A key with the sites that it names. */
const KEYS = `
  SELECT id, organization_id, name, key, all_sites, addresses_json, created_at, expires_at, revoked_at, last_used_at,
    ARRAY(SELECT site_id FROM assistant_key_sites WHERE key_id = id ORDER BY site_id) AS site_ids
  FROM assistant_keys`;
const ADD = `
  INSERT INTO assistant_keys (id, organization_id, name, key, all_sites, addresses_json, created_at, expires_at,
    revoked_at, last_used_at)
  VALUES ($id, $organizationId, $name, $key, $allSites, $addressesJson, $createdAt, $expiresAt, $revokedAt, $lastUsedAt)`;
const ADD_SITES = `
  INSERT INTO assistant_key_sites (key_id, site_id) SELECT $id::text, site_id FROM unnest($siteIds::int[]) AS site_id`;
const ADMIN_KEYS = `
  SELECT id, name, organization_id, may_write, created_at, expires_at, revoked_at, last_used_at FROM admin_keys`;
const ADD_ADMIN = `
  INSERT INTO admin_keys (id, name, key_hash, organization_id, may_write, created_at, expires_at, revoked_at, last_used_at)
  VALUES ($id, $name, $keyHash, $organizationId, $mayWrite, $createdAt, $expiresAt, $revokedAt, $lastUsedAt)`;

/** Assistant keys, which every question is asked with. */
export function createKeyStore(database: Database): KeyStore {
  return {
    async add({ siteIds, addresses, ...key }) {
      await database.inOneWrite(async (write) => {
        await write.run(ADD, { ...nulled(key), addressesJson: JSON.stringify(addresses) });
        await write.run(ADD_SITES, { id: key.id, siteIds });
      });
    },
    async list() {
      return (await database.all<KeyRow>(`${KEYS} ORDER BY created_at, id`)).map(toKey);
    },
    async find(key) {
      const row = await database.get<KeyRow>(`${KEYS} WHERE key = $key`, { key });
      return row && toKey(row);
    },
    ...usesOf(database, "assistant_keys"),
  };
}

/** Admin keys, of which the hash alone is kept. */
export function createAdminKeyStore(database: Database): AdminKeyStore {
  return {
    async add(key, keyHash) {
      await database.run(ADD_ADMIN, { ...nulled(key), keyHash });
    },
    async list() {
      return (await database.all<AdminKeyRow>(`${ADMIN_KEYS} ORDER BY created_at, id`)).map(toAdminKey);
    },
    async find(hash) {
      const row = await database.get<AdminKeyRow>(`${ADMIN_KEYS} WHERE key_hash = $hash`, { hash });
      return row && toAdminKey(row);
    },
    ...usesOf(database, "admin_keys"),
  };
}

/** How the keys of a table end, and when they were used last. A clock that was set back takes nothing back. */
function usesOf(
  database: Database,
  table: "assistant_keys" | "admin_keys",
): Pick<KeyStore & AdminKeyStore, "revoke" | "touch"> {
  const revoke = `UPDATE ${table} SET revoked_at = $at WHERE id = $id AND revoked_at IS NULL`;
  const touch = `
    UPDATE ${table} SET last_used_at = greatest(coalesce(last_used_at, 0), used.at)
    FROM unnest($ids::text[], $times::bigint[]) AS used (id, at) WHERE ${table}.id = used.id`;
  return {
    async revoke(id, at) {
      await database.run(revoke, { id, at });
    },
    async touch(uses) {
      await database.run(touch, { ids: [...uses.keys()], times: [...uses.values()] });
    },
  };
}

/** What is not known is NULL. */
const nulled = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));

function toKey({ addressesJson, siteIds, allSites, ...row }: KeyRow): AssistantKey {
  return {
    ...fieldsOf(row),
    allSites: allSites === 1,
    siteIds: [...siteIds],
    addresses: readStrings(addressesJson),
  };
}

const toAdminKey = ({ mayWrite, ...row }: AdminKeyRow): AdminKey => ({
  ...fieldsOf(row),
  mayWrite: mayWrite === 1,
});
