import { SECOND_MS, systemClock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Database } from "./database/database.ts";
import type { Watch } from "./watch.ts";

/** How often a server says that it is there. */
const BEAT_MS = 5000;
/** One that is silent for so long is gone. The time is the database's: the clocks of servers may differ. */
const SILENCE_SECONDS = 30;
const SILENCE = `interval '${SILENCE_SECONDS} seconds'`;
/** Between two beats: more, and this server or PostgreSQL was away itself, and could not hear the others. */
const GAP_MS_MAX = 3 * BEAT_MS;

/** Beside its row each server has a lock, which ends with its connection: where it is killed, at once. */
const CLASS = 1_685_021_545;
/** Does not wait for the disk: a beat that is lost with the machine is missed by nobody, and looks wait for it. */
const BEAT = `
  INSERT INTO servers (id) VALUES ($id) ON CONFLICT (id) DO UPDATE SET seen_at = now()
  RETURNING extract(epoch FROM clock_timestamp()) * 1000 AS at, pg_try_advisory_lock(${CLASS}, hashtext(id)),
    set_config('synchronous_commit', 'off', true)`;
const IS_CONNECTED = `
  EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${CLASS} AND objsubid = 2
    AND objid = (hashtext(servers.id)::bigint & 4294967295)::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
/** When PostgreSQL was away itself, all were silent. */
const HEARD = "greatest(seen_at, pg_postmaster_start_time()) > now() -";

/** Whether the server of that name is there, as far as another can tell: it was heard, or not missed for long. */
export const isThere = (name: string): string => `
  EXISTS (SELECT 1 FROM servers WHERE servers.id = ${name} AND ${HEARD} ${SILENCE})`;

/**
 * The same for what is not to wait until it is surely gone. One that is connected may only be slow; one that is not comes
 * back with its next beat.
 */
export const isNotMissed = (name: string): string => `
  EXISTS (SELECT 1 FROM servers WHERE servers.id = ${name} AND (
    ${HEARD} interval '${(2 * BEAT_MS) / SECOND_MS} seconds' OR (${HEARD} ${SILENCE} AND ${IS_CONNECTED})))`;

const FORGET = "DELETE FROM servers WHERE seen_at < now() - interval '1 hour'";
const LEAVE = "DELETE FROM servers WHERE id = $id RETURNING set_config('synchronous_commit', 'off', true)";
/** What a server that is gone had not finished. One that comes back after all finishes its turns. */
const FAIL_TURNS = `
  UPDATE turns SET outcome = 'failed', finished_at = (extract(epoch FROM now()) * 1000)::bigint
  WHERE outcome IS NULL AND server_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = turns.server_id AND seen_at > now() - ${SILENCE})`;

/** This server among those on the database. */
export interface Joined {
  /** How far the clock of the database, which all servers share, is ahead of this machine's. */
  aheadMs(): number;
  leave(): Promise<void>;
}

interface JoiningOptions {
  id: string;
  /** On its own connection a server is heard however busy the others are. */
  watch: Pick<Watch, "queries">;
  log: Log;
  beatMs?: number;
  hears?: (now: number) => boolean;
}

/** Says every few seconds that this server is there, and ends what servers that are gone have left. */
export async function joinServers(
  database: Pick<Database, "run">,
  { id, watch, log, beatMs = BEAT_MS, hears = createHearing() }: JoiningOptions,
): Promise<Joined> {
  let aheadMs = 0;

  async function beat(): Promise<void> {
    const sentAt = systemClock();
    const row = await watch.queries.get<{ at: number }>(BEAT, { id });
    if (row !== undefined) aheadMs = row.at - (sentAt + systemClock()) / 2;
    if (!hears(performance.now())) return;
    const failed = await database.run(FAIL_TURNS);
    if (failed > 0) log.warn("answers of a server that is gone were ended", { failed });
    await database.run(FORGET);
  }

  await beat();
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => log.debug("the database was not told that this server is there", { error }))
      .finally(() => {
        beating = undefined;
      });
  }, beatMs);
  return {
    aheadMs: () => aheadMs,
    async leave() {
      clearInterval(timer);
      await beating;
      await watch.queries.get(LEAVE, { id });
    },
  };
}

/**
 * Whether a server can tell of the others which of them are gone: where it has been there itself for as long as they may be
 * silent. After PostgreSQL was away, all were silent, and each comes back when it does.
 */
export function createHearing(): (now: number) => boolean {
  let since: number | undefined;
  let last = 0;
  return (now) => {
    if (since === undefined || now - last > GAP_MS_MAX) since = now;
    last = now;
    return now - since >= SILENCE_SECONDS * SECOND_MS - BEAT_MS;
  };
}
