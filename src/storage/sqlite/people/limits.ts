import type { Database } from "bun:sqlite";
import type { LimitStore } from "../../../limits/limits.ts";

export function createLimitStore(database: Database): LimitStore {
  const load = database.query<{ slice: number; count: number }, [string, string, number]>(
    "SELECT slice, count FROM limit_counts WHERE meter = ? AND subject = ? AND expires_at > ?",
  );
  const save = database.query(
    `INSERT INTO limit_counts (meter, subject, slice, count, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = excluded.count`,
  );
  const expire = database.query("DELETE FROM limit_counts WHERE expires_at <= ?");

  return {
    async load(meter, subject, now) {
      return load.all(meter, subject, now);
    },

    async save(counts, now) {
      database
        .transaction(() => {
          for (const each of counts)
            save.run(each.meter, each.subject, each.slice, each.count, each.expiresAt);
          expire.run(now);
        })
        .immediate();
    },
  };
}
