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

const TAKE = "SELECT pg_try_advisory_lock($class, $id) AS taken";
/** The process of PostgreSQL that holds the locks of a connection. */
const HOLDER = "SELECT pg_backend_pid() AS pid";
/** How often it is looked at whether the connection is there still, and how long it may be silent. */
const LOOK_MS = 1000;
const SILENCE_MS = 5000;

/**
 * Leases that PostgreSQL takes back when the connection that holds them ends: at once where a server dies. A connection
 * that ends, or does not answer, has lost its lease.
 */
export function createLeases(database: Database): Leases {
  return {
    async take(kind, ids) {
      const lost = new AbortController();
      const connection = database.connect(() => lost.abort());
      let holder: number | undefined;
      try {
        holder = await holderOf(connection);
        for (const id of ids) {
          const row = await connection.get<{ taken: number }>(TAKE, { class: CLASSES[kind], id });
          if (row?.taken === 1) continue;
          await connection.close();
          return { heldBy: "another", id };
        }
      } catch (error) {
        await connection.close();
        throw error;
      }
      return leaseOn(connection, { lost, holder });
    },
  };
}

const holderOf = async (connection: Connection) => (await connection.get<{ pid: number }>(HOLDER))?.pid;

function leaseOn(
  connection: Connection,
  { lost, holder }: { lost: AbortController; holder: number | undefined },
): Lease {
  let answeredAt = performance.now();
  let isAsking = false;
  const timer = setInterval(() => {
    if (performance.now() - answeredAt > SILENCE_MS) lost.abort();
    if (isAsking || lost.signal.aborted) return;
    isAsking = true;
    holderOf(connection)
      .then(
        (answering) => {
          // A pooler that lends connections gave this one to another: the locks are not ours any more.
          if (answering !== holder) lost.abort();
          answeredAt = performance.now();
        },
        () => lost.abort(),
      )
      .finally(() => {
        isAsking = false;
      });
  }, LOOK_MS);
  timer.unref();
  lost.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await connection.close();
    },
  };
}
