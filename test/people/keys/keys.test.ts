import { describe, expect, test } from "bun:test";
import { createKeys } from "../../../src/people/keys/keys.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite, ORGANIZATION } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const DAY_MS = 24 * 3600 * 1000;
const HERE = "192.0.2.7";

async function opened() {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const keys = createKeys({ store: storage.keys, clock, ids: testIds(clock) });
  const create = (change: Partial<Parameters<typeof keys.create>[0]> = {}) =>
    keys.create({ organizationId: ORGANIZATION.id, name: "web", ...change });
  const codeFor = async (key: string | undefined, address = HERE) =>
    (await appErrorOf(() => keys.authenticate(key, address))).code;
  return {
    storage,
    keys,
    site,
    create,
    codeFor,
    clock,
    advance,
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

describe("assistant keys", () => {
  test("a key is docent_dsc_ and 33 characters, another one each time", async () => {
    using it = await opened();
    const made = [await it.create(), await it.create({ name: "other" })];
    for (const { key } of made) expect(key).toMatch(/^docent_dsc_[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(made[0]?.key).not.toBe(made[1]?.key);
  });

  test("a key without sites opens every site of its organization, those to come included", async () => {
    using it = await opened();
    const key = await it.create();
    const later = await addSite(it.storage.sites, "later");
    const caller = await it.keys.authenticate(key.key, HERE);
    expect([caller.keyId, caller.organizationId]).toEqual([key.id, ORGANIZATION.id]);
    expect([caller.mayUse(it.site), caller.mayUse(later)]).toEqual([true, true]);
  });

  test("a key for named sites opens those and no other", async () => {
    using it = await opened();
    const other = await addSite(it.storage.sites, "other");
    const caller = await it.keys.authenticate((await it.create({ siteIds: [it.site.id] })).key, HERE);
    expect([caller.mayUse(it.site), caller.mayUse(other)]).toEqual([true, false]);
  });

  test("a key for no site opens none", async () => {
    using it = await opened();
    const caller = await it.keys.authenticate((await it.create({ siteIds: [] })).key, HERE);
    expect(caller.mayUse(it.site)).toBe(false);
  });

  test("no key opens a site of another organization, even one it names", async () => {
    using it = await opened();
    await it.storage.sites.addOrganization({ ...ORGANIZATION, id: "org-2", name: "Other" });
    const foreign = await addSite(it.storage.sites, "foreign", { organizationId: "org-2" });
    for (const siteIds of [undefined, [foreign.id]]) {
      const caller = await it.keys.authenticate((await it.create({ siteIds })).key, HERE);
      expect(caller.mayUse(foreign)).toBe(false);
    }
  });

  test("no key, an unknown one and a malformed one are unauthorized", async () => {
    using it = await opened();
    const { key } = await it.create();
    const wrong = [
      undefined,
      "",
      "docent_dsc_",
      `${key}1`,
      key.slice(0, -1),
      key.toUpperCase(),
      ` ${key}`,
      `${key}\n`,
      key.replace("docent_dsc_", "docent_adm_"),
      `docent_dsc_${"0".repeat(33)}`,
      `docent_dsc_${"1".repeat(1000)}`,
      "docent_dsc_' OR 1=1 --",
      "\u0000",
    ];
    for (const each of wrong) expect([each, await it.codeFor(each)]).toEqual([each, "unauthorized"]);
  });

  test("a key works until the moment it expires", async () => {
    using it = await opened();
    const { key, expiresAt } = await it.create({ expiresDays: 2 });
    expect(expiresAt).toBe(it.clock() + 2 * DAY_MS);
    it.advance(2 * DAY_MS - 1);
    await it.keys.authenticate(key, HERE);
    it.advance(1);
    expect(await it.codeFor(key)).toBe("unauthorized");
  });

  test("a key without an end still works after a century", async () => {
    using it = await opened();
    const { key } = await it.create();
    it.advance(36_525 * DAY_MS);
    await it.keys.authenticate(key, HERE);
  });

  test("an unknown, an expired and a revoked key get the same words", async () => {
    using it = await opened();
    const expired = await it.create({ name: "expired", expiresDays: 1 });
    const revoked = await it.create({ name: "revoked" });
    await it.keys.revoke(revoked.id);
    it.advance(DAY_MS);
    const unknown = `docent_dsc_${"2".repeat(33)}`;
    const errors = await Promise.all(
      [expired.key, revoked.key, unknown].map((key) => appErrorOf(() => it.keys.authenticate(key, HERE))),
    );
    expect(new Set(errors.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
  });

  test("a key that was revoked by another process stops at once", async () => {
    using it = await opened();
    const { key, id } = await it.create();
    await it.keys.authenticate(key, HERE);
    await it.storage.keys.revoke(id, it.clock());
    expect(await it.codeFor(key)).toBe("unauthorized");
  });

  test("a key that is tied to addresses is forbidden from any other", async () => {
    using it = await opened();
    const { key } = await it.create({ addresses: ["192.0.2.0/24", "2001:db8::/32"] });
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::1"])
      await it.keys.authenticate(key, address);
    for (const address of ["192.0.3.7", "2001:db9::1", "", "unknown"]) {
      expect(await it.codeFor(key, address)).toBe("forbidden");
    }
  });

  test("an address that is none is refused when the key is made, and no key is", async () => {
    using it = await opened();
    const error = await appErrorOf(() => it.create({ addresses: ["192.0.2.0/24", "192.0.2.0/33"] }));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain("192.0.2.0/33");
    expect(await it.keys.list()).toEqual([]);
  });

  test("a key is revoked by its id, its name or itself, and listed as such", async () => {
    using it = await opened();
    const made = [
      await it.create({ name: "a" }),
      await it.create({ name: "b" }),
      await it.create({ name: "c" }),
    ];
    it.advance(5);
    for (const which of [made[0]?.id, made[1]?.name, made[2]?.key]) {
      expect((await it.keys.revoke(which ?? "")).revokedAt).toBe(it.clock());
    }
    expect((await it.keys.list()).map(({ revokedAt }) => revokedAt)).toEqual([
      it.clock(),
      it.clock(),
      it.clock(),
    ]);
  });

  test("a name that several keys have revokes none of them, and says so", async () => {
    using it = await opened();
    await it.create({ name: "web" });
    const second = await it.create({ name: "web" });
    expect((await appErrorOf(() => it.keys.revoke("web"))).code).toBe("conflict");
    await it.keys.revoke(second.id);
    // The name is now that of one key which still works.
    expect((await it.keys.revoke("web")).id).not.toBe(second.id);
    expect((await appErrorOf(() => it.keys.revoke("web"))).code).toBe("not_found");
    expect((await appErrorOf(() => it.keys.revoke("unknown"))).code).toBe("not_found");
  });

  test("revoking again keeps the first time", async () => {
    using it = await opened();
    const { id } = await it.create();
    const first = await it.keys.revoke(id);
    it.advance(1000);
    expect((await it.keys.revoke(id)).revokedAt).toBe(first.revokedAt);
  });

  test("the last use is written when flushed, not on every request", async () => {
    using it = await opened();
    const { key } = await it.create();
    const lastUse = async () => (await it.keys.list())[0]?.lastUsedAt;
    await it.keys.authenticate(key, HERE);
    it.advance(10);
    await it.keys.authenticate(key, HERE);
    expect(await lastUse()).toBeUndefined();
    await it.keys.flush();
    expect(await lastUse()).toBe(it.clock());
    it.advance(10);
    await it.keys.flush();
    expect(await lastUse()).toBe(it.clock() - 10);
  });

  test("a refused request is no use of a key", async () => {
    using it = await opened();
    const { key } = await it.create({ addresses: ["10.0.0.0/8"] });
    await it.codeFor(key);
    await it.keys.flush();
    expect((await it.keys.list())[0]?.lastUsedAt).toBeUndefined();
  });
});
