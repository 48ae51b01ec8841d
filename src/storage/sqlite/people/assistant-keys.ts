import type { Database } from "bun:sqlite";
import { and, asc, eq, type InferSelectModel, isNull, sql } from "drizzle-orm";
import type { AssistantKey, KeyStore } from "../../../keys/keys.ts";
import { readStrings } from "../../rows.ts";
import { assistantKeySites, assistantKeys, typed } from "../tables.ts";

export function createKeyStore(database: Database): KeyStore {
  const db = typed(database);
  const byKey = db
    .select()
    .from(assistantKeys)
    .where(eq(assistantKeys.key, sql.placeholder("key")))
    .prepare();
  const sitesOfKey = db
    .select({ siteId: assistantKeySites.siteId })
    .from(assistantKeySites)
    .where(eq(assistantKeySites.keyId, sql.placeholder("keyId")))
    .prepare();

  function toKey({ addressesJson, ...row }: InferSelectModel<typeof assistantKeys>): AssistantKey {
    return {
      ...row,
      siteIds: row.allSites ? [] : sitesOfKey.all({ keyId: row.id }).map(({ siteId }) => siteId),
      addresses: readStrings(addressesJson),
      expiresAt: row.expiresAt ?? undefined,
      revokedAt: row.revokedAt ?? undefined,
      lastUsedAt: row.lastUsedAt ?? undefined,
    };
  }

  return {
    async add({ siteIds, addresses, ...key }) {
      db.transaction((tx) => {
        tx.insert(assistantKeys)
          .values({ ...key, addressesJson: JSON.stringify(addresses) })
          .run();
        for (const siteId of siteIds) tx.insert(assistantKeySites).values({ keyId: key.id, siteId }).run();
      });
    },

    async list() {
      const { createdAt, id } = assistantKeys;
      return db.select().from(assistantKeys).orderBy(asc(createdAt), asc(id)).all().map(toKey);
    },

    async find(key) {
      const row = byKey.get({ key });
      return row && toKey(row);
    },

    async revoke(id, at) {
      db.update(assistantKeys)
        .set({ revokedAt: at })
        .where(and(eq(assistantKeys.id, id), isNull(assistantKeys.revokedAt)))
        .run();
    },

    async touch(uses) {
      const update = database.query(
        "UPDATE assistant_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?",
      );
      database
        .transaction(() => {
          for (const [id, at] of uses) update.run(at, id);
        })
        .immediate();
    },
  };
}
