import { Database } from "bun:sqlite";
import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { INDEX_WORKS } from "./index-works.ts";
import { openStorageAt } from "./test-storage.ts";

// A program for index-crash.slow.ts: does something to the keyword index of a data directory, and leaves in another a copy
// of every state that a process leaves which dies meanwhile, called by the statement that ends the state. With a number, it
// does not copy: it is killed before the statement of that number.
const [directory = "", word = "", pages = "{}", copies = "", last = "0"] = process.argv.slice(2);
const work = z.enum(["upgrade", "run", "merge", "rollback"]).parse(word);

let statements = 0;
let isCounting = false;
const { prepare, query, run } = Database.prototype;

/** What another process sees now: which transactions have ended, and which files lie beside the database. */
function openSeen(): () => string {
  const version = query.call(new Database(join(directory, DATABASE_FILE)), "PRAGMA data_version");
  const get = version.get.bind(version);
  return () => JSON.stringify([get(), readdirSync(directory, { recursive: true })]);
}

/** Copies what the process would leave before each statement; the last copy before a change shows most of what is undone. */
function openCopying() {
  const seen = openSeen();
  const copy = join(copies, "next");
  let before = seen();
  const keep = () => {
    const now = seen();
    if (now !== before) renameSync(copy, join(copies, String(statements)));
    before = now;
  };
  return {
    before() {
      if (statements > 0) keep();
      rmSync(copy, { recursive: true, force: true });
      cpSync(directory, copy, { recursive: true });
    },
    end() {
      keep();
      cpSync(directory, join(copies, String(statements + 1)), { recursive: true });
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

/** Every statement is a moment at which a process may die, those inside a transaction too. */
function countStatements(moment: () => void): void {
  const known = new WeakSet<object>();
  const counted = <Given extends unknown[], Result>(work: (...given: Given) => Result) =>
    function (this: unknown, ...given: Given): Result {
      if (isCounting) moment();
      return work.apply(this, given);
    };
  const countedStatement = (make: typeof prepare | typeof query) =>
    function (this: Database, sql: string) {
      const statement = make.call(this, sql);
      if (known.has(statement)) return statement;
      known.add(statement);
      for (const name of ["run", "get", "all", "values"] as const)
        Object.assign(statement, { [name]: counted(statement[name]) });
      return statement;
    };
  Object.assign(Database.prototype, {
    run: counted(run),
    prepare: countedStatement(prepare),
    query: countedStatement(query),
  });
}

const copying = last === "0" ? openCopying() : undefined;
countStatements(() => {
  copying?.before();
  if (++statements === Number(last)) process.kill(process.pid, "SIGKILL");
});
isCounting = work === "upgrade";
// What is killed leaves the same each time: a backup before an upgrade is called by its time.
const storage = await openStorageAt(directory, { now: TEST_TIME });
isCounting = true;
await INDEX_WORKS[work](storage, JSON.parse(pages));
isCounting = false;
copying?.end();
storage.close();
