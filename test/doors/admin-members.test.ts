import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { KeyName } from "../helpers/admin-door.ts";
import { type MemberDoor, type MemberName, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";
import { isShared } from "../helpers/shared-database.ts";

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor();
});
afterAll(() => door.close());

type Route = [method: string, path: string, body?: unknown];

const READS: Route[] = [
  ["GET", "/summary"],
  ["GET", "/ollama"],
  ["GET", "/organizations"],
  ["GET", "/sites"],
  ["GET", "/keys"],
  ["GET", "/members"],
];
const SITE_READS: Route[] = [
  ["GET", "/sites/acme"],
  ["GET", "/sites/acme/sources"],
  ["GET", "/sites/acme/generations"],
  ["GET", "/sites/acme/answers"],
  ["GET", "/../analytics/acme/assistant"],
  ["GET", "/../analytics/acme/gaps"],
];
/** None of them would change anything if it were let through: what it sends is refused, or not there. */
const SITE_WRITES: Route[] = [
  ["PATCH", "/sites/acme", { settings: { contact: "not an address" } }],
  ["DELETE", "/sites/acme", { confirm: "no" }],
  ["POST", "/sites/acme/sources", { place: "ftp://acme.example" }],
  ["POST", "/sites/acme/generations/rollback", { number: 77 }],
  ["PUT", "/sites/acme/answers/greeting", { markdown: "" }],
];
const SERVER: Route[] = [
  ["GET", "/admin-keys"],
  ["POST", "/organizations", { name: "" }],
  ["POST", "/admin-keys", { name: "x" }],
  ["DELETE", "/admin-keys/none"],
];

const ask = (as: MemberName, [method, path, body]: Route) =>
  door.send(method, `/v1/admin${path}`, { as, body });
const statuses = async (as: MemberName, routes: Route[]) =>
  Promise.all(routes.map(async (route) => (await ask(as, route)).status));
const each = (routes: Route[], status: number) => routes.map(() => status);
const list = async (as: MemberName, path: string): Promise<Record<string, unknown>[]> =>
  JSON.parse((await ask(as, ["GET", path])).text);
const names = async (as: MemberName, path: string) => (await list(as, path)).map(({ name }) => name);
const asKey = (key: KeyName, [method, path, body]: Route) => door.ask(method, path, { as: key, body });

describe("what a role opens", () => {
  test("everybody reads what is open to them", async () => {
    for (const as of ["root", "owner", "viewer", "both"] as const)
      expect([as, await statuses(as, [...READS, ...SITE_READS])]).toEqual([
        as,
        each([...READS, ...SITE_READS], 200),
      ]);
    expect(await statuses("foreign", READS)).toEqual(each(READS, 200));
  });

  test("owners are let in where something is written, viewers are refused", async () => {
    for (const as of ["root", "owner"] as const) {
      const seen = await statuses(as, SITE_WRITES);
      expect([as, seen.filter((status) => status === 403 || status === 401)]).toEqual([as, []]);
    }
    for (const as of ["viewer", "both"] as const)
      expect([as, await statuses(as, SITE_WRITES)]).toEqual([as, each(SITE_WRITES, 403)]);
  });

  test("a site of another organization is answered for as one that does not exist, to read and to write", async () => {
    const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");
    for (const [method, path, body] of [...SITE_READS, ...SITE_WRITES]) {
      const foreign = await ask("foreign", [method, path, body]);
      const missing = await ask("foreign", [method, path.replace("acme", "nowhere"), body]);
      expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
    }
  });

  test("what is the server's is for its owners alone", async () => {
    for (const as of ["owner", "viewer", "both", "foreign"] as const)
      expect([as, await statuses(as, [...SERVER, ["GET", "/backup"]])]).toEqual([
        as,
        each([...SERVER, SERVER[0] ?? ["", ""]], 403),
      ]);
    expect((await statuses("root", SERVER)).filter((status) => status === 403)).toEqual([]);
    const backup = await ask("root", ["GET", "/backup"]);
    expect([backup.status, backup.headers.get("content-type")]).toEqual(
      isShared ? [400, "application/json; charset=utf-8"] : [200, "application/vnd.sqlite3"],
    );
    const named = await ask("owner", ["PATCH", "/sites/acme", { hostNames: ["docs.acme.example"] }]);
    expect(named.status).toBe(403);
    expect((await ask("owner", ["GET", "/ollama"])).json).toEqual({ model: null });
    expect((await ask("root", ["GET", "/ollama"])).json).toHaveProperty("servers");
  });

  test("lists hold what is open and nothing else", async () => {
    const domains = async (as: MemberName) => (await list(as, "/sites")).map(({ domain }) => domain);
    expect(await Promise.all((["root", "owner", "foreign", "both"] as const).map(domains))).toEqual([
      ["acme", "rival"],
      ["acme"],
      ["rival"],
      ["acme", "rival"],
    ]);
    expect(await names("viewer", "/organizations")).toEqual(["default"]);
    expect((await ask("viewer", ["GET", "/summary"])).json).toMatchObject({ sites: 1, key: null });
  });

  test("who owns one organization and views another, changes the one and not the other", async () => {
    const body = (organization?: string) => ({
      domain: "Not A Domain",
      ...(organization && { organization }),
    });
    expect((await ask("both", ["POST", "/sites", body("default")])).status).toBe(403);
    expect((await ask("both", ["POST", "/sites", body("other")])).status).toBe(400);
    expect((await ask("both", ["POST", "/sites", body()])).status).toBe(400);
    expect((await ask("both", ["POST", "/sites", body("nowhere")])).status).toBe(404);
    expect((await ask("foreign", ["POST", "/sites", body("default")])).status).toBe(404);
    const [key] = await list("both", "/keys");
    expect((await ask("both", ["DELETE", `/keys/${key?.["id"]}`])).status).toBe(403);
    expect((await ask("foreign", ["DELETE", `/keys/${key?.["id"]}`])).status).toBe(404);
    expect((await ask("both", ["POST", "/keys", { sites: ["acme"] }])).status).toBe(403);
    expect((await ask("both", ["POST", "/keys", { sites: ["rival"] }])).status).toBe(201);
    expect((await ask("both", ["PATCH", "/sites/rival", { name: "Rival" }])).status).toBe(200);
  });

  test("a role that is taken away is gone with the next request", async () => {
    const { link, member } = await door.app.parts.people.members.invite("Fleeting", {
      organizationId: door.organizations.own,
      role: "owner",
    });
    await door.send("PUT", "/v1/session/link", { body: { link: link.text, password: PASSWORD } });
    const cookie = await door.signIn("Fleeting");
    const rename = async () => {
      const sent = { headers: { cookie }, body: { name: "Acme" } };
      return (await door.send("PATCH", "/v1/admin/sites/acme", sent)).status;
    };
    expect(await rename()).toBe(200);
    await ask("root", ["PATCH", `/members/${member.id}`, { organization: "default", role: "viewer" }]);
    expect(await rename()).toBe(403);
    await ask("root", ["DELETE", `/members/${member.id}`]);
    expect(await rename()).toBe(401);
  });
});

