import type { Sql } from "./sql/sql.ts";
import { select, statement } from "./sql/statement.ts";
import type { MetaStore } from "./storage.ts";
import { meta } from "./tables/people.ts";

const FIND = select(meta, ["value"], "FROM meta WHERE name = $name");
const ADD = statement("INSERT INTO meta (name, value) VALUES ($name, $value) ON CONFLICT DO NOTHING");

export function createMetaStore(sql: Sql, { isReadOnly = false } = {}): MetaStore {
  const find = async (name: string) => (await sql.get(FIND, { name }))?.value;
  return {
    async getOrAdd(name, make) {
      const found = await find(name);
      if (found !== undefined || isReadOnly) return found ?? make();
      await sql.run(ADD, { name, value: make() });
      return (await find(name)) ?? make();
    },
  };
}
