import type { Database } from "bun:sqlite";
import { eq } from "drizzle-orm";
import type { MetaStore } from "../storage.ts";
import { meta, typed } from "./tables.ts";

export function createMetaStore(database: Database, { isReadOnly = false } = {}): MetaStore {
  const db = typed(database);
  const find = (name: string) => db.select().from(meta).where(eq(meta.name, name)).get()?.value;
  return {
    async getOrAdd(name, make) {
      if (!isReadOnly && find(name) === undefined)
        db.insert(meta).values({ name, value: make() }).onConflictDoNothing().run();
      return find(name) ?? make();
    },
  };
}