describe("members", () => {
  const invite = async (as: MemberName, body: Record<string, unknown>) => {
    const { status, json } = await ask(as, ["POST", "/members", body]);
    return { status, id: String(Object(json["member"])["id"]), json };
  };
  const OWN = { organization: "default", role: "viewer" };

  test("each sees those of their organizations, with the roles there alone", async () => {
    expect(await names("root", "/members")).toEqual(["both", "foreign", "owner", "root", "viewer"]);
    expect(await names("viewer", "/members")).toEqual(["both", "owner", "viewer"]);
    expect(await names("foreign", "/members")).toEqual(["both", "foreign"]);
    const both = (await list("owner", "/members")).find(({ name }) => name === "both");
    expect(both).toMatchObject({
      isServerOwner: false,
      state: "active",
      provider: null,
      lastSeenAt: expect.any(String),
      roles: [{ organizationId: door.organizations.own, role: "viewer" }],
    });
  });

  test("an owner invites to their organization, and to no other; a viewer to none; only the server's owners to the server", async () => {
    const made = await invite("owner", { name: "Hopper", ...OWN });
    expect([made.status, made.json["member"]]).toEqual([
      201,
      {
        id: made.id,
        name: "Hopper",
        isServerOwner: false,
        state: "invited",
        provider: null,
        lastSeenAt: null,
        roles: [{ organizationId: door.organizations.own, role: "viewer" }],
      },
    ]);
    for (const [as, body, status] of [
      ["owner", { name: "X", organization: "other", role: "owner" }, 404],
      ["owner", { name: "X", serverOwner: true }, 403],
      ["viewer", { name: "X", ...OWN }, 403],
      ["both", { name: "X", ...OWN }, 403],
      ["both", { name: "X", serverOwner: true }, 403],
      ["root", { name: " hopper", ...OWN }, 409],
      ["root", { name: "X" }, 400],
      ["root", { name: "X", ...OWN, serverOwner: true }, 400],
      ["root", { name: "X", ...OWN, role: "king" }, 400],
      ["root", { name: "a\nb", ...OWN }, 400],
      ["root", { name: "X", organization: "default", isServerOwner: true }, 400],
    ] as const)
      expect([as, body, (await invite(as, body)).status]).toEqual([as, body, status]);
    expect((await ask("owner", ["DELETE", `/members/${made.id}`])).status).toBe(204);
  });

  test("roles are changed by who owns the organization, and by nobody else", async () => {
    const { id } = await invite("root", { name: "Role", ...OWN });
    const change = async (as: MemberName, body: unknown) =>
      (await ask(as, ["PATCH", `/members/${id}`, body])).status;
    expect(await change("owner", { organization: "default", role: "owner" })).toBe(200);
    expect(await change("viewer", { organization: "default", role: "owner" })).toBe(403);
    expect(await change("both", { organization: "default", role: "viewer" })).toBe(403);
    expect(await change("foreign", { organization: "other", role: "viewer" })).toBe(404);
    expect(await change("owner", { organization: "other", role: "viewer" })).toBe(404);
    expect(await change("owner", { serverOwner: true })).toBe(403);
    expect(await change("owner", { organization: "default", role: null })).toBe(409);
    expect(await change("root", { organization: "other", role: "viewer" })).toBe(200);
    expect(await change("owner", { organization: "default", role: null })).toBe(200);
    expect(await change("owner", { organization: "default", role: "owner" })).toBe(404);
    for (const wrong of [
      {},
      { role: "owner" },
      { organization: "default" },
      { organization: "default", role: "owner", serverOwner: true },
    ])
      expect(await change("root", wrong)).toBe(400);
    expect((await ask("root", ["DELETE", `/members/${id}`])).status).toBe(204);
    expect(await change("root", { serverOwner: true })).toBe(404);
  });

  test("nobody makes themselves more than they are", async () => {
    const become = async (as: MemberName, body: unknown) =>
      (await ask(as, ["PATCH", `/members/${door.ids[as]}`, body])).status;
    expect(await become("viewer", { organization: "default", role: "owner" })).toBe(403);
    expect(await become("both", { organization: "default", role: "owner" })).toBe(403);
    expect(await become("owner", { serverOwner: true })).toBe(403);
    expect(await become("owner", { organization: "other", role: "owner" })).toBe(404);
  });

  test("who belongs elsewhere too is neither removed nor given a link by an organization's owner", async () => {
    for (const id of [door.ids.both]) {
      expect((await ask("owner", ["DELETE", `/members/${id}`])).status).toBe(403);
      expect((await ask("owner", ["POST", `/members/${id}/link`])).status).toBe(403);
    }
    const { id } = await invite("root", { name: "Chief", ...OWN });
    await ask("root", ["PATCH", `/members/${id}`, { serverOwner: true }]);
    expect((await ask("owner", ["POST", `/members/${id}/link`])).status).toBe(403);
    expect((await ask("owner", ["DELETE", `/members/${id}`])).status).toBe(403);
    expect((await ask("owner", ["DELETE", `/members/${door.ids.foreign}`])).status).toBe(404);
    expect((await ask("owner", ["POST", `/members/${door.ids.root}/link`])).status).toBe(404);
    expect((await ask("viewer", ["POST", `/members/${door.ids.viewer}/link`])).status).toBe(403);
    expect((await ask("root", ["DELETE", `/members/${id}`])).status).toBe(204);
  });

  test("a link that was kept opens nothing that its maker could not have given", async () => {
    const { id, json } = await invite("owner", { name: "Rising", ...OWN });
    const link = String(json["link"]).split("link=")[1];
    const redeem = () => door.send("PUT", "/v1/session/link", { body: { link, password: PASSWORD } });
    await ask("root", ["PATCH", `/members/${id}`, { serverOwner: true }]);
    const { status, headers } = await redeem();
    expect([status, headers.get("set-cookie")]).toEqual([404, null]);
    expect((await ask("root", ["POST", `/members/${id}/link`])).status).toBe(201);
    await ask("root", ["DELETE", `/members/${id}`]);
  });

  test("an owner gives a member of theirs a link for a lost password", async () => {
    const { id } = await invite("owner", { name: "Lost", ...OWN });
    const made = await ask("owner", ["POST", `/members/${id}/link`]);
    expect(made.status).toBe(201);
    const link = String(made.json["link"]).split("link=")[1];
    expect((await door.send("POST", "/v1/session/link", { body: { link } })).json).toEqual({
      purpose: "invited",
      name: "Lost",
    });
    await ask("root", ["DELETE", `/members/${id}`]);
  });

  test("the last owner of the server stays", async () => {
    expect((await ask("root", ["DELETE", `/members/${door.ids.root}`])).status).toBe(409);
    await ask("root", ["PATCH", `/members/${door.ids.root}`, { organization: "default", role: "owner" }]);
    expect((await ask("root", ["PATCH", `/members/${door.ids.root}`, { serverOwner: false }])).status).toBe(
      409,
    );
  });

  test("a key of the server that writes manages members as its owners do; one of an organization none", async () => {
    const sent: Route = ["POST", "/members", { name: "By key", ...OWN }];
    for (const [key, read, write] of [
      ["server", 200, 201],
      ["serverRead", 200, 403],
      ["own", 403, 403],
      ["ownRead", 403, 403],
      ["assistant", 401, 401],
      ["none", 401, 401],
    ] as const)
      expect([key, (await asKey(key, ["GET", "/members"])).status, (await asKey(key, sent)).status]).toEqual([
        key,
        read,
        write,
      ]);
    const { id } = await door.app.parts.people.members.named("By key");
    expect((await asKey("own", ["DELETE", `/members/${id}`])).status).toBe(403);
    expect((await asKey("server", ["POST", `/members/${id}/link`])).status).toBe(201);
    expect((await asKey("server", ["DELETE", `/members/${id}`])).status).toBe(204);
  });
});
