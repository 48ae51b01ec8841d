import type { KeptSlice, SharedLimitStore, SliceCount } from "@docent/people/limits/limits";
import type { Database } from "./database/database.ts";

const LOAD = `
  SELECT slice, count FROM limit_counts WHERE meter = $meter AND subject = $subject AND expires_at > $now`;
const ADD = `
  SELECT meter, subject, slice, count FROM count_together(
    $meters::text[], $subjects::text[], $slices::bigint[], $counts::int[], $expiries::bigint[], $now::bigint)`;
/** What has expired counts no more, whether it is there or not. */
const EXPIRE_EVERY_MS = 1000;
/** What another server counts or removes at this moment is left to it. */
const EXPIRE = `
  DELETE FROM limit_counts WHERE (meter, subject, slice) IN (
    SELECT meter, subject, slice FROM limit_counts WHERE expires_at <= $now FOR UPDATE SKIP LOCKED)`;

/** `aheadMs` is how far the clock of the database is ahead of this server's. */
export function createLimitStore(database: Database, aheadMs = () => 0): SharedLimitStore {
  let expiredAt = Number.NEGATIVE_INFINITY;
  return {
    isShared: true,
    aheadMs,
    load: (meter, subject, now) => database.all(LOAD, { meter, subject, now }),

    async add(counts, now) {
      const rows = await database.all<Pick<SliceCount, "meter" | "subject"> & KeptSlice>(ADD, {
        meters: counts.map(({ meter }) => meter),
        subjects: counts.map(({ subject }) => subject),
        slices: counts.map(({ slice }) => slice),
        counts: counts.map(({ count }) => count),
        expiries: counts.map(({ expiresAt }) => expiresAt),
        now,
      });
      if (Math.abs(now - expiredAt) >= EXPIRE_EVERY_MS) {
        expiredAt = now;
        await database.run(EXPIRE, { now });
      }
      const kept = Map.groupBy(rows, keyOf);
      return counts.map((each) =>
        (kept.get(keyOf(each)) ?? []).map(({ slice, count }) => ({ slice, count })),
      );
    },
  };
}

const keyOf = ({ meter, subject }: Pick<SliceCount, "meter" | "subject">) => JSON.stringify([meter, subject]);
