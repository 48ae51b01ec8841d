import type { OnceStore } from "../../../identity/stores.ts";
import type { Database } from "../database/database.ts";

const FORGET = "DELETE FROM used_once WHERE until <= $now";
const USE = "INSERT INTO used_once (hash, until) VALUES ($hash, $until) ON CONFLICT DO NOTHING";

export function createOnceStore(database: Database): OnceStore {
  return {
    async use(hash, now, until) {
      await database.run(FORGET, { now });
      return (await database.run(USE, { hash, until })) === 1;
    },
  };
}
