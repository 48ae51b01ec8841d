import type { PlaceStore } from "@docent/people/limits/concurrency";
import type { Database } from "./database/database.ts";
import { explained } from "./failures.ts";
import { isThere } from "./servers.ts";

/** Of an advisory lock's key: one subject's places are taken one by one. */
const CLASS = 1_685_021_547;
const LOCK = `SELECT pg_advisory_xact_lock(${CLASS}, hashtext($subject))`;
/** Takes a place. Those of a server that is gone are nobody's. */
const TAKE = `
  INSERT INTO stream_places (id, subject, server_id) SELECT $id, $subject, $serverId
  WHERE $most > (SELECT count(*) FROM stream_places
    WHERE subject = $subject AND (server_id = $serverId OR ${isThere("server_id")}))`;
const GIVE_BACK = "DELETE FROM stream_places WHERE id = ANY($ids::text[])";
const FORGET = `DELETE FROM stream_places WHERE server_id <> $serverId AND NOT ${isThere("server_id")}`;
const FORGET_EVERY = 1000;

export function createPlaceStore(
  database: Database,
  { serverId, newId }: { serverId: string; newId: () => string },
): PlaceStore {
  /** Places that could not be given back yet. */
  const owed = new Set<string>();
  let taken = 0;

  async function giveBack(): Promise<void> {
    const ids = [...owed];
    if (ids.length === 0) return;
    await database.run(GIVE_BACK, { ids });
    for (const id of ids) owed.delete(id);
  }

  async function leave(id: string): Promise<void> {
    owed.add(id);
    try {
      await giveBack();
    } catch (error) {
      // Of what the store gives away nobody else explains the failures.
      throw explained(error);
    }
  }

  return {
    async take(subject, most) {
      await giveBack();
      if (taken++ % FORGET_EVERY === 0) await database.run(FORGET, { serverId });
      const id = newId();
      const rows = await database.inOneWrite(async (write) => {
        await write.all(LOCK, { subject });
        return write.run(TAKE, { id, subject, serverId, most });
      });
      if (rows === 0) return undefined;
      return () => leave(id);
    },
  };
}
