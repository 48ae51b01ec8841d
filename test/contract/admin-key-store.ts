import { describe, expect, test } from "bun:test";
import type { AdminKey } from "../../src/people/keys/admin-keys.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite, ORGANIZATION } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

function adminKey(id: string, change: Partial<AdminKey> = {}): AdminKey {
  return {
    id,
    name: `key ${id}`,
    organizationId: ORGANIZATION.id,
    mayWrite: true,
    createdAt: TEST_TIME,
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: undefined,
    ...change,
  };
}

/** What every AdminKeyStore guarantees. */
export function describeAdminKeyStore(name: string, open: OpenStores<"adminKeys" | "sites">): void {
  describe(`admin key store: ${name}`, () => {
    test("a key is found by its hash, as it was added", async () => {
      using stores = await open();
      await addSite(stores.sites);
      const own = adminKey("1", { expiresAt: TEST_TIME + 1, mayWrite: false });
      const server = adminKey("2", { organizationId: undefined });
      await stores.adminKeys.add(own, "hash of 1");
      await stores.adminKeys.add(server, "hash of 2");
      expect(await stores.adminKeys.find("hash of 1")).toEqual(own);
      expect(await stores.adminKeys.find("hash of 2")).toEqual(server);
    });

    test("another hash finds nothing, nor does a part of one or another case of one", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.adminKeys.add(adminKey("1"), "abc");
      for (const hash of ["", "ab", "ABC", "%", "abc ", "1"])
        expect(await stores.adminKeys.find(hash)).toBeUndefined();
    });

    test("no two keys have one hash, and the second is not added", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.adminKeys.add(adminKey("1"), "abc");
      await expect(stores.adminKeys.add(adminKey("2"), "abc")).rejects.toThrow();
      expect(await stores.adminKeys.list()).toEqual([adminKey("1")]);
    });

    test("keys are listed in the order in which they were made", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.adminKeys.add(adminKey("b", { createdAt: TEST_TIME + 1 }), "1");
      await stores.adminKeys.add(adminKey("c"), "2");
      await stores.adminKeys.add(adminKey("a"), "3");
      expect((await stores.adminKeys.list()).map(({ id }) => id)).toEqual(["a", "c", "b"]);
    });

    test("a key is revoked once: the first time stays", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.adminKeys.add(adminKey("1"), "1");
      await stores.adminKeys.add(adminKey("2"), "2");
      await stores.adminKeys.revoke("1", TEST_TIME + 1);
      await stores.adminKeys.revoke("1", TEST_TIME + 2);
      await stores.adminKeys.revoke("gone", TEST_TIME);
      const revoked = (await stores.adminKeys.list()).map(({ revokedAt }) => revokedAt);
      expect(revoked).toEqual([TEST_TIME + 1, undefined]);
    });

    test("the last use never goes back in time, and one of an unknown key is nothing", async () => {
      using stores = await open();
      await addSite(stores.sites);
      await stores.adminKeys.add(adminKey("1"), "1");
      await stores.adminKeys.touch(
        new Map([
          ["1", TEST_TIME + 5],
          ["gone", TEST_TIME],
        ]),
      );
      await stores.adminKeys.touch(new Map([["1", TEST_TIME + 3]]));
      expect((await stores.adminKeys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([TEST_TIME + 5]);
    });
  });
}
