import type { Lease } from "../../lib/lease.ts";
import type { Connection, Database } from "./database/database.ts";

/** What one server at a time does: read a source, write a site's index of a kind, some work for all sites. */
export type LeaseKind = "source" | "index" | "work";

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
 * Leases that PostgreSQL takes back when the connection that holds them ends: at once where a server dies, and soon where
 * one is cut off. A connection that ends, or does not answer, has lost its lease.
 */
export function createLeases(database: Database, chosen: Partial<typeof LOOKS> = {}): Leases {
  const looks = { ...LOOKS, ...chosen };
  return {
    async take(kind, ids) {
      const lost = new AbortController();
      const connection = database.connect(() => lost.abort());
      let holder: number | undefined;
      try {
        holder = await holderOf(connection);
        for (const id of ids) {
          const asked = { class: CLASSES[kind], id, abandonedMs: String(looks.abandonedMs) };
          const row = await connection.get<{ taken: number }>(TAKE, asked);
          if (row?.taken === 1) continue;
          await connection.close();
          return { heldBy: "another", id };
        }
      } catch (error) {
        await connection.close();
        throw error;
      }
      return leaseOn(connection, { lost, holder, looks });
    },
  };
}

const holderOf = async (connection: Connection) => (await connection.get<{ pid: number }>(HOLDER))?.pid;

interface Held {
  lost: AbortController;
  holder: number | undefined;
  looks: typeof LOOKS;
}

function leaseOn(connection: Connection, { lost, holder, looks: { everyMs, silentMax } }: Held): Lease {
  /** Undefined while nothing was asked. */
  let silent: number | undefined;
  const timer = setInterval(() => {
    if (silent !== undefined) {
      silent += 1;
      if (silent > silentMax) lost.abort();
      return;
    }
    silent = 0;
    holderOf(connection).then(
      (answering) => {
        silent = undefined;
        // A pooler that lends connections gave this one to another: the locks are not ours any more.
        if (answering !== holder) lost.abort();
      },
      () => lost.abort(),
    );
  }, everyMs);
  timer.unref();
  lost.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return {
    lost: lost.signal,
    async release() {
      // A busy server notices late that a connection has ended: whoever asks next would find the lease taken.
      await Promise.race([connection.get(RELEASE).catch(() => undefined), untilLost(lost.signal)]);
      clearInterval(timer);
      await connection.close();
    },
  };
}

function untilLost(lost: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (lost.aborted) resolve();
  lost.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
