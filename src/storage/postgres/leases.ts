import { AppError } from "@docent/kernel/errors";
import type { Lease } from "@docent/kernel/lib/lease";
import type { Patience } from "../patience.ts";
import type { Connection, Database } from "./database/database.ts";

/** What one server at a time does: read a source, write a site's index of a kind, some work for all sites. */
type LeaseKind = "source" | "index" | "work";

export interface Leases {
  /** One lease on all of these; the first id that another has, where one does. */
  take(kind: LeaseKind, ids: readonly number[]): Promise<Lease | { heldBy: "another"; id: number }>;
}

/** The first half of an advisory lock's key; the second is the id. Other programs may lock in the same database. */
const CLASSES: Record<LeaseKind, number> = {
  source: 1_685_021_541,
  index: 1_685_021_542,
  work: 1_685_021_543,
};

const TAKE = `
  SELECT pg_try_advisory_lock($class, $id) AS taken, set_config('idle_session_timeout', $abandonedMs, false)`;
const RELEASE = "SELECT count(*) AS released FROM (SELECT pg_advisory_unlock_all()) AS all_of_them";
/** The process of PostgreSQL that holds the locks of a connection. */
const HOLDER = "SELECT pg_backend_pid() AS pid";
/**
 * How often it is looked at whether the connection is there still, and for how many looks it may be silent. Looks are
 * counted, not seconds: a process that was held up, as on a machine that has much to do, has heard nothing meanwhile.
 * PostgreSQL may hear nothing for longer, so that the holder has stopped when another one begins.
 */
const LOOKS = { everyMs: 1000, silentMax: 5, abandonedMs: 20_000 };

/**
 * One that is taken again may be with another for a moment: with whoever looked whether it is free, or with the session of
 * before, which PostgreSQL still believes in. After these many tries it is another's.
 */
const REGAIN = { everyMs: 500, triesMax: 60 };

interface LeasesOptions extends Partial<typeof LOOKS> {
  /** What takes a lease again that was lost with the database; without it, one that was lost is another's. */
  patience?: Patience | undefined;
  /** How soon another may let go of it. */
  regain?: typeof REGAIN;
}

/**
 * Leases that PostgreSQL takes back when the connection that holds them ends: at once where a server dies, and soon where
 * one is cut off. A connection that ends, or does not answer, has lost its lease; with patience, it is taken again before
 * anything else is done, and lost only where another has it by then.
 */
export function createLeases(
  database: Database,
  { patience, regain = REGAIN, ...chosen }: LeasesOptions = {},
): Leases {
  const looks = { ...LOOKS, ...chosen };
  return {
    async take(kind, ids) {
      const open = () => holdOn(database, { kind, ids, looks });
      const held = await (patience === undefined ? open() : patience.outlast(open));
      if ("heldBy" in held) return held;
      return patience === undefined ? leaseOn(held) : lastingLease(held, { open, patience, regain });
    },
  };
}

interface Wanted {
  kind: LeaseKind;
  ids: readonly number[];
  looks: typeof LOOKS;
}

/** The locks of one connection. */
interface Hold {
  /** Resolves when they are, or may be, held no more. */
  ended: Promise<void>;
  release(): Promise<void>;
}

async function holdOn(
  database: Database,
  { kind, ids, looks }: Wanted,
): Promise<Hold | { heldBy: "another"; id: number }> {
  const ended = Promise.withResolvers<void>();
  const connection = database.connect(ended.resolve);
  try {
    const holder = await holderOf(connection);
    for (const id of ids) {
      const asked = { class: CLASSES[kind], id, abandonedMs: String(looks.abandonedMs) };
      const row = await connection.get<{ taken: number }>(TAKE, asked);
      if (row?.taken === 1) continue;
      await connection.close();
      return { heldBy: "another", id };
    }
    return watched(connection, { ended, holder, looks });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const holderOf = async (connection: Connection) => (await connection.get<{ pid: number }>(HOLDER))?.pid;

interface Watched {
  ended: PromiseWithResolvers<void>;
  holder: number | undefined;
  looks: typeof LOOKS;
}

function watched(connection: Connection, { ended, holder, looks: { everyMs, silentMax } }: Watched): Hold {
  /** Undefined while nothing was asked. */
  let silent: number | undefined;
  const timer = setInterval(() => {
    if (silent !== undefined) {
      silent += 1;
      if (silent > silentMax) ended.resolve();
      return;
    }
    silent = 0;
    holderOf(connection).then(
      (answering) => {
        silent = undefined;
        // A pooler that lends connections gave this one to another: the locks are not ours any more.
        if (answering !== holder) ended.resolve();
      },
      () => ended.resolve(),
    );
  }, everyMs);
  timer.unref();
  void ended.promise.then(() => clearInterval(timer));
  return {
    ended: ended.promise,
    async release() {
      // A busy server notices late that a connection has ended: whoever asks next would find the lease taken.
      await Promise.race([connection.get(RELEASE).catch(() => undefined), ended.promise]);
      clearInterval(timer);
      await connection.close();
    },
  };
}

function leaseOn(held: Hold): Lease {
  const lost = new AbortController();
  void held.ended.then(() => lost.abort(connectionLost()));
  return { lost: lost.signal, release: held.release };
}

interface Lasting {
  open(): ReturnType<typeof holdOn>;
  patience: Patience;
  regain: typeof REGAIN;
}

/** A lease that outlasts the connection which holds it. */
function lastingLease(first: Hold, { open, patience, regain }: Lasting): Lease {
  const lost = new AbortController();
  let held = first;
  let isReleased = false;

  async function takeAgain(): Promise<Hold | undefined> {
    for (let tries = 1; !isReleased; tries++) {
      const again = await open();
      if (!("heldBy" in again)) return again;
      if (tries === regain.triesMax) return undefined;
      await Bun.sleep(regain.everyMs);
    }
    return undefined;
  }

  async function keep(): Promise<void> {
    for (;;) {
      await held.ended;
      if (isReleased) return;
      await held.release();
      const again = await patience.regain(takeAgain);
      if (again === undefined) return lost.abort(takenMeanwhile());
      held = again;
      if (isReleased) await held.release();
    }
  }

  keep().catch((error: unknown) => lost.abort(error));
  return {
    lost: lost.signal,
    async release() {
      isReleased = true;
      await held.release();
    },
  };
}

const connectionLost = () =>
  new AppError("unavailable", "The connection to the database was lost.", {
    hint: "PostgreSQL was restarted, or cannot be reached: what was done so far is kept, and is gone on with.",
  });

const takenMeanwhile = () =>
  new AppError("conflict", "Another server does this now.", {
    hint: "This one lost its connection to the database for a while. What the other one does counts.",
  });
