import { Database, type SQLQueryBindings as Value } from "bun:sqlite";
import type { Storage } from "../../src/storage/storage.ts";
import { queryNow } from "./postgres.ts";

/** A database, as far as tests ask it what is stored: in SQL that both kinds know, with ? for each value. */
interface AskedDatabase {
  query<Row, _Values = Value[]>(sql: string): Asked<Row>;
  run(sql: string, values?: Value[]): void;
}

interface Asked<Row> {
  all(...values: Value[]): Row[];
  get(...values: Value[]): Row | null;
  run(...values: Value[]): void;
}

/** The database of a storage, which the storage itself tells nobody of. */
export function databaseOf({ parts }: { parts: { storage: Storage } }): AskedDatabase {
  const { storage } = parts;
  if ("database" in storage && storage.database instanceof Database) return askSqlite(storage.database);
  if ("databaseName" in storage && typeof storage.databaseName === "string")
    return askPostgres(storage.databaseName);
  throw new Error("this storage has no database to ask");
}

const askSqlite = (database: Database): AskedDatabase => ({
  query<Row>(sql: string) {
    const statement = database.query<Row, Value[]>(sql);
    return {
      all: (...values) => statement.all(...values),
      get: (...values) => statement.get(...values),
      run: (...values) => void statement.run(...values),
    };
  },
  run: (sql, values = []) => void database.run(sql, values),
});

const askPostgres = (name: string): AskedDatabase => ({
  query<Row>(sql: string) {
    const all = (...values: Value[]) => queryNow<Row>(name, sql, values);
    return { all, get: (...values) => all(...values)[0] ?? null, run: (...values) => void all(...values) };
  },
  run: (sql, values = []) => void queryNow(name, sql, values),
});
