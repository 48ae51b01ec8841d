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
    async add(counts, now) {
      const totals = counts.map((added) => {
        const name = `${added.meter} ${added.subject} ${added.slice}`;
        const count = (rows.get(name)?.count ?? 0) + added.count;
        rows.set(name, { ...added, count });
        return count;
      });
      for (const [name, row] of rows) if (row.expiresAt <= now) rows.delete(name);
      return totals;
    },
  };
}
