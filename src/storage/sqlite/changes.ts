import type { OwnSites } from "../people/people.ts";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

/** What this process itself has written of what it keeps in memory: SQLite tells a connection of the others' writes alone. */
export interface OwnChanges {
  note(): void;
  count(): number;
}

export function createOwnChanges(): OwnChanges {
  let noted = 0;
  return {
    note() {
      noted++;
    },
    count: () => noted,
  };
}

const DATA_VERSION = statement<{ data_version: number }>("PRAGMA data_version");
const REMOVE = statement("DELETE FROM sites WHERE id = $id");

/** How sites change: what belongs to one goes with it. */
export function createOwnSites(sql: Sql, changes: OwnChanges): OwnSites {
  return {
    // biome-ignore lint/correctness/useYield: on SQLite there is nothing to run.
    *noteChange() {
      changes.note();
    },
    revision: async () => `${(await sql.get(DATA_VERSION))?.data_version}.${changes.count()}`,
    async remove(id) {
      await sql.run(REMOVE, { id });
      changes.note();
    },
  };
}
