import type { LimitStore } from "@docent/people/limits/limits";
import { get, run, type Sql } from "../sql/sql.ts";
import { insertInto, select, statement } from "../sql/statement.ts";
import { limitCounts } from "../tables/people.ts";

const LOAD = select(
  limitCounts,
  ["slice", "count"],
  "FROM limit_counts WHERE meter = $meter AND subject = $subject AND expires_at > $now",
);
const ADD = statement<{ count: number }>(`
  ${insertInto(limitCounts)}
  ON CONFLICT (meter, subject, slice) DO UPDATE SET count = limit_counts.count + excluded.count RETURNING count`);
const EXPIRE = statement("DELETE FROM limit_counts WHERE expires_at <= $now");

/** What one server counts. Several count together in a function of PostgreSQL's, and take what others have counted. */
export function createLimitStore(sql: Sql): LimitStore {
  return {
    load: (meter, subject, now) => sql.all(LOAD, { meter, subject, now }),

    add: (counts, now) =>
      sql.inOneWrite(function* () {
        const totals: number[] = [];
        for (const each of counts) totals.push((yield* get(ADD, { ...each }))?.count ?? each.count);
        yield* run(EXPIRE, { now });
        return totals;
      }),
  };
}
