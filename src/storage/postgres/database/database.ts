import { SQL } from "bun";
import { createStatements, type Statements, type Values } from "./statements.ts";

export { readableJson, type Values } from "./statements.ts";

/** What runs statements: a connection of the pool for each, or the one of a transaction for all. */
export interface Queries {
  all<Row>(text: string, values?: Values): Promise<Row[]>;
  get<Row>(text: string, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(text: string, values?: Values): Promise<number>;
  /** Runs several statements that are given nothing. */
  script(text: string): Promise<void>;
}

/** A PostgreSQL database. Statements name what they are given: `$siteId`. Columns arrive as `siteId`. */
export interface Database extends Queries {
  /** Does all of `work` or nothing. Where it and others would wait for each other for good, it is done again. */
  inOneWrite<R>(work: (queries: Queries) => Promise<R>): Promise<R>;
  /** Another connection to it, apart from the pool. `onClose` is called when it ends, however it does. */
  connect(onClose: () => void): Connection;
  close(): Promise<void>;
}

export interface Connection extends Queries {
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** How many statements run at the same time. */
  connectionsMax: number;
  connectSecondsMax: number;
}

export function openDatabase({ url, connectionsMax, connectSecondsMax }: DatabaseOptions): Database {
  const statements = createStatements();
  const options = {
    connectionTimeout: connectSecondsMax,
    connection: { application_name: "docent" },
    transform: SQL.toCamel,
  };
  const pool = new SQL(url, { ...options, max: connectionsMax });
  return {
    ...queriesOn(pool, statements),
    inOneWrite: (work) => retried(() => pool.begin((within) => work(queriesOn(within, statements)))),
    connect(onClose) {
      const own = new SQL(url, { ...options, max: 1, onclose: onClose });
      return { ...queriesOn(own, statements), close: () => own.close({ timeout: 0 }) };
    },
    close: () => pool.close({ timeout: CLOSE_SECONDS_MAX }),
  };
}

/** Statements under way have so long to end. */
const CLOSE_SECONDS_MAX = 5;

function queriesOn(sql: Pick<SQL, "unsafe">, statements: Statements): Queries {
  async function all<Row>(text: string, values: Values = {}): Promise<Row[]> {
    const { positional, given } = statements.bind(text, values);
    return statements.read(await sql.unsafe<Row[]>(positional, given));
  }
  return {
    all,
    get: async <Row>(text: string, values?: Values) => (await all<Row>(text, values))[0],
    async run(text, values = {}) {
      const { positional, given } = statements.bind(text, values);
      return (await sql.unsafe<unknown[]>(positional, given)).affectedRows;
    },
    async script(text) {
      await sql.unsafe(text).simple();
    },
  };
}

/** Serialization failure and deadlock: PostgreSQL ends one of those that wait for each other, and asks it to try again. */
const AGAIN = new Set(["40001", "40P01"]);
const TRIES_MAX = 5;

async function retried<R>(work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES_MAX || !AGAIN.has(stateOf(error))) throw error;
    }
  }
}

/** The SQLSTATE of an error that PostgreSQL raised; empty for any other. */
export const stateOf = (error: unknown): string =>
  error instanceof SQL.PostgresError && error.errno !== undefined ? String(error.errno) : "";
