import { SQL } from "bun";
import { answered, isSilence } from "./answered.ts";

type Reserved = Awaited<ReturnType<SQL["reserve"]>>;

/** How long a second connection may take: where PostgreSQL has only one to give, nothing can be told. */
const SECOND_MS = 2000;
/** Others may be at work between two statements, and hide what happens to ours. */
const TRIES = 3;

/**
 * Whether a connection stays one from statement to statement. Behind a pooler that lends a connection for a transaction
 * only, another gets it in between: then locks are taken by nobody, and statements that were prepared are not there. Asks in
 * the simple protocol, which leaves nothing behind either way.
 */
export async function keepsSessions(pool: SQL): Promise<boolean> {
  const one = await pool.reserve();
  try {
    const other = await secondOf(pool);
    if (other === undefined) return true;
    try {
      for (let tries = 0; tries < TRIES; tries++) if (await isLent(one, other)) return false;
      return true;
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
}

/** Whether the process of PostgreSQL that works for one works for the other too, while both are open. */
async function isLent(one: Reserved, other: Reserved): Promise<boolean> {
  const first = await processOf(one);
  try {
    await other.unsafe("BEGIN").simple();
  } catch (error) {
    // PgBouncer's statement pooling knows no transactions.
    if (error instanceof SQL.PostgresError && error.message.includes("pooling mode")) return true;
    throw error;
  }
  try {
    return (await processOf(other)) === first;
  } finally {
    await other.unsafe("ROLLBACK").simple();
  }
}

async function processOf(connection: Reserved): Promise<string> {
  const rows: { pid: unknown }[] = await connection.unsafe("SELECT pg_backend_pid() AS pid").simple();
  return String(rows[0]?.pid);
}

async function secondOf(pool: SQL): Promise<Reserved | undefined> {
  const reserved = pool.reserve();
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), SECOND_MS);
  try {
    const second = await Promise.race([reserved, late.promise]);
    if (second === undefined)
      reserved.then(
        (each) => each.release(),
        () => {},
      );
    return second;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * How many connections are had at the same time. A pooler that has none to give takes them, and does not answer; PostgreSQL
 * itself refuses what is too many, so that it can be done without.
 */
export async function countConnections(
  open: () => SQL,
  wanted: number,
  readyMs: number,
): Promise<{ had: number; silent: number }> {
  const all = Array.from({ length: wanted }, open);
  const tried = await Promise.allSettled(
    all.map((each) => answered(each.unsafe("SELECT 1").simple(), readyMs)),
  );
  for (const each of all) each.close({ timeout: 0 }).catch(() => {});
  return {
    had: tried.filter(({ status }) => status === "fulfilled").length,
    silent: tried.filter((each) => each.status === "rejected" && isSilence(each.reason)).length,
  };
}
