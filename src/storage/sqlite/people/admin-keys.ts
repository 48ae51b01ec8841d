import type { Database } from "bun:sqlite";
import type { AdminKey, AdminKeyStore } from "../../../keys/admin-keys.ts";

interface Row {
  id: string;
  name: string;
  organization_id: string | null;
  may_write: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const COLUMNS = "id, name, organization_id, may_write, created_at, expires_at, revoked_at, last_used_at";

export function createAdminKeyStore(database: Database): AdminKeyStore {
  const byHash = database.query<Row, [string]>(`SELECT ${COLUMNS} FROM admin_keys WHERE key_hash = ?`);
  return {
    async add({ id, name, organizationId, mayWrite, createdAt, expiresAt }, hash) {
      database
        .query(
          `INSERT INTO admin_keys (id, name, key_hash, organization_id, may_write, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(id, name, hash, organizationId ?? null, mayWrite ? 1 : 0, createdAt, expiresAt ?? null);
    },

    async list() {
      return database
        .query<Row, []>(`SELECT ${COLUMNS} FROM admin_keys ORDER BY created_at, id`)
        .all()
        .map(toKey);
    },

    async find(hash) {
      const row = byHash.get(hash);
      return row === null ? undefined : toKey(row);
    },

    async revoke(id, at) {
      database.query("UPDATE admin_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").run(at, id);
    },

    async touch(uses) {
      const update = database.query(
        "UPDATE admin_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?",
      );
      database
        .transaction(() => {
          for (const [id, at] of uses) update.run(at, id);
        })
        .immediate();
    },
  };
}

function toKey(row: Row): AdminKey {
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id ?? undefined,
    mayWrite: row.may_write === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
