import type { Database } from "bun:sqlite";
import { and, asc, eq, type InferSelectModel, inArray, isNull, sql } from "drizzle-orm";
import type { AssistantKey, KeyStore } from "../keys/keys.ts";
import { typed } from "./open.ts";
import { assistantKeySites, assistantKeys, readStrings } from "./tables.ts";

export function createKeyStore(database: Database): KeyStore {
  const db = typed(database);
  const byKey = db
    .select()
    .from(assistantKeys)
    .where(eq(assistantKeys.key, sql.placeholder("key")))
    .prepare();

  function withSites(rows: InferSelectModel<typeof assistantKeys>[]): AssistantKey[] {
    const ids = rows.filter((row) => !row.allSites).map((row) => row.id);
    const links =
      ids.length === 0
        ? []
        : db.select().from(assistantKeySites).where(inArray(assistantKeySites.keyId, ids)).all();
    return rows.map((row) =>
      toKey(
        row,
        links.filter((link) => link.keyId === row.id).map((link) => link.siteId),
      ),
    );
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
      return withSites(
        db.select().from(assistantKeys).orderBy(asc(assistantKeys.createdAt), asc(assistantKeys.id)).all(),
      );
    },

    async find(key) {
      const row = byKey.get({ key });
      return row && withSites([row])[0];
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

function toKey(row: InferSelectModel<typeof assistantKeys>, siteIds: number[]): AssistantKey {
  const { addressesJson, ...rest } = row;
  return {
    ...rest,
    siteIds,
    addresses: readStrings(addressesJson),
    expiresAt: row.expiresAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
    lastUsedAt: row.lastUsedAt ?? undefined,
  };
}
