import type { Database } from "bun:sqlite";
import { and, asc, eq, type InferSelectModel, isNull, sql } from "drizzle-orm";
import type { AdminKey, AdminKeyStore } from "../../../keys/admin-keys.ts";
import type { AssistantKey, KeyStore } from "../../../keys/keys.ts";
import { fieldsOf } from "../../rows/fields.ts";
import { readStrings } from "../../rows/json.ts";
import { adminKeys, assistantKeySites, assistantKeys } from "../../sql/tables/people.ts";
import { later } from "../later.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

/** Assistant keys, which every question is asked with. */
export function createKeyStore(database: Database): KeyStore {
  const db = typed(database);
  const byKey = later(() =>
    db
      .select()
      .from(assistantKeys)
      .where(eq(assistantKeys.key, sql.placeholder("key")))
      .prepare(),
  );
  const sitesOfKey = later(() =>
    db
      .select({ siteId: assistantKeySites.siteId })
      .from(assistantKeySites)
      .where(eq(assistantKeySites.keyId, sql.placeholder("keyId")))
      .prepare(),
  );
  const touch = prepareTouch(db, assistantKeys);

  function toKey({ addressesJson, ...row }: InferSelectModel<typeof assistantKeys>): AssistantKey {
    const siteIds = row.allSites ? [] : sitesOfKey.all({ keyId: row.id }).map(({ siteId }) => siteId);
    return { ...fieldsOf(row), siteIds, addresses: readStrings(addressesJson) };
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

    revoke: async (id, at) => revoke(db, assistantKeys, id, at),
    touch,
  };
}

/** Admin keys, of which the hash alone is kept. */
export function createAdminKeyStore(database: Database): AdminKeyStore {
  const db = typed(database);
  const byHash = later(() =>
    db
      .select()
      .from(adminKeys)
      .where(eq(adminKeys.keyHash, sql.placeholder("hash")))
      .prepare(),
  );
  const touch = prepareTouch(db, adminKeys);

  return {
    async add(key, keyHash) {
      db.insert(adminKeys)
        .values({ ...key, keyHash })
        .run();
    },

    async list() {
      const { createdAt, id } = adminKeys;
      return db.select().from(adminKeys).orderBy(asc(createdAt), asc(id)).all().map(toAdminKey);
    },

    async find(hash) {
      const row = byHash.get({ hash });
      return row && toAdminKey(row);
    },

    revoke: async (id, at) => revoke(db, adminKeys, id, at),
    touch,
  };
}

type KeyTable = typeof assistantKeys | typeof adminKeys;

function revoke(db: TypedDatabase, table: KeyTable, id: string, at: number): void {
  db.update(table)
    .set({ revokedAt: at })
    .where(and(eq(table.id, id), isNull(table.revokedAt)))
    .run();
}

/** Notes when keys were used last. A clock that was set back takes nothing back. */
function prepareTouch(db: TypedDatabase, table: KeyTable) {
  const lastUsedAt = sql`max(coalesce(${table.lastUsedAt}, 0), ${sql.placeholder("at")})`;
  const note = later(() =>
    db
      .update(table)
      .set({ lastUsedAt })
      .where(eq(table.id, sql.placeholder("id")))
      .prepare(),
  );
  return async (uses: ReadonlyMap<string, number>): Promise<void> => {
    inOneWrite(db.$client, () => {
      for (const [id, at] of uses) note.run({ id, at });
    });
  };
}

const toAdminKey = ({ keyHash: _, ...row }: InferSelectModel<typeof adminKeys>): AdminKey => fieldsOf(row);
