import type { MetaStore } from "../storage.ts";
import type { Database } from "./database/database.ts";

const FIND = "SELECT value FROM meta WHERE name = $name";
const ADD = "INSERT INTO meta (name, value) VALUES ($name, $value) ON CONFLICT DO NOTHING";

export function createMetaStore(database: Database, { isReadOnly = false } = {}): MetaStore {
  const find = async (name: string) => (await database.get<{ value: string }>(FIND, { name }))?.value;
  return {
    async getOrAdd(name, make) {
      const found = await find(name);
      if (found !== undefined || isReadOnly) return found ?? make();
      await database.run(ADD, { name, value: make() });
      return (await find(name)) ?? make();
    },
  };
}
