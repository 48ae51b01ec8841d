import { describe, expect, test } from "bun:test";
import type { SiteSecret } from "../../src/people/readers/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every SiteSecretStore guarantees. */
export function describeSiteSecretStore(name: string, open: OpenStores<"sites" | "siteSecrets">): void {
  async function opened() {
    const stores = await open();
    const site = await addSite(stores.sites, "docs");
    const secret = (id: string, change: Partial<SiteSecret> = {}): SiteSecret => ({
      id,
      siteId: site.id,
      secret: `secret ${id}`,
      createdAt: TEST_TIME,
      lastUsedAt: undefined,
      ...change,
    });
    const ids = async (siteId = site.id) => (await stores.siteSecrets.list(siteId)).map(({ id }) => id);
    return { ...stores, site, secret, ids, [Symbol.dispose]: () => stores[Symbol.dispose]() };
  }

  describe(`site secret store: ${name}`, () => {
    test("a site's secrets are listed whole, the oldest first, and no other site's", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.siteSecrets.add(it.secret("b", { createdAt: TEST_TIME + 1 }), 2);
      await it.siteSecrets.add(it.secret("a"), 2);
      await it.siteSecrets.add(it.secret("c", { siteId: other.id }), 2);
      expect(await it.siteSecrets.list(it.site.id)).toEqual([
        it.secret("a"),
        it.secret("b", { createdAt: TEST_TIME + 1 }),
      ]);
      expect(await it.ids(other.id)).toEqual(["c"]);
    });

    test("a site has no more than the most, however many are made at the same time", async () => {
      using it = await opened();
      const added = await Promise.all(["a", "b", "c", "d"].map((id) => it.siteSecrets.add(it.secret(id), 2)));
      expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
      expect(await it.ids()).toHaveLength(2);
    });

    test("a secret is ended for its own site alone, and makes room for another", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.siteSecrets.add(it.secret("a"), 1);
      expect(await it.siteSecrets.end(other.id, "a")).toBe(false);
      expect(await it.siteSecrets.end(it.site.id, "b")).toBe(false);
      expect(await it.siteSecrets.add(it.secret("b"), 1)).toBe(false);
      expect(await it.siteSecrets.end(it.site.id, "a")).toBe(true);
      expect(await it.siteSecrets.end(it.site.id, "a")).toBe(false);
      expect(await it.siteSecrets.add(it.secret("b"), 1)).toBe(true);
      expect(await it.ids()).toEqual(["b"]);
    });

    test("the last use never goes back, and one of an ended secret is nothing", async () => {
      using it = await opened();
      await it.siteSecrets.add(it.secret("a"), 2);
      await it.siteSecrets.touch(
        new Map([
          ["a", TEST_TIME + 5],
          ["gone", TEST_TIME],
        ]),
      );
      await it.siteSecrets.touch(new Map([["a", TEST_TIME + 3]]));
      expect((await it.siteSecrets.list(it.site.id))[0]?.lastUsedAt).toBe(TEST_TIME + 5);
    });

    test("a site that is removed takes its secrets with it", async () => {
      using it = await opened();
      await it.siteSecrets.add(it.secret("a"), 2);
      await it.sites.removeSite(it.site.id);
      const again = await addSite(it.sites, "docs");
      expect(await it.ids(again.id)).toEqual([]);
    });
  });
}
