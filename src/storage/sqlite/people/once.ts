import type { Database } from "bun:sqlite";
import { lte } from "drizzle-orm";
import type { OnceStore } from "../../../identity/stores.ts";
import { inOneWrite, typed, usedOnce } from "../tables.ts";

export function createOnceStore(database: Database): OnceStore {
  const db = typed(database);
  return {
    async use(hash, now, until) {
      return inOneWrite(database, () => {
        db.delete(usedOnce).where(lte(usedOnce.until, now)).run();
        return (
          db.insert(usedOnce).values({ hash, until }).onConflictDoNothing().returning().get() !== undefined
        );
      });
    },
  };
}
