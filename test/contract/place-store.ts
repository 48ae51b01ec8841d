import { describe, expect, test } from "bun:test";
import type { PlaceStore } from "../../src/people/limits/concurrency.ts";

interface Opened extends Disposable {
  /** Two servers that count together. */
  here: PlaceStore;
  there: PlaceStore;
  /** The second one is gone. */
  end(): Promise<void>;
}

/** What every PlaceStore guarantees. */
export function describePlaceStore(name: string, open: () => Promise<Opened>): void {
  describe(`place store: ${name}`, () => {
    test("gives as many places as there are, over all servers, and one again when it is given back", async () => {
      using it = await open();
      const first = await it.here.take("a", 2);
      expect(await it.there.take("a", 2)).toBeDefined();
      expect(await it.here.take("a", 2)).toBeUndefined();
      expect(await it.there.take("a", 2)).toBeUndefined();
      await first?.();
      expect(await it.there.take("a", 2)).toBeDefined();
      expect(await it.here.take("a", 2)).toBeUndefined();
    });

    test("gives no more than that to those who come at the same time", async () => {
      using it = await open();
      const all = Array.from({ length: 10 }, (_, index) => (index % 2 ? it.here : it.there).take("a", 3));
      const taken = (await Promise.all(all)).filter((each) => each !== undefined);
      expect(taken).toHaveLength(3);
    });

    test("keeps subjects apart", async () => {
      using it = await open();
      await it.here.take("a", 1);
      expect(await it.there.take("b", 1)).toBeDefined();
    });

    test("frees the places of a server that is gone", async () => {
      using it = await open();
      await it.there.take("a", 1);
      expect(await it.here.take("a", 1)).toBeUndefined();
      await it.end();
      expect(await it.here.take("a", 1)).toBeDefined();
    });
  });
}
