import { describe, expect, test } from "bun:test";
import type { AssistantKey } from "../../src/people/keys/keys.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite, ORGANIZATION } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

function assistantKey(id: string, change: Partial<AssistantKey> = {}): AssistantKey {
  return {
    id,
    organizationId: ORGANIZATION.id,
    name: `key ${id}`,
    key: `docent_dsc_${id}`,
    allSites: true,
    siteIds: [],
    addresses: [],
    createdAt: TEST_TIME,
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: undefined,
    ...change,
  };
}

/** What every KeyStore guarantees. */
export function describeKeyStore(name: string, open: OpenStores<"keys" | "sites">): void {
  describe(`key store: ${name}`, () => {
    test("a key is found as it was added", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "one");
      const other = await addSite(stores.sites, "two");
      const narrow = assistantKey("1", {
        allSites: false,
        siteIds: [site.id, other.id],
        addresses: ["10.0.0.0/8", "2001:db8::/32"],
        expiresAt: TEST_TIME + 1,
      });
      await stores.keys.add(narrow);
      expect(await stores.keys.find(narrow.key)).toEqual(narrow);
      const wide = assistantKey("2");
      await stores.keys.add(wide);
      expect(await stores.keys.find(wide.key)).toEqual(wide);
    });

    test("an unknown key finds nothing, nor does a part of one or another case of one", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.keys.add(assistantKey("abc"));
      for (const key of [
        "",
        "docent_dsc_",
        "docent_dsc_ab",
        "docent_dsc_ABC",
        "docent_dsc_%",
        "docent_dsc_abc ",
      ]) {
        expect(await stores.keys.find(key)).toBeUndefined();
      }
    });

    test("keys are listed in the order in which they were made", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.keys.add(assistantKey("b", { createdAt: TEST_TIME + 1 }));
      await stores.keys.add(assistantKey("c"));
      await stores.keys.add(assistantKey("a"));
      expect((await stores.keys.list()).map(({ id }) => id)).toEqual(["a", "c", "b"]);
    });

    test("every listed key has its own sites", async () => {
      using stores = await open();
      const one = await addSite(stores.sites, "one");
      const two = await addSite(stores.sites, "two");
      await stores.keys.add(assistantKey("1", { allSites: false, siteIds: [one.id] }));
      await stores.keys.add(assistantKey("2", { allSites: false, siteIds: [two.id] }));
      await stores.keys.add(assistantKey("3"));
      expect((await stores.keys.list()).map(({ siteIds }) => siteIds)).toEqual([[one.id], [two.id], []]);
    });

    test("a key of a removed site opens no other", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "one");
      const key = assistantKey("1", { allSites: false, siteIds: [site.id] });
      await stores.keys.add(key);
      await stores.sites.removeSite(site.id);
      expect(await stores.keys.find(key.key)).toEqual({ ...key, allSites: false, siteIds: [] });
    });

    test("a key that cannot be added whole is not added", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await expect(stores.keys.add(assistantKey("1", { allSites: false, siteIds: [999] }))).rejects.toThrow();
      expect(await stores.keys.list()).toEqual([]);
    });

    test("a key is revoked once: the first time stays", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.keys.add(assistantKey("1"));
      await stores.keys.add(assistantKey("2"));
      await stores.keys.revoke("1", TEST_TIME + 1);
      await stores.keys.revoke("1", TEST_TIME + 2);
      expect((await stores.keys.list()).map(({ revokedAt }) => revokedAt)).toEqual([
        TEST_TIME + 1,
        undefined,
      ]);
    });

    test("the last use never goes back in time, and one of an unknown key is nothing", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.keys.add(assistantKey("1"));
      await stores.keys.touch(
        new Map([
          ["1", TEST_TIME + 5],
          ["gone", TEST_TIME],
        ]),
      );
      await stores.keys.touch(new Map([["1", TEST_TIME + 3]]));
      expect((await stores.keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([TEST_TIME + 5]);
    });
  });
}
