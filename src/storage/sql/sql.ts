import type { Statement, Values } from "./statement.ts";

/** The one face of both databases, of which every store is made. */
export interface Sql {
  all<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]>;
  get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(statement: Statement<unknown>, values?: Values): Promise<number>;
  /** Writes rows, of which there may be many: the statement says `rows` of them. All or none. */
  runRows(statement: Statement<unknown>, values: Values, rows: readonly Values[]): Promise<void>;
  /** Does all of a body or nothing. What others do at the same time may make PostgreSQL begin it again. */
  inOneWrite<R>(body: () => Steps<R>): Promise<R>;
  /** The same for short writes that come by the hundred: SQLite commits those together that come at the same time. */
  together: Pick<Sql, "inOneWrite" | "run">;
  /** Statements that belong to no write. On SQLite nothing of this process comes between them. */
  inTurn<R>(body: () => Steps<R>): Promise<R>;
  /** How many rows may be read at once, where there are very many: on SQLite nothing else is done meanwhile. */
  rowsAtOnce: number;
  /** Whether a write failed because something of that name exists already. */
  isTaken(error: unknown): boolean;
  /** Whether something failed because another process has the database for itself, as on SQLite one may. */
  isLocked(error: unknown): boolean;
}

/**
 * What is done step by step. A body is a generator function, in which `yield* run(…)` takes the place of `await`: SQLite runs
 * through it without waiting, PostgreSQL waits at each step. So nothing else can be waited for within a write.
 */
export type Steps<R> = Generator<Step, R, void>;

type Step = <Done>(runner: Runner<Done>) => Done;

/** Runs a step, and hands over what came of it before it is done: at once, or when that is there. */
export interface Runner<Done> {
  all<Row>(statement: Statement<Row>, values: Values, take: (rows: Row[]) => void): Done;
  run(statement: Statement<unknown>, values: Values, take: (written: number) => void): Done;
  /** Runs a statement once for each; PostgreSQL is sent all of them together. */
  runEach(statement: Statement<unknown>, each: readonly Values[]): Done;
}

export function* all<Row>(statement: Statement<Row>, values: Values = {}): Steps<Row[]> {
  let found: Row[] = [];
  yield (runner) =>
    runner.all(statement, values, (rows) => {
      found = rows;
    });
  return found;
}

export function* get<Row>(statement: Statement<Row>, values: Values = {}): Steps<Row | undefined> {
  return (yield* all(statement, values))[0];
}

/** How many rows it wrote. */
export function* run(statement: Statement<unknown>, values: Values = {}): Steps<number> {
  let count = 0;
  yield (runner) =>
    runner.run(statement, values, (written) => {
      count = written;
    });
  return count;
}

export function* runEach(statement: Statement<unknown>, each: readonly Values[]): Steps<void> {
  yield (runner) => runner.runEach(statement, each);
}
