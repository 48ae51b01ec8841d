import type { Log } from "../../lib/log.ts";
import type { Database } from "./database/database.ts";

/** How often a server says that it is there. */
const BEAT_MS = 5000;
/** One that is silent for so long is gone. The time is the database's: the clocks of servers may differ. */
const SILENCE = "interval '30 seconds'";

/** Whether the server of that name is there. When PostgreSQL was away itself, all were silent. */
export const isThere = (name: string): string => `
  EXISTS (SELECT 1 FROM servers WHERE servers.id = ${name}
    AND greatest(seen_at, pg_postmaster_start_time()) > now() - ${SILENCE})`;

const BEAT = `
  INSERT INTO servers (id) VALUES ($id) ON CONFLICT (id) DO UPDATE SET seen_at = now()`;
const FORGET = "DELETE FROM servers WHERE seen_at < now() - interval '1 hour'";
const LEAVE = "DELETE FROM servers WHERE id = $id";
/** What a server that is gone had not finished. One that comes back after all finishes its turns. */
const FAIL_TURNS = `
  UPDATE turns SET outcome = 'failed', finished_at = (extract(epoch FROM now()) * 1000)::bigint
  WHERE outcome IS NULL AND server_id IS NOT NULL
    AND NOT ${isThere("turns.server_id")}`;

/** Says every few seconds that this server is there, and ends what servers that are gone have left. */
export async function joinServers(
  database: Database,
  { id, log }: { id: string; log: Log },
): Promise<{ leave(): Promise<void> }> {
  async function beat(): Promise<void> {
    await database.run(BEAT, { id });
    const failed = await database.run(FAIL_TURNS);
    if (failed > 0) log.warn("answers of a server that is gone were ended", { failed });
    await database.run(FORGET);
  }

  await beat();
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating
      .then(beat)
      .catch((error: unknown) => log.debug("the database was not told that this server is there", { error }));
  }, BEAT_MS);
  return {
    async leave() {
      clearInterval(timer);
      await beating;
      await database.run(LEAVE, { id });
    },
  };
}
