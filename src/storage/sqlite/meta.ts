import type { Database } from "bun:sqlite";

/** Small facts about the whole database, by name. */
export function createMetaStore(database: Database, { isReadOnly = false } = {}) {
  const find = database.query<{ value: string }, [string]>("SELECT value FROM meta WHERE name = ?");
  const add = database.query("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    /** The value of that name; `make` gives it to the first who asks, and to everyone where it cannot be kept. */
    getOrAdd(name: string, make: () => string): string {
      if (!isReadOnly && find.get(name) === null) add.run(name, make());
      return find.get(name)?.value ?? make();
    },
  };
}
