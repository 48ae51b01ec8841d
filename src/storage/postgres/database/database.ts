import { SQL } from "bun";
import { keepsSessions } from "./sessions.ts";
import { createStatements, type Statements, type Values } from "./statements.ts";

export type { Values } from "./statements.ts";

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
  /** Whether a connection is the same one from statement to statement, as locks and prepared statements need it. */
  keepsSessions(): Promise<boolean>;
  /** Another connection to it, apart from the pool. `onClose` is called when it ends, however it does. */
  connect(onClose: () => void): Connection;
  /** Leaves all connections of the pool, with what runs on them: they lead nowhere. Others are opened. */
  reconnect(): void;
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

/**
 * How long PostgreSQL may be silent: reading, and writing, which may have much to do; and how long this server may be in the
 * middle of a write, before PostgreSQL takes back what it has locked.
 */
const SILENCE = { readMs: 10_000, writeMs: 60_000, abandonedMs: 30_000 };

export function openDatabase(
  { url, connectionsMax, connectSecondsMax }: DatabaseOptions,
  silence = SILENCE,
): Database {
  const statements = createStatements();
  const options = {
    connectionTimeout: connectSecondsMax,
    connection: { application_name: "docent" },
    transform: SQL.toCamel,
  };
  const pool = createPool(() => new SQL(url, { ...options, max: connectionsMax }));

  async function inOneWrite<R>(work: (queries: Queries) => Promise<R>): Promise<R> {
    const own = pool.current();
    const onSilence = () => pool.leave(own);
    const begun = Promise.withResolvers<void>();
    const bounds = { readMs: silence.writeMs, writeMs: silence.writeMs, onSilence, onReplica: () => {} };
    const ended = own.begin(async (within) => {
      begun.resolve();
      // A server that is cut off would keep the others out until its connection is missed. Nothing waits for this alone.
      const bounded = within
        .unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${silence.abandonedMs}`)
        .execute();
      const [done] = await Promise.all([work(queriesOn(() => within, statements, bounds)), bounded]);
      return done;
    });
    await answered(Promise.race([begun.promise, ended]), silence.readMs, onSilence).catch(
      (error: unknown) => {
        // It fails with its connection, and nobody waits for it any more.
        ended.catch(() => {});
        throw error;
      },
    );
    return ended.catch(noticing(() => pool.lookAgain(own)));
  }

  return {
    ...queriesOn(pool.current, statements, { ...silence, onSilence: pool.leave, onReplica: pool.lookAgain }),
    inOneWrite: (work) => retried(() => inOneWrite(work)),
    keepsSessions: () => answered(keepsSessions(pool.current()), silence.readMs, () => {}),
    connect(onClose) {
      const own = new SQL(url, { ...options, max: 1, onclose: onClose });
      return {
        ...queriesOn(() => own, statements, { ...silence, onSilence: () => {}, onReplica: () => {} }),
        close: () => own.close({ timeout: 0 }),
      };
    },
    reconnect: () => pool.leave(pool.current()),
    close: () => pool.current().close({ timeout: CLOSE_SECONDS_MAX }),
  };
}

/** The connections in use, which are left for new ones where they lead nowhere. */
function createPool(open: () => SQL) {
  let current = open();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function replace(left: SQL, timeout: number): void {
    current = open();
    left.close({ timeout }).catch(() => {});
  }

  return {
    current: () => current,
    /** Where a network is cut, connections neither answer nor end. New ones find their way, or fail. */
    leave(silent: SQL): void {
      if (silent === current) replace(silent, 0);
    },
    /**
     * A primary that became a replica keeps its connections, while the address may lead to the new primary already. What
     * reads on the old ones may finish.
     */
    lookAgain(replica: SQL): void {
      if (replica !== current || performance.now() - lookedAt < LOOK_AGAIN_MS) return;
      lookedAt = performance.now();
      replace(replica, CLOSE_SECONDS_MAX);
    },
  };
}

/** How often a database that accepts no writes is looked for again. */
const LOOK_AGAIN_MS = 1000;
/** Statements under way have so long to end. */
const CLOSE_SECONDS_MAX = 5;

interface Bounds<Sql> {
  readMs: number;
  writeMs: number;
  /** Told of the connections of which one did not answer. */
  onSilence(silent: Sql): void;
  /** Told of those that lead to a database that accepts no writes. */
  onReplica(replica: Sql): void;
}

/** Passes a failure on, after it was noticed that the database accepts no writes. */
const noticing = (onReplica: () => void) => (error: unknown) => {
  if (stateOf(error) === READ_ONLY) onReplica();
  throw error;
};

function queriesOn<Sql extends Pick<SQL, "unsafe">>(
  current: () => Sql,
  statements: Statements,
  { readMs, writeMs, onSilence, onReplica }: Bounds<Sql>,
): Queries {
  async function all<Row>(text: string, values: Values = {}): Promise<Row[]> {
    const { positional, given } = statements.bind(text, values);
    const sql = current();
    const query = sql.unsafe<Row[]>(positional, given);
    const rows = answered(query, readMs, () => onSilence(sql)).catch(noticing(() => onReplica(sql)));
    return statements.read(await rows);
  }
  return {
    all,
    get: async <Row>(text: string, values?: Values) => (await all<Row>(text, values))[0],
    async run(text, values = {}) {
      const { positional, given } = statements.bind(text, values);
      const sql = current();
      const query = sql.unsafe<unknown[]>(positional, given);
      const written = answered(query, writeMs, () => onSilence(sql)).catch(noticing(() => onReplica(sql)));
      return (await written).affectedRows;
    },
    async script(text) {
      await current().unsafe(text).simple();
    },
  };
}

/** What a query answers; an error where nothing comes for so long. */
async function answered<T>(query: PromiseLike<T>, waitMs: number, onSilence: () => void): Promise<T> {
  const silent = Promise.withResolvers<never>();
  const giveUp = () => {
    silent.reject(Object.assign(new Error("PostgreSQL does not answer"), { code: SILENT }));
    onSilence();
  };
  // Where this process stood still itself, what has arrived meanwhile is read before it is called silence.
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, LAST_LOOK_MS);
  }, waitMs);
  try {
    return await Promise.race([query, silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const LAST_LOOK_MS = 50;
const SILENT = "ERR_POSTGRES_CONNECTION_SILENT";

/** Whether nothing came at all: no answer, and no end of the connection. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === SILENT;

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

/** The SQLSTATE of an error that PostgreSQL raised; empty for any other. */
export const stateOf = (error: unknown): string =>
  error instanceof SQL.PostgresError && error.errno !== undefined ? String(error.errno) : "";
