import type { Database } from "bun:sqlite";
import { later } from "../later.ts";

/**
 * A database that prepares a statement when it is used for the first time: the stores name two hundred, of which a
 * command runs a few, and a server most of them late.
 */
export function preparingWhenUsed(database: Database): Database {
  const query = database.query.bind(database);
  const prepare = database.prepare.bind(database);
  return Object.assign(database, {
    query: (sql: string) => later(() => query(sql)),
    prepare: (sql: string) => later(() => prepare(sql)),
  });
}
