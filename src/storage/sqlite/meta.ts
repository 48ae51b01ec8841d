import type { Database } from "bun:sqlite";
import type { MetaStore } from "../storage.ts";

export function createMetaStore(database: Database, { isReadOnly = false } = {}): MetaStore {
  const find = database.query<{ value: string }, [string]>("SELECT value FROM meta WHERE name = ?");
  const add = database.query("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    getOrAdd(name, make) {
      if (!isReadOnly && find.get(name) === null) add.run(name, make());
      return find.get(name)?.value ?? make();
    },
  };
}
