import type { Database } from "bun:sqlite";
import { sqliteDialect } from "../sql/dialect.ts";
import type { Runner, Sql, Steps } from "../sql/sql.ts";
import { listJson, type Statement, type Values } from "../sql/statement.ts";
import { isLocked, isTaken } from "./failures.ts";

type Bound = Record<string, BoundValue>;
type BoundValue = string | number | boolean | Uint8Array | null;

interface Prepared {
  all(values: Bound): unknown[];
  run(values: Bound): { changes: number };
}

/** The face of a SQLite database. A statement is prepared where it is used for the first time. */
export function createSqliteSql(database: Database): Sql {
  const runner = createRunner(database);
  const writeTogether = createWriteTogether(database);
  return {
    async all(statement, values = {}) {
      return runner.read(statement, values);
    },
    async get(statement, values = {}) {
      return runner.read(statement, values)[0];
    },
    async run(statement, values = {}) {
      return runner.write(statement, values);
    },
    async runRows(statement, values, rows) {
      inOneWrite(database, () => {
        for (const row of rows) runner.write(statement, { ...values, ...row });
      });
    },
    async inOneWrite(body) {
      return inOneWrite(database, () => runThrough(runner, body()));
    },
    together: {
      inOneWrite: (body) => writeTogether(() => runThrough(runner, body())),
      run: (statement, values = {}) => writeTogether(() => runner.write(statement, values)),
    },
    async inTurn(body) {
      return runThrough(runner, body());
    },
    rowsAtOnce: 500,
    isTaken,
    isLocked,
  };
}

interface SqliteRunner extends Runner<void> {
  read<Row>(statement: Statement<Row>, values: Values): Row[];
  write(statement: Statement<unknown>, values: Values): number;
}

function createRunner(database: Database): SqliteRunner {
  const known = new Map<Statement<unknown>, Prepared | undefined>();

  function prepared(statement: Statement<unknown>): Prepared | undefined {
    if (known.has(statement)) return known.get(statement);
    const text = statement.textFor(sqliteDialect);
    const made = text === "" ? undefined : database.prepare<unknown, Bound>(text);
    known.set(statement, made);
    return made;
  }

  const read = <Row>(statement: Statement<Row>, values: Values) =>
    statement.read(prepared(statement)?.all(bound(values)) ?? []);
  const write = (statement: Statement<unknown>, values: Values) =>
    prepared(statement)?.run(bound(values)).changes ?? 0;
  return {
    read,
    write,
    all: (statement, values, take) => take(read(statement, values)),
    run: (statement, values, take) => take(write(statement, values)),
    runEach(statement, each) {
      for (const values of each) write(statement, values);
    },
  };
}

function runThrough<R>(runner: Runner<void>, body: Steps<R>): R {
  let next = body.next();
  while (!next.done) {
    try {
      next.value(runner);
    } catch (error) {
      next = body.throw(error);
      continue;
    }
    next = body.next();
  }
  return next.value;
}

/** A list is JSON text, which statements read as rows, and undefined is NULL. Most values can stay as they are. */
function bound(values: Values): Bound {
  if (isBound(values)) return values;
  const all: Bound = {};
  for (const [name, value] of Object.entries(values))
    all[name] = isBoundValue(value) ? value : value === undefined ? null : listJson(value);
  return all;
}

function isBound(values: Values): values is Bound {
  for (const name in values) if (!isBoundValue(values[name])) return false;
  return true;
}

const isBoundValue = (value: Values[string]): value is BoundValue =>
  value !== undefined && !Array.isArray(value);

/** Does all of `work` or nothing, as the one writer from its beginning: what it reads first stays true. */
const inOneWrite = <R>(database: Database, work: () => R): R => database.transaction(work).immediate();

/** Runs a write within a transaction, and gives what it returned once it is committed. */
type WriteTogether = <T>(write: () => T) => Promise<T>;

/** The most writes in one transaction: so many short ones keep the thread for a few milliseconds. */
const TOGETHER_MAX = 32;

interface Waiting {
  run(): void;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Commits the writes that come at the same time together. A commit writes each page that was changed, so a hundred
 * questions at once cost little more than one does. A write that fails fails alone.
 */
export function createWriteTogether(database: Database): WriteTogether {
  let waiting: Waiting[] = [];
  const runAll = database.transaction((writes: readonly Waiting[]) => {
    for (const { run } of writes) run();
  });

  function commitSome(): void {
    const some = waiting.slice(0, TOGETHER_MAX);
    waiting = waiting.slice(TOGETHER_MAX);
    if (waiting.length > 0) setImmediate(commitSome);
    commit(some);
  }

  function commit(writes: readonly Waiting[]): void {
    try {
      runAll.immediate(writes);
    } catch (error) {
      const [only, ...others] = writes;
      if (others.length === 0) only?.fail(error);
      else for (const each of writes) commit([each]);
      return;
    }
    for (const { settle } of writes) settle();
  }

  return <T>(write: () => T) =>
    new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      waiting.push({
        run: () => {
          result = { value: write() };
        },
        settle: () => result && resolve(result.value),
        fail: reject,
      });
      if (waiting.length === 1) setImmediate(commitSome);
    });
}
