import type { LimitStore, SliceCount } from "../../src/limits/limits.ts";

/** A LimitStore that forgets everything with the test. */
export function createMemoryLimitStore(): LimitStore {
  const rows = new Map<string, SliceCount>();
  return {
    async load(meter, subject, now) {
      return [...rows.values()]
        .filter((row) => row.meter === meter && row.subject === subject && row.expiresAt > now)
        .map(({ slice, count }) => ({ slice, count }));
    },
    async save(counts, now) {
      for (const count of counts) rows.set(`${count.meter} ${count.subject} ${count.slice}`, count);
      for (const [name, row] of rows) if (row.expiresAt <= now) rows.delete(name);
    },
  };
}
