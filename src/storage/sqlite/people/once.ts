import type { Database } from "bun:sqlite";
import { lte } from "drizzle-orm";
import type { OnceStore } from "../../../identity/stores.ts";
import { usedOnce } from "../../sql/tables/people.ts";
import { inOneWrite } from "../one-write.ts";
import { typed } from "../typed.ts";

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
