import type { Database } from "bun:sqlite";

/** Takes what was deleted out of the log. Where another process reads, it is emptied the next time: nobody waits for it. */
export function emptyLog(database: Database): void {
  const { timeout = 0 } = database.query<{ timeout: number }, []>("PRAGMA busy_timeout").get() ?? {};
  database.run("PRAGMA busy_timeout = 0");
  try {
    database.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } finally {
    database.run(`PRAGMA busy_timeout = ${timeout}`);
  }
}
