import { postgresDialect } from "../sql/dialect.ts";
import type { Runner, Sql, Steps } from "../sql/sql.ts";
import { listJson, type Statement, type Values } from "../sql/statement.ts";
import type { Database, Queries } from "./database/database.ts";
import { isTaken } from "./failures.ts";

/** The face of a PostgreSQL database. */
export function createPostgresSql(database: Database): Sql {
  const runner = createRunner(database);
  const writing: Sql["together"] = {
    run: runner.write,
    inOneWrite: (body) => database.inOneWrite((write) => runThrough(createRunner(write), body())),
  };
  return {
    ...writing,
    together: writing,
    async runRows(statement, values, rows) {
      if (rows.length > 0) await runner.write(statement, { ...values, rowsJson: listJson(rows) });
    },
    all: runner.read,
    get: async (statement, values) => (await runner.read(statement, values))[0],
    inTurn: (body) => runThrough(runner, body()),
    rowsAtOnce: 5000,
    isTaken,
    isLocked: () => false,
  };
}

interface PostgresRunner extends Runner<Promise<void>> {
  read<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]>;
  write(statement: Statement<unknown>, values?: Values): Promise<number>;
}

function createRunner(queries: Queries): PostgresRunner {
  async function read<Row>(statement: Statement<Row>, values: Values = {}): Promise<Row[]> {
    const text = statement.textFor(postgresDialect);
    return text === "" ? [] : statement.read(await queries.all<unknown>(text, values));
  }
  async function write(statement: Statement<unknown>, values: Values = {}): Promise<number> {
    const text = statement.textFor(postgresDialect);
    return text === "" ? 0 : queries.run(text, values);
  }
  return {
    read,
    write,
    all: async (statement, values, take) => take(await read(statement, values)),
    run: async (statement, values, take) => take(await write(statement, values)),
    async runEach(statement, each) {
      await Promise.all(each.map((values) => write(statement, values)));
    },
  };
}

async function runThrough<R>(runner: Runner<Promise<void>>, body: Steps<R>): Promise<R> {
  let next = body.next();
  while (!next.done) {
    try {
      await next.value(runner);
    } catch (error) {
      next = body.throw(error);
      continue;
    }
    next = body.next();
  }
  return next.value;
}
