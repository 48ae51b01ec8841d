import { describe, expect, test } from "bun:test";
import type { OpenStores } from "./stores.ts";

/** What every OnceStore guarantees. */
export function describeOnceStore(name: string, open: OpenStores<"once">): void {
  describe(`once store: ${name}`, () => {
    test("of several uses of the same, also at the same time, one is the first", async () => {
      using stores = await open();
      const uses = await Promise.all([1, 2, 3].map(() => stores.once.use("a", 100, 200)));
      expect(uses.filter(Boolean)).toEqual([true]);
      expect(await stores.once.use("a", 199, 300)).toBe(false);
      expect(await stores.once.use("b", 199, 300)).toBe(true);
    });

    test("what nobody could use any more is forgotten", async () => {
      using stores = await open();
      await stores.once.use("a", 100, 200);
      expect(await stores.once.use("a", 200, 300)).toBe(true);
    });
  });
}
