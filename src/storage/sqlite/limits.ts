import type { Database } from "bun:sqlite";
import type { LimitStore } from "../../limits/limits.ts";

export function createLimitStore(database: Database): LimitStore {
  const load = database.query<{ slice: number; count: number }, [string, string, number]>(
    "SELECT slice, count FROM limit_counts WHERE meter = ? AND subject = ? AND expires_at > ?",
  );
  const add = database.query<{ count: number }, [string, string, number, number, number]>(
    `INSERT INTO limit_counts (meter, subject, slice, count, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count
     RETURNING count`,
  );
  const expire = database.query("DELETE FROM limit_counts WHERE expires_at <= ?");

  return {
    async load(meter, subject, now) {
      return load.all(meter, subject, now);
    },

    async add(counts, now) {
      return database
        .transaction(() => {
          const totals = counts.map(
            (each) =>
              add.get(each.meter, each.subject, each.slice, each.count, each.expiresAt)?.count ?? each.count,
          );
          expire.run(now);
          return totals;
        })
        .immediate();
    },
  };
}
