import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";

/** The same connection for queries over the tables of `sql/tables.ts`. */
export const typed = (database: Database) => drizzle(database);

export type TypedDatabase = ReturnType<typeof typed>;
