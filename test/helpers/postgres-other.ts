import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { queryNow } from "./postgres.ts";

const WAITING = `
  SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A write of another server that has not ended. Returns what ends it, once somebody waits for it. */
export async function writeElsewhere(url: string, statement: string): Promise<() => Promise<void>> {
  const other = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
  const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = other.inOneWrite(async (write) => {
    await write.run(statement);
    written.resolve();
    await mayEnd.promise;
  });
  await Promise.race([written.promise, ended]);
  return async () => {
    const isAwaited = () =>
      (queryNow<{ count: number }>(new URL(url).pathname.slice(1), WAITING, [])[0]?.count ?? 0) > 0;
    while (!isAwaited()) await Bun.sleep(10);
    mayEnd.resolve();
    await ended;
    await other.close();
  };
}
