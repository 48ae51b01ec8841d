import type { OwnLimitStore, SharedLimitStore, SliceCount } from "../../src/people/limits/limits.ts";

/** A LimitStore that forgets everything with the test. */
export function createMemoryLimitStore(): OwnLimitStore {
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

/** One that servers share: each answer comes later than it was asked for, and tells how it was in between. */
export function createSharedMemoryLimitStore(): SharedLimitStore {
  const inner = createMemoryLimitStore();
  return {
    isShared: true,
    async load(...asked) {
      await Bun.sleep(1);
      const loaded = await inner.load(...asked);
      await Bun.sleep(1);
      return loaded;
    },
    async add(counts, now) {
      await Bun.sleep(1);
      // Nothing else is done before all of these have begun, each in one go.
      const added = inner.add(counts, now);
      const loaded = counts.map(({ meter, subject }) => inner.load(meter, subject, now));
      await added;
      const kept = await Promise.all(loaded);
      await Bun.sleep(1);
      return kept;
    },
  };
}
