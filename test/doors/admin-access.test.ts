import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

type Route = [method: string, path: string, body?: unknown];

const READ: Route[] = [
  ["GET", "/summary"],
  ["GET", "/ollama"],
  ["GET", "/organizations"],
  ["GET", "/sites"],
  ["GET", "/keys"],
  ["GET", "/models"],
  ["GET", "/defaults"],
];
const READ_SITE: Route[] = [
  ["GET", "/sites/acme"],
  ["GET", "/sites/acme/sources"],
  ["GET", "/sites/acme/sources/1"],
  ["GET", "/sites/acme/sources/1/ledger"],
  ["GET", "/sites/acme/sources/1/runs"],
  ["GET", "/sites/acme/generations"],
  ["GET", "/sites/acme/pages"],
  ["GET", "/sites/acme/page"],
  ["GET", "/sites/acme/runs"],
  ["POST", "/sites/acme/explain", { question: "install" }],
  ["GET", "/sites/acme/answers"],
];
/** None of them would change anything if it were let through: what it sends is refused, or not there. */
const WRITE_SITE: Route[] = [
  ["PATCH", "/sites/acme", { settings: { contact: "not an address" } }],
  ["DELETE", "/sites/acme", { confirm: "no" }],
  ["POST", "/sites/acme/sources", { place: "ftp://acme.example" }],
  ["PATCH", "/sites/acme/sources/1", { everyMs: 1 }],
  ["DELETE", "/sites/acme/sources/1", { confirm: 7 }],
  ["POST", "/sites/acme/uploads?name=a.zip", "no archive"],
  ["PUT", "/sites/acme/uploads/1", "no archive"],
  ["POST", "/sites/acme/sources/1/runs", { force: "maybe" }],
  ["POST", "/sites/acme/generations/rollback", { number: 77 }],
  ["PUT", "/sites/acme/answers/greeting", { markdown: "" }],
  ["DELETE", "/sites/acme/answers/greeting"],
];
const WRITE: Route[] = [
  ["POST", "/sites", { domain: "Not A Domain" }],
  ["POST", "/keys", { expiresDays: 0 }],
  ["DELETE", "/keys/none"],
];
const SERVER_READ: Route[] = [
  ["GET", "/server"],
  ["GET", "/admin-keys"],
];
const SERVER_WRITE: Route[] = [
  ["POST", "/organizations", { name: "" }],
  ["POST", "/admin-keys", { name: "x" }],
  ["DELETE", "/admin-keys/none"],
];
const BACKUP: Route[] = [["GET", "/backup"]];
const ALL = [...READ, ...READ_SITE, ...WRITE_SITE, ...WRITE, ...SERVER_READ, ...SERVER_WRITE, ...BACKUP];

const statuses = async (routes: Route[], as: KeyName) =>
  Promise.all(
    routes.map(async ([method, path, body]) => (await door.ask(method, path, { as, body })).status),
  );
const each = (routes: Route[], status: number) => routes.map(() => status);

describe("who opens the admin API", () => {
  test.each(["assistant", "none"] as const)("nothing is open to the key: %s", async (as) => {
    expect(await statuses(ALL, as)).toEqual(each(ALL, 401));
  });

  test("a key that reads, reads what its organization has, and changes nothing", async () => {
    expect(await statuses([...READ, ...READ_SITE], "ownRead")).toEqual(each([...READ, ...READ_SITE], 200));
    const writes = [...WRITE, ...WRITE_SITE, ...SERVER_WRITE, ...BACKUP];
    expect(await statuses(writes, "ownRead")).toEqual(each(writes, 403));
  });

  test("a key of an organization opens nothing that is the server's", async () => {
    const routes = [...SERVER_READ, ...SERVER_WRITE, ...BACKUP];
    expect(await statuses(routes, "own")).toEqual(each(routes, 403));
  });

  test("a key of the server that reads, reads everything but a backup", async () => {
    const routes = [...READ, ...READ_SITE, ...SERVER_READ];
    expect(await statuses(routes, "serverRead")).toEqual(each(routes, 200));
    expect(await statuses(BACKUP, "serverRead")).toEqual([403]);
  });

  test("a site of another organization is answered for as one that does not exist", async () => {
    for (const [method, path, body] of [...READ_SITE, ...WRITE_SITE]) {
      const foreign = await door.ask(method, path, { as: "other", body });
      const missing = await door.ask(method, path.replace("acme", "nowhere"), { as: "other", body });
      const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");
      expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
    }
  });

  test("a page of another origin may not ask, and is given no leave to read", async () => {
    const reply = await door.ask("GET", "/sites", { headers: { origin: "https://evil.example" } });
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    const preflight = await door.ask("OPTIONS", "/sites", { headers: { origin: "https://evil.example" } });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("no reply is kept by a cache", async () => {
    expect((await door.ask("GET", "/sites")).headers.get("cache-control")).toBe("no-store");
    expect((await door.ask("GET", "/sites/nowhere")).headers.get("cache-control")).toBe("no-store");
  });

  test("what is not JSON is refused, and a field that is not known is told by its place", async () => {
    const form = { headers: { "content-type": "text/plain" }, body: "x" };
    expect((await door.ask("PATCH", "/sites/acme", form)).status).toBe(415);
    const typo = await door.expectStatus(400, "PATCH", "/sites/acme", {
      body: { nam: "x", settings: { contac: "" } },
    });
    expect(typo["details"]).toEqual([
      { path: "settings.contac", message: "is not known" },
      { path: "nam", message: "is not known" },
    ]);
  });
});

describe("what there is", () => {
  test("the summary counts what the key opens", async () => {
    expect(await door.expectStatus(200, "GET", "/summary")).toMatchObject({ sites: 1, sources: 1, pages: 4 });
    expect(await door.expectStatus(200, "GET", "/summary", { as: "other" })).toMatchObject({
      sites: 1,
      sources: 0,
      pages: 0,
      key: { mayWrite: true },
    });
    expect(await door.expectStatus(200, "GET", "/summary", { as: "serverRead" })).toMatchObject({
      sites: 2,
      sources: 1,
      pages: 4,
      key: { organizationId: null, mayWrite: false },
    });
  });

  test("where Ollama is, and what is wrong there, is told to keys of the server alone", async () => {
    expect(await door.expectStatus(200, "GET", "/ollama")).toEqual({ model: null });
    const { servers } = await door.expectStatus(200, "GET", "/ollama", { as: "serverRead" });
    expect(servers).toMatchObject([{ url: "http://127.0.0.1:1", model: null, hint: expect.any(String) }]);
  });
});
