import type { OnceStore } from "../../src/people/identity/stores.ts";

/** A store of what was used once that remembers in memory. */
export function memoryOnce(): OnceStore {
  const used = new Map<string, number>();
  return {
    async use(hash, now, until) {
      for (const [each, end] of used) if (end <= now) used.delete(each);
      const isFirst = !used.has(hash);
      if (isFirst) used.set(hash, until);
      return isFirst;
    },
  };
}
