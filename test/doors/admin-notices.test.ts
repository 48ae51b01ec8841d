import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";

let door: AdminDoorUnderTest;
const received: { path: string; body: string }[] = [];
let hook: ReturnType<typeof Bun.serve>;
const host = () => `127.0.0.1:${hook.port}`;
beforeAll(async () => {
  hook = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      received.push({ path, body: await request.text() });
      return new Response("what it says is for nobody", { status: path === "/full" ? 507 : 200 });
    },
  });
  door = await startAdminDoor({ docs: null, settings: { hand_over_hosts: host() } });
});
afterAll(async () => {
  await door.close();
  await hook.stop(true);
});

const input = (change: Record<string, unknown> = {}) => ({
  name: "On call",
  channel: "webhook",
  address: `http://${host()}/services/geheim`,
  kinds: ["source-failing"],
  ...change,
});
const add = (as: KeyName, change: Record<string, unknown> = {}) =>
  door.expectStatus(201, "POST", "/notices", { as, body: input(change) });
const idsFor = async (as: KeyName) => {
  const { body } = await door.ask("GET", "/notices", { as });
  return Array.isArray(body) ? body.map(({ id }) => id) : body;
};

describe("destinations of notices", () => {
  test("are added, shown without what they are signed with or where exactly they lead, changed and removed", async () => {
    const added = await add("own");
    expect(added).toMatchObject({
      leadsTo: `http://${host()}/…`,
      fault: null,
      last: null,
      waiting: 0,
      givenUp: 0,
    });
    expect(added["secret"]).toStartWith("docent_whs_");
    const path = `/notices/${added["id"]}`;
    const changed = await door.ask("PATCH", path, { body: { kinds: ["answer-stale"] } });
    expect(changed.body).toMatchObject({ name: "On call", kinds: ["answer-stale"] });
    const listed = await door.ask("GET", "/notices");
    for (const { text } of [changed, listed]) expect(text).not.toMatch(/geheim|docent_whs_/);
    await door.expectStatus(204, "DELETE", path);
    expect((await door.ask("DELETE", path)).status).toBe(404);
  });

  test("are tried, and what came back is told: the status alone", async () => {
    const good = await add("own");
    const full = await add("own", { address: `http://${host()}/full`, channel: "chat" });
    expect(full["secret"]).toBeNull();
    const tried = async (id: unknown) => (await door.ask("POST", `/notices/${id}/try`)).body;
    received.length = 0;
    expect(await tried(good["id"])).toEqual({ sent: true, says: "status 200" });
    expect(await tried(full["id"])).toEqual({ sent: false, says: "status 507" });
    expect(received.map(({ path }) => path)).toEqual(["/services/geheim", "/full"]);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ type: "notice", kind: "test" });
    expect(door.logged.join("")).not.toMatch(/geheim|docent_whs_/);
  });
});

describe("what is refused", () => {
  test("a host that the operator has not named, and what is no address", async () => {
    for (const [address, says] of [
      ["http://127.0.0.1:1/x", "hand_over_hosts"],
      ["http://169.254.169.254/latest", "hand_over_hosts"],
      ["file:///etc/passwd", "must begin with https://"],
    ]) {
      const { status, body } = await door.ask("POST", "/notices", { body: input({ address }) });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        message: expect.stringContaining(says ?? ""),
        details: [{ path: "address", message: expect.stringContaining(says ?? "") }],
      });
    }
    const mail = await door.ask("POST", "/notices", {
      body: input({ channel: "mail", address: "a@acme.example" }),
    });
    expect([mail.status, mail.text]).toEqual([400, expect.stringContaining("mail_server")]);
  });

  test.each([
    ["no name", { name: " " }],
    ["a kind that there is none of", { kinds: ["weather"] }],
    ["a channel that there is none of", { channel: "fax" }],
    ["two owners", { organization: "default", server: true }],
    ["more than is known", { secret: "mine" }],
  ])("%s", async (_, change) => {
    expect((await door.ask("POST", "/notices", { as: "server", body: input(change) })).status).toBe(400);
  });
});

describe("who may see what", () => {
  test("an organization sees its own, and the server's people everything", async () => {
    const own = (await add("own"))["id"];
    const other = (await add("other"))["id"];
    const server = (await add("server", { server: true, kinds: ["disk-full", "backup-failed"] }))["id"];
    expect(await idsFor("own")).toContain(own);
    expect(await idsFor("other")).toEqual([other]);
    for (const id of [own, other, server]) expect(await idsFor("server")).toContain(id);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/try"],
    ] as const) {
      const body = method === "PATCH" ? { name: "mine" } : undefined;
      const ask = async (as: KeyName, id: unknown) =>
        (await door.ask(method, `/notices/${id}${path}`, { as, ...(body && { body }) })).status;
      // One of somebody else is answered for as one that is not there.
      expect([await ask("own", other), await ask("own", server), await ask("own", "none")]).toEqual([
        404, 404, 404,
      ]);
      expect([await ask("ownRead", own), await ask("serverRead", server)]).toEqual([403, 403]);
      expect([await ask("none", own), await ask("assistant", own)]).toEqual([401, 401]);
    }
  });

  test("an organization is told nothing of the server", async () => {
    const server = await door.ask("POST", "/notices", { as: "own", body: input({ server: true }) });
    expect(server.status).toBe(403);
    const kinds = await door.ask("POST", "/notices", { as: "own", body: input({ kinds: ["disk-full"] }) });
    expect([kinds.status, kinds.text]).toEqual([400, expect.stringContaining("about the server")]);
  });

  test("what is wrong now is shown to whoever sees it, as a destination would be told of it", async () => {
    const { parts } = door.app;
    const place = { kind: "folder", location: "/nowhere/at/all", version: "", language: "" } as const;
    for (const domain of ["acme", "rival"]) {
      const site = await parts.people.sites.get(domain);
      const { id } = await parts.storage.content.sources.open({ siteId: site.id, ...place }, 1);
      const source = await parts.sources.ofSites.get(site.id, id);
      const run = parts.sources.ofSites.run(site, source, { signal: new AbortController().signal });
      await expect(run).rejects.toThrow();
    }
    const seenBy = async (as: KeyName) => {
      const { sealed, wrong } = presentSchema.parse((await door.ask("GET", "/wrong-now", { as })).body);
      expect(sealed).toBe(false);
      return wrong.map(({ kind, site }) => `${kind} ${site?.domain}`).sort();
    };
    expect(await seenBy("ownRead")).toEqual(["source-failing acme"]);
    expect(await seenBy("other")).toEqual(["source-failing rival"]);
    expect(await seenBy("serverRead")).toEqual(["source-failing acme", "source-failing rival"]);
    expect((await door.ask("GET", "/wrong-now", { as: "none" })).status).toBe(401);
  });
});

const presentSchema = z.object({
  sealed: z.boolean(),
  wrong: z.array(z.object({ kind: z.string(), site: z.object({ domain: z.string() }).nullable() })),
});
