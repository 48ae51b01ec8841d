import { SQL } from "bun";
import type { Values } from "../../sql/statement.ts";
import { answered, stateOf } from "./answered.ts";
import { EndUnknown, saysNoEnd } from "./outlasting.ts";
import { createPool, type Pool, type Pooled } from "./pool.ts";
import { countConnections, keepsSessions } from "./sessions.ts";
import { createStatements, type Statements } from "./statements.ts";

export { isSilence, stateOf } from "./answered.ts";
export { outlasting } from "./outlasting.ts";
export type { Values };

/** What runs statements: a connection of the pool for each, or the one of a transaction for all. */
export interface Queries {
  all<Row>(text: string, values?: Values): Promise<Row[]>;
  get<Row>(text: string, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(text: string, values?: Values): Promise<number>;
}

/** What is done as a whole, or not at all. */
export interface Write extends Queries {
  /** Runs several statements that are given nothing, and may take as long as they like: a migration of much data does. */
  script(text: string): Promise<void>;
}

/** A PostgreSQL database. Statements name what they are given: `$siteId`. Columns arrive as `siteId`. */
export interface Database extends Queries {
  /** Does all of `work` or nothing. Where it and others would wait for each other for good, it is done again. */
  inOneWrite<R>(work: (write: Write) => Promise<R>): Promise<R>;
  /** Whether a connection is the same one from statement to statement, as locks and prepared statements need it. */
  keepsSessions(): Promise<boolean>;
  /** How many of so many connections beside those of the pool are had at the same time, and how many are not answered. */
  countConnections(wanted: number): Promise<{ had: number; silent: number }>;
  /** Another connection to it, apart from the pool. `onClose` is called when it ends, however it does. */
  connect(onClose: () => void): Connection;
  /** Leaves connections that may lead nowhere: those on which nothing runs, or all. Others are opened. */
  reconnect(which: "idle" | "all"): void;
  close(): Promise<void>;
}

export interface Connection extends Queries {
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** How many statements run at the same time. */
  connectionsMax: number;
  connectSecondsMax: number;
  /** Of a write that lost its connection at its end, `EndUnknown` says by what PostgreSQL knows it: whether it was kept. */
  namesWrites?: boolean | undefined;
}

/**
 * How long PostgreSQL may take for a statement: that reads, and that writes, which may have much to do; and how long this
 * server may be in the middle of a write, before PostgreSQL takes back what it has locked.
 */
const SILENCE = { readMs: 10_000, writeMs: 60_000, abandonedMs: 30_000 };

export function openDatabase(
  { url, connectionsMax, connectSecondsMax, namesWrites = false }: DatabaseOptions,
  silence = SILENCE,
): Database {
  const statements = createStatements();
  const options = {
    connectionTimeout: connectSecondsMax,
    connection: { application_name: "docent" },
    transform: SQL.toCamel,
  };
  const pool = createPool({
    open: (onclose) => new SQL(url, { ...options, max: 1, onclose }),
    connectionsMax,
    readyMs: silence.readMs,
  });

  const writing = { pool, silence, statements, isNamed: namesWrites };
  return {
    ...queriesOn(lentFrom(pool), statements, silence),
    inOneWrite: (work) =>
      retried(() => pool.with(silence.readMs, (pooled) => writeOn(pooled, { ...writing, work }))),
    async keepsSessions() {
      // Apart from the pool: what that tells its connections would stay behind on those that a pooler lends.
      const two = new SQL(url, { ...options, max: 2 });
      return answered(keepsSessions(two), silence.readMs).finally(() => two.close({ timeout: 0 }));
    },
    countConnections: (wanted) =>
      countConnections(() => new SQL(url, { ...options, max: 1 }), wanted, silence.readMs),
    connect(onClose) {
      const own = new SQL(url, { ...options, max: 1, onclose: onClose });
      return { ...queriesOn(ownOf(own), statements, silence), close: () => own.close({ timeout: 0 }) };
    },
    reconnect: pool.leaveSome,
    close: () => pool.close(CLOSE_SECONDS_MAX),
  };
}

/** Statements under way have so long to end. */
const CLOSE_SECONDS_MAX = 5;

type Runner = Pick<SQL, "unsafe">;

/** What gives a connection for one statement, which is to be answered in that time. */
type Lend = <R>(boundMs: number, work: (sql: Runner) => Promise<R>) => Promise<R>;

const lentFrom =
  (pool: Pool): Lend =>
  (boundMs, work) =>
    pool.with(boundMs, (pooled) =>
      answered(work(pooled.sql), boundMs, () => pool.leave(pooled)).catch(noticing(pool, pooled)),
    );

/** One connection for all. Nobody else is told of its silence. */
const ownOf =
  (sql: Runner): Lend =>
  (boundMs, work) =>
    answered(work(sql), boundMs);

/** Passes a failure on, after it was noticed that the database accepts no writes. */
const noticing = (pool: Pool, pooled: Pooled) => (error: unknown) => {
  if (stateOf(error) === READ_ONLY) pool.lookAgain(pooled);
  throw error;
};

interface WriteOptions<R> {
  pool: Pool;
  silence: typeof SILENCE;
  statements: Statements;
  /** Whether PostgreSQL is asked by what it knows the write. */
  isNamed: boolean;
  work(write: Write): Promise<R>;
}

async function writeOn<R>(
  pooled: Pooled,
  { pool, silence, statements, isNamed, work }: WriteOptions<R>,
): Promise<R> {
  const { readMs, writeMs, abandonedMs } = silence;
  const onSilence = () => pool.leave(pooled);
  const begun = Promise.withResolvers<void>();
  const worked = Promise.withResolvers<void>();
  /** By which PostgreSQL knows the write, once all is done but its end. */
  let id: string | undefined;
  const ended = pooled.sql.begin(async (within) => {
    begun.resolve();
    // A server that is cut off would keep the others out until its connection is missed. Nothing waits for this alone.
    const bounded = within.unsafe<{ id: unknown }[]>(boundsOfWrite(writeMs, abandonedMs, isNamed)).execute();
    const lend: Lend = (boundMs, statement) => answered(statement(within), boundMs, onSilence);
    try {
      const queries = queriesOn(lend, statements, { readMs: writeMs, writeMs });
      const script = async (text: string) => {
        await within.unsafe(`SET LOCAL statement_timeout = 0; ${text}`).simple();
      };
      const [done, [about]] = await Promise.all([work({ ...queries, script }), bounded]);
      if (typeof about?.id === "string") id = about.id;
      return done;
    } finally {
      worked.resolve();
    }
  });
  // Where its connection is left it fails, and nobody may wait for it any more.
  ended.catch(() => {});
  await answered(Promise.race([begun.promise, ended]), readMs, onSilence);
  await Promise.race([worked.promise, ended]);
  try {
    return await answered(ended, writeMs, onSilence).catch(noticing(pool, pooled));
  } catch (error) {
    throw id !== undefined && saysNoEnd(error) ? new EndUnknown(id, error) : error;
  }
}

/** The name is asked for with the bounds, so that nothing waits for it alone. A replica, which writes nothing, has none. */
const boundsOfWrite = (writeMs: number, abandonedMs: number, isNamed: boolean) => `
  SELECT set_config('statement_timeout', '${writeMs}', true),
    set_config('idle_in_transaction_session_timeout', '${abandonedMs}', true)${
      isNamed ? ", CASE WHEN NOT pg_is_in_recovery() THEN pg_current_xact_id()::text END AS id" : ""
    }`;

function queriesOn(
  lend: Lend,
  statements: Statements,
  { readMs, writeMs }: Pick<typeof SILENCE, "readMs" | "writeMs">,
): Queries {
  async function all<Row>(text: string, values: Values = {}): Promise<Row[]> {
    const { positional, given } = statements.bind(text, values);
    return statements.read(await lend(readMs, (sql) => sql.unsafe<Row[]>(positional, given)));
  }
  return {
    all,
    get: async <Row>(text: string, values?: Values) => (await all<Row>(text, values))[0],
    async run(text, values = {}) {
      const { positional, given } = statements.bind(text, values);
      return (await lend(writeMs, (sql) => sql.unsafe<unknown[]>(positional, given))).affectedRows;
    },
  };
}

/** read_only_sql_transaction. */
const READ_ONLY = "25006";
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
