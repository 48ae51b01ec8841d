import type { SQL } from "bun";
import { answered, busy, closed, isSilence, stateOf } from "./answered.ts";

/** A connection of the pool, which one statement or one transaction has for itself. */
export interface Pooled {
  sql: SQL;
  /** How long PostgreSQL lets a statement on it run; undefined until it was told. */
  boundMs: number | undefined;
  /** Whether the connection has ended, or leads nowhere, or not where it should: nothing more is begun on it. */
  isLeft: boolean;
}

export interface Pool {
  /** Does work on a connection on which PostgreSQL ends what runs for longer than this. */
  with<R>(boundMs: number, work: (pooled: Pooled) => Promise<R>): Promise<R>;
  /** Ends a connection that does not answer, and those on which nothing runs, which may be no better. */
  leave(silent: Pooled): void;
  /** Leaves the connections on which nothing runs, or all, with what runs on them. */
  leaveSome(which: "idle" | "all"): void;
  /**
   * A primary that became a replica keeps its connections, while the address may lead to the new primary already. What
   * runs on the old ones may finish.
   */
  lookAgain(replica: Pooled): void;
  /** Begins nothing more, and lets what runs finish for so long. */
  close(seconds: number): Promise<void>;
}

interface PoolOptions {
  /** A client of one connection, which it opens with its first statement. */
  open(onClose: () => void): SQL;
  connectionsMax: number;
  /** How long one may take to be ready. */
  readyMs: number;
}

interface Waiting {
  boundMs: number;
  turn: PromiseWithResolvers<Pooled>;
}

interface State extends PoolOptions {
  /** The one that was used last is at the end, and used first: few are open where little is to do. */
  idle: Pooled[];
  inUse: Set<Pooled>;
  /** In the order in which they came. */
  waiting: Set<Waiting>;
  lookedAt: number;
  fullUntil: number;
  isClosed: boolean;
}

/** How often a database that accepts no writes is looked for again. */
const LOOK_AGAIN_MS = 1000;
/** After PostgreSQL refused another connection, those that there are have to do for so long. */
const FULL_MS = 1000;
/** The same where a new one was not answered, as by a pooler that has none to give: asking again costs seconds. */
const SILENT_FULL_MS = 30_000;

/**
 * The driver's own pool sends statements one after another on a connection, so that the quick wait behind a slow one, and
 * it cannot tell a connection anything before its first statement. This one knows what runs where.
 */
export function createPool(options: PoolOptions): Pool {
  const state: State = {
    ...options,
    idle: [],
    inUse: new Set(),
    waiting: new Set(),
    lookedAt: Number.NEGATIVE_INFINITY,
    fullUntil: Number.NEGATIVE_INFINITY,
    isClosed: false,
  };
  return {
    async with(boundMs, work) {
      const pooled = await takeReady(state, boundMs);
      try {
        return await work(pooled);
      } finally {
        giveBack(state, pooled);
      }
    },
    leave(silent) {
      for (const each of [silent, ...state.idle]) leave(state, each);
    },
    leaveSome(which) {
      for (const each of [...state.idle, ...(which === "all" ? state.inUse : [])]) leave(state, each);
    },
    lookAgain(replica) {
      if (replica.isLeft || performance.now() - state.lookedAt < LOOK_AGAIN_MS) return;
      state.lookedAt = performance.now();
      for (const each of [...state.idle]) leave(state, each);
      for (const each of state.inUse) each.isLeft = true;
    },
    async close(seconds) {
      state.isClosed = true;
      for (const { turn } of state.waiting) turn.reject(closed());
      state.waiting.clear();
      const all = [...state.idle, ...state.inUse];
      await Promise.all(all.map(({ sql }) => sql.close({ timeout: seconds })));
    },
  };
}

async function takeReady(state: State, boundMs: number): Promise<Pooled> {
  for (;;) {
    if (state.isClosed) throw closed();
    const pooled = take(state, boundMs) ?? (await turnOf(state, boundMs));
    try {
      await makeReady(pooled, boundMs, state.readyMs);
      return pooled;
    } catch (error) {
      const isNew = pooled.boundMs === undefined;
      leave(state, pooled);
      // Where nobody is let in any more, the connections that there are do the work.
      const hasOthers = state.idle.length + state.inUse.size > 1;
      const fullMs = stateOf(error) !== "" ? FULL_MS : isNew && isSilence(error) ? SILENT_FULL_MS : undefined;
      const doesWithout = fullMs !== undefined && hasOthers;
      if (doesWithout) state.fullUntil = performance.now() + fullMs;
      giveBack(state, pooled);
      if (!doesWithout) throw error;
    }
  }
}

/** One on which nothing runs: at best one that needs to be told nothing. */
function take(state: State, boundMs: number): Pooled | undefined {
  const { idle, inUse, connectionsMax, fullUntil } = state;
  const open = idle.length + inUse.size;
  const isFull = open >= connectionsMax || (open > 0 && performance.now() < fullUntil);
  const ready = idle.findLast((each) => each.boundMs === boundMs);
  const found = ready ?? (isFull ? idle.at(-1) : opened(state));
  if (found === undefined) return undefined;
  forget(state, found);
  inUse.add(found);
  return found;
}

function opened(state: State): Pooled {
  const pooled: Pooled = {
    sql: state.open(() => {
      pooled.isLeft = true;
      forget(state, pooled);
    }),
    boundMs: undefined,
    isLeft: false,
  };
  return pooled;
}

function forget({ idle }: State, pooled: Pooled): void {
  const at = idle.indexOf(pooled);
  if (at >= 0) idle.splice(at, 1);
}

/** Waiting for others of this server is no silence of PostgreSQL: who waits for too long fails alone. */
async function turnOf({ waiting }: State, boundMs: number): Promise<Pooled> {
  const own: Waiting = { boundMs, turn: Promise.withResolvers() };
  waiting.add(own);
  const timer = setTimeout(() => {
    waiting.delete(own);
    own.turn.reject(busy());
  }, boundMs);
  try {
    return await own.turn.promise;
  } finally {
    clearTimeout(timer);
  }
}

function giveBack(state: State, pooled: Pooled): void {
  state.inUse.delete(pooled);
  if (pooled.isLeft) end(pooled);
  else state.idle.push(pooled);
  const [next] = state.waiting;
  const found = next === undefined ? undefined : take(state, next.boundMs);
  if (next === undefined || found === undefined) return;
  state.waiting.delete(next);
  next.turn.resolve(found);
}

function leave(state: State, pooled: Pooled): void {
  pooled.isLeft = true;
  forget(state, pooled);
  end(pooled);
}

/** Nothing waits for it: what it led to may never answer. */
function end({ sql }: Pooled): void {
  sql.close({ timeout: 0 }).catch(() => {});
}

/**
 * Bounds that hold where this server cannot be heard any more: PostgreSQL ends a statement that takes too long, and, where
 * its system can tell (on Linux), one whose client has gone. PgBouncer refuses them as parameters of the connection.
 */
const settings = (boundMs: number) => `
  SELECT set_config('statement_timeout', '${boundMs}', false),
    CASE WHEN version() LIKE '%linux%' THEN set_config('client_connection_check_interval', '5s', false) END`;

async function makeReady(pooled: Pooled, boundMs: number, readyMs: number): Promise<void> {
  if (pooled.boundMs === boundMs) return;
  await answered(pooled.sql.unsafe(settings(boundMs)).simple(), readyMs);
  pooled.boundMs = boundMs;
}
