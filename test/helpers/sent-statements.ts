import { mock } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { postgresDialect } from "../../src/storage/sql/dialect.ts";
import type { Statement } from "../../src/storage/sql/statement.ts";

// Loaded before all tests (bunfig.toml). Where `DOCENT_TEST_STATEMENTS` names a folder, each process of tests writes down
// there which statements of the stores it had PostgreSQL run. Nothing is put in a statement's place: it is only watched.

const FOLDER = process.env["DOCENT_TEST_STATEMENTS"];
const STATEMENTS = join(import.meta.dir, "../../src/storage/sql/statement.ts");

/** Those that were made, once their modules are loaded: their texts may be put together of what a module says later. */
const made: Statement<unknown>[] = [];

/** What PostgreSQL is told in every statement of the modules that are loaded. It needs `DOCENT_TEST_STATEMENTS`. */
export const statementsOfStores = (): string[] =>
  made.map((statement) => statement.textFor(postgresDialect)).filter((text) => text !== "");

/** Whether a module of SQLite's own makes a statement now. */
const isOfSqlite = () => new Error().stack?.includes("/src/storage/sqlite/") === true;

function watched<Row>(statement: Statement<Row>, sent: (text: string) => void): Statement<Row> {
  if (!isOfSqlite()) made.push(statement);
  return {
    ...statement,
    textFor(dialect) {
      const text = statement.textFor(dialect);
      if (dialect === postgresDialect) sent(text);
      return text;
    },
  };
}

async function watch(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  const written = new Set<string>();
  const sent = (text: string) => {
    if (written.has(text)) return;
    written.add(text);
    // At once: a process of tests may be killed.
    appendFileSync(file, `${JSON.stringify(text)}\n`);
  };
  const own = { ...(await import("../../src/storage/sql/statement.ts")) };
  mock.module(STATEMENTS, () => ({
    ...own,
    statement: (...words: Parameters<typeof own.statement>) => watched(own.statement(...words), sent),
    select: (...words: Parameters<typeof own.select>) => watched(own.select(...words), sent),
  }));
}

if (FOLDER !== undefined) await watch(FOLDER);
