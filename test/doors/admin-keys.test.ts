import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { question } from "../helpers/docent.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

const names = async (path: string, as: KeyName) =>
  JSON.parse((await door.ask("GET", path, { as })).text).map(({ name }: { name: string }) => name);

describe("assistant keys", () => {
  test("one is made, opens what it says, and is revoked at once", async () => {
    const made = await door.expectStatus(201, "POST", "/keys", {
      body: { name: "page", sites: ["acme"], expiresDays: 90, addresses: ["127.0.0.0/8"] },
    });
    expect(made).toMatchObject({
      name: "page",
      sites: ["acme"],
      state: "active",
      addresses: ["127.0.0.0/8"],
    });
    const key = String(made["key"]);
    expect((await door.post(question("install?"), { key })).status).toBe(200);
    expect(await door.expectStatus(200, "DELETE", `/keys/${made["id"]}`)).toMatchObject({ state: "revoked" });
    expect((await door.post(question("install?"), { key })).status).toBe(401);
  });

  test("a key of an organization sees, makes and revokes keys of its own alone", async () => {
    const theirs = await door.expectStatus(201, "POST", "/keys", { as: "other", body: { name: "theirs" } });
    expect(await names("/keys", "other")).toEqual(["theirs"]);
    expect(await names("/keys", "own")).not.toContain("theirs");
    expect(await names("/keys", "server")).toContain("theirs");
    await door.expectStatus(404, "DELETE", `/keys/${theirs["id"]}`);
    await door.expectStatus(404, "DELETE", "/keys/theirs", { as: "other" });
    await door.expectStatus(404, "POST", "/keys", { body: { sites: ["rival"] } });
    await door.expectStatus(404, "POST", "/keys", { body: { organization: "other" } });
    await door.expectStatus(400, "POST", "/keys", { as: "server", body: { sites: ["acme", "rival"] } });
  });

  test("a name that is another key's id gets nobody that key", async () => {
    const [mine] = JSON.parse((await door.ask("GET", "/keys")).text);
    await door.expectStatus(201, "POST", "/keys", { as: "other", body: { name: mine.id } });
    await door.expectStatus(404, "DELETE", `/keys/${mine.id}`, { as: "other" });
    expect(await door.app.parts.people.keys.revoke(mine.id)).toMatchObject({ id: mine.id, name: mine.name });
  });

  test.each([
    [{ expiresDays: 0 }, "expiresDays"],
    [{ expiresDays: "90" }, "expiresDays"],
    [{ name: "" }, "name"],
    [{ sites: [] }, "sites"],
    [{ key: "docent_dsc_mine" }, "key"],
  ])("%j is refused", async (body, path) => {
    expect(await door.expectStatus(400, "POST", "/keys", { body })).toMatchObject({ details: [{ path }] });
  });

  test("a site that is named twice is opened once", async () => {
    const made = await door.expectStatus(201, "POST", "/keys", { body: { sites: ["acme", "acme"] } });
    expect(made["sites"]).toEqual(["acme"]);
  });

  test("an address that is none is refused", async () => {
    await door.expectStatus(400, "POST", "/keys", { body: { addresses: ["example.com"] } });
  });
});

describe("admin keys", () => {
  test("one is made, is told once, opens what it says, and is revoked at once", async () => {
    const made = await door.expectStatus(201, "POST", "/admin-keys", {
      as: "server",
      body: { name: "ci", organization: "other" },
    });
    const text = String(made["key"]);
    expect(made).toMatchObject({ name: "ci", mayWrite: false, state: "active" });
    const headers = { authorization: `Bearer ${text}` };
    expect((await door.ask("GET", "/sites/rival", { headers })).status).toBe(200);
    expect((await door.ask("GET", "/sites/acme", { headers })).status).toBe(404);
    expect((await door.ask("GET", "/admin-keys", { as: "server" })).text).not.toContain(text);
    await door.expectStatus(200, "DELETE", `/admin-keys/${made["id"]}`, { as: "server" });
    expect((await door.ask("GET", "/sites/rival", { headers })).status).toBe(401);
  });

  test("a key is for the server or for an organization, and says which", async () => {
    for (const scope of [{}, { server: true, organization: "other" }, { server: false }])
      await door.expectStatus(400, "POST", "/admin-keys", { as: "server", body: { name: "x", ...scope } });
    const made = await door.expectStatus(201, "POST", "/admin-keys", {
      as: "server",
      body: { name: "all", server: true, write: true, expiresDays: 1 },
    });
    expect(made).toMatchObject({ organizationId: null, mayWrite: true, expiresAt: expect.any(String) });
    await door.expectStatus(404, "POST", "/admin-keys", {
      as: "server",
      body: { name: "x", organization: "nobody" },
    });
  });

  test("a key of an organization cannot widen what it may do", async () => {
    for (const scope of [
      { server: true },
      { organization: "other" },
      { organization: "default", write: true },
    ])
      await door.expectStatus(403, "POST", "/admin-keys", { body: { name: "wider", ...scope } });
    const all = await door.app.parts.people.adminKeys.list();
    expect(all.map(({ name }) => name)).not.toContain("wider");
    for (const { id } of all) await door.expectStatus(403, "DELETE", `/admin-keys/${id}`);
    expect(
      (await door.app.parts.people.adminKeys.list()).filter(({ revokedAt }) => revokedAt !== undefined),
    ).toHaveLength(1);
  });
});
