import { Database } from "bun:sqlite";
import { createIndexKeeper } from "../../src/finding/search/keyword-index/keyword-index.ts";
import { createGenerations } from "../../src/sites/ingest/generations.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { memoryReader } from "./memory-reader.ts";
import { openIngest } from "./open-ingest.ts";
import { sourceSpec } from "./page-data.ts";
import { quietLog } from "./test-log.ts";
import { type OpenStorage, openStorageAt } from "./test-storage.ts";

// A program for index-crash.slow.ts: does something to the keyword index of a data directory, and is killed before its
// statement of that number. At its end it says how many statements there were.
const [directory = "", work = "", pages = "{}", last = "0"] = process.argv.slice(2);

let statements = 0;
let isCounting = false;

/** Every statement is a moment at which a process may die, those inside a transaction too. */
function countStatements(): void {
  const { prepare, query, run } = Database.prototype;
  const known = new WeakSet<object>();
  const counted = <Given extends unknown[], Result>(work: (...given: Given) => Result) =>
    function (this: unknown, ...given: Given): Result {
      if (isCounting && ++statements === Number(last)) process.kill(process.pid, "SIGKILL");
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

const run = (storage: OpenStorage, generation: number) =>
  openIngest(storage, () => TEST_TIME).run({
    source: sourceSpec(1),
    reader: memoryReader(JSON.parse(pages)),
    generation,
    force: true,
    signal: new AbortController().signal,
  });

const WORKS: Record<string, (storage: OpenStorage) => Promise<unknown>> = {
  upgrade: async () => {},
  run: async (storage) => run(storage, (await storage.search.state(1)).generation),
  merge: (storage) =>
    createIndexKeeper({ store: storage.segments, log: quietLog() }).tidy(1, new AbortController().signal),
  async rollback(storage) {
    await createGenerations({ store: storage.generations }).rollBack(1);
    await run(storage, (await storage.search.state(1)).generation);
  },
};

countStatements();
isCounting = work === "upgrade";
// What is killed leaves the same each time; a backup before an upgrade is called by its time, and the next one is another.
const storage = await openStorageAt(directory, { now: last === "0" ? Date.now() : TEST_TIME });
isCounting = true;
await WORKS[work]?.(storage);
isCounting = false;
storage.close();
process.stdout.write(`${statements}\n`);
