import { describe, expect, test } from "bun:test";
import type { OpenStores } from "./stores.ts";

/** What every MetaStore guarantees. */
export function describeMetaStore(name: string, open: OpenStores<"meta">): void {
  describe(`meta store: ${name}`, () => {
    test("a value is made once, and is the same for who asks later", async () => {
      using stores = await open();
      let made = 0;
      const make = () => `value ${++made}`;
      expect(await stores.meta.getOrAdd("secret", make)).toBe("value 1");
      expect(await stores.meta.getOrAdd("secret", make)).toBe("value 1");
      expect(made).toBe(1);
    });

    test("of many who ask at once, all get the same", async () => {
      using stores = await open();
      const values = await Promise.all(
        Array.from({ length: 20 }, (_, index) => stores.meta.getOrAdd("secret", () => `value ${index}`)),
      );
      expect(new Set(values).size).toBe(1);
      expect(await stores.meta.getOrAdd("secret", () => "late")).toBe(values[0] ?? "");
    });

    test("each name has its own value, an empty one too", async () => {
      using stores = await open();
      expect(await stores.meta.getOrAdd("one", () => "1")).toBe("1");
      expect(await stores.meta.getOrAdd("none", () => "")).toBe("");
      expect(await stores.meta.getOrAdd("none", () => "late")).toBe("");
      expect(await stores.meta.getOrAdd("ONE", () => "2")).toBe("2");
      expect(await stores.meta.getOrAdd("one", () => "3")).toBe("1");
    });
  });
}
