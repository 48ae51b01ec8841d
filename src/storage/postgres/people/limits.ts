import type { LimitStore, SliceCount } from "../../../limits/limits.ts";
import type { Database } from "../database/database.ts";

const LOAD = `
  SELECT slice, count FROM limit_counts WHERE meter = $meter AND subject = $subject AND expires_at > $now`;
/**
 * In one order for everybody, so that two servers never wait for each other's rows. A request waits for it, so it does not
 * wait for the disk: if PostgreSQL itself goes down, counts of its last half second may be lost.
 */
const ADD = `
  INSERT INTO limit_counts (meter, subject, slice, count, expires_at)
  SELECT meter, subject, slice, sum(count), max(expires_at)
  FROM unnest($meters::text[], $subjects::text[], $slices::bigint[], $counts::int[], $expiresAt::bigint[])
    AS added (meter, subject, slice, count, expires_at)
  GROUP BY meter, subject, slice ORDER BY meter, subject, slice
  ON CONFLICT (meter, subject, slice) DO UPDATE SET count = limit_counts.count + excluded.count
  RETURNING meter, subject, slice, count, set_config('synchronous_commit', 'off', true) AS committing`;
/** What has expired counts no more, whether it is there or not. */
const EXPIRE_EVERY_MS = 1000;
/** What another server counts or removes at this moment is left to it. */
const EXPIRE = `
  DELETE FROM limit_counts WHERE (meter, subject, slice) IN (
    SELECT meter, subject, slice FROM limit_counts WHERE expires_at <= $now FOR UPDATE SKIP LOCKED)`;

/** `aheadMs` is how far the clock of the database is ahead of this server's. */
export function createLimitStore(database: Database, aheadMs = () => 0): LimitStore {
  let expiredAt = Number.NEGATIVE_INFINITY;
  return {
    isShared: true,
    aheadMs,
    load: (meter, subject, now) => database.all(LOAD, { meter, subject, now }),

    async add(counts, now) {
      const totals = await database.all<SliceCount>(ADD, {
        meters: counts.map(({ meter }) => meter),
        subjects: counts.map(({ subject }) => subject),
        slices: counts.map(({ slice }) => slice),
        counts: counts.map(({ count }) => count),
        expiresAt: counts.map(({ expiresAt }) => expiresAt),
      });
      if (Math.abs(now - expiredAt) >= EXPIRE_EVERY_MS) {
        expiredAt = now;
        await database.run(EXPIRE, { now });
      }
      const totalOf = new Map(totals.map((each) => [keyOf(each), each.count]));
      return counts.map((each) => totalOf.get(keyOf(each)) ?? each.count);
    },
  };
}

const keyOf = ({ meter, subject, slice }: Pick<SliceCount, "meter" | "subject" | "slice">) =>
  JSON.stringify([meter, subject, slice]);
