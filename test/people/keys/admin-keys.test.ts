import { describe, expect, test } from "bun:test";
import { createAdminKeys } from "../../../src/people/keys/admin-keys.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite, ORGANIZATION } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const DAY_MS = 24 * 3600 * 1000;

async function opened() {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  await addSite(storage.sites, "docs");
  const keys = createAdminKeys({ store: storage.adminKeys, clock, ids: testIds(clock) });
  const create = (change: Partial<Parameters<typeof keys.create>[0]> = {}) =>
    keys.create({ name: "ci", organizationId: ORGANIZATION.id, mayWrite: false, ...change });
  const codeFor = async (text: string | undefined) => (await appErrorOf(() => keys.authenticate(text))).code;
  return { storage, keys, create, codeFor, clock, advance, [Symbol.dispose]: storage[Symbol.dispose] };
}

describe("admin keys", () => {
  test("a key is docent_adm_ and 33 characters, and nothing stored holds it", async () => {
    using it = await opened();
    const { text } = await it.create();
    expect(text).toMatch(/^docent_adm_[1-9A-HJ-NP-Za-km-z]{33}$/);
    const stored = JSON.stringify(it.storage.database.query("SELECT * FROM admin_keys").all());
    expect(stored).not.toContain(text);
    expect(stored).not.toContain(text.slice("docent_adm_".length));
    expect(JSON.stringify(await it.keys.list())).not.toContain(text);
  });

  test("a key of an organization manages that one and no other; one of the server manages all", async () => {
    using it = await opened();
    const own = await it.keys.authenticate((await it.create()).text);
    expect([own.manages(ORGANIZATION.id), own.manages("org-2"), own.mayWrite]).toEqual([true, false, false]);
    const all = await it.keys.authenticate(
      (await it.create({ organizationId: undefined, mayWrite: true })).text,
    );
    expect([all.manages(ORGANIZATION.id), all.manages("org-2"), all.mayWrite]).toEqual([true, true, true]);
  });

  test("no key, an unknown one, a malformed one and an assistant key are unauthorized", async () => {
    using it = await opened();
    const { text } = await it.create();
    const assistant = text.replace("docent_adm_", "docent_dsc_");
    for (const wrong of [undefined, "", "docent_adm_", `${text}1`, text.slice(0, -1), ` ${text}`, assistant])
      expect(await it.codeFor(wrong)).toBe("unauthorized");
  });

  test("a key ends at its time, and at once when it is revoked", async () => {
    using it = await opened();
    const { text } = await it.create({ expiresDays: 1 });
    it.advance(DAY_MS - 1);
    await it.keys.authenticate(text);
    it.advance(1);
    expect(await it.codeFor(text)).toBe("unauthorized");
    const revoked = await it.create({ name: "other" });
    await it.keys.revoke("other");
    expect(await it.codeFor(revoked.text)).toBe("unauthorized");
  });

  test("two keys of one name are revoked by their ids", async () => {
    using it = await opened();
    const { key } = await it.create();
    await it.create();
    expect((await appErrorOf(() => it.keys.revoke("ci"))).code).toBe("conflict");
    await it.keys.revoke(key.id);
    await it.keys.revoke("ci");
    expect((await appErrorOf(() => it.keys.revoke("ci"))).code).toBe("not_found");
  });

  test("when a key was last used is written down by a flush", async () => {
    using it = await opened();
    const { text } = await it.create();
    await it.keys.authenticate(text);
    expect((await it.keys.list())[0]?.lastUsedAt).toBeUndefined();
    await it.keys.flush();
    expect((await it.keys.list())[0]?.lastUsedAt).toBe(it.clock());
  });
});
