import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { call, connect, faultOf, textOf } from "../helpers/mcp-client.ts";
import { INTERNAL } from "../helpers/nearly-right.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

// The door itself: who may come in, from where, with what. What the tools do is in test/doors/mcp.

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ settings: { admin_hosts: "agents.example" } });
  await addSiteWithPages(docent, "open", { "index.md": "# Start\n\nOpen to all." });
  await docent.app.parts.people.sites.set("open", { hostNames: ["docs.open.example"] });
});
afterAll(() => docent.close());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const SEARCH = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "search_docs", arguments: { query: "install" } },
};

interface Sent {
  domain?: string;
  key?: string | null;
  headers?: Record<string, string>;
  method?: string;
  to?: TestDocent;
}

async function send(
  body: unknown,
  { domain = "acme", key, headers = {}, method = "POST", to = docent }: Sent = {},
) {
  const reply = await fetch(`${to.url}/mcp/${domain}`, {
    method,
    headers: {
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      accept: "application/json, text/event-stream",
      ...(key === null ? {} : { authorization: `Bearer ${key ?? to.key}` }),
      ...headers,
    },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: text === "" || text.startsWith("event:") ? undefined : JSON.parse(text),
  };
}

/** What can be told apart of a refusal. */
async function refusal(sent: Sent) {
  const { status, body } = await send(LIST, sent);
  return { status, body: { ...body, requestId: "" } };
}

describe("who may come in", () => {
  test("whoever has a key of the site", async () => {
    const { status, body } = await send(LIST);
    expect([status, body.result.tools.length]).toEqual([200, 4]);
  });

  test("a site is known by the host of its URL too", async () => {
    expect((await send(LIST, { domain: "docs.acme.example" })).status).toBe(200);
  });

  test("a stranger learns nothing, not even whether a site exists", async () => {
    const there = await refusal({ key: null });
    expect([there.status, there.body.code]).toEqual([401, "unauthorized"]);
    expect(await refusal({ key: null, domain: "nowhere" })).toEqual(there);
    expect((await refusal({ key: "docent_dsc_unknown" })).status).toBe(401);
    expect((await send("{", { key: null })).status).toBe(401);
  });

  test("a key of other sites opens none but theirs: such a site is exactly one that is not there", async () => {
    const { people } = docent.app.parts;
    const other = await people.sites.add({ domain: "other" });
    const { key } = await people.keys.create({
      organizationId: other.organizationId,
      name: "other",
      siteIds: [other.id],
    });
    const closed = await refusal({ key });
    expect([closed.status, closed.body.code]).toEqual([404, "not_found"]);
    expect(await refusal({ key, domain: "nowhere" })).toEqual(closed);
    expect((await refusal({ key, domain: "other" })).status).toBe(200);
  });

  test("everyone, where the site's content is public, and no longer when it is not", async () => {
    expect((await send(LIST, { domain: "open", key: null })).status).toBe(200);
    await docent.app.parts.people.sites.set("open", { settings: { public: false } });
    expect((await send(LIST, { domain: "open", key: null })).status).toBe(401);
    await docent.app.parts.people.sites.set("open", { settings: { public: true } });
  });

  test("an admin key is no key here", async () => {
    const admin = { name: "admin", organizationId: undefined, mayWrite: true, expiresDays: undefined };
    const { text: key } = await docent.app.parts.people.adminKeys.create(admin);
    expect((await refusal({ key })).status).toBe(401);
  });
});

describe("where a request comes from", () => {
  test.each(["localhost:1", "127.0.0.1", "[::1]:4747", "AGENTS.example.", "agents.example:8443"])(
    "sent to the host %s, it is answered",
    async (host) => {
      expect((await send(LIST, { headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "localhost.evil.example",
    "agents.example.evil",
    "10.0.0.1",
    "evil.example:4747",
  ])("sent to the host %s, which nobody named, it is refused before its key is looked at", async (host) => {
    const { status, body } = await send(LIST, { key: null, headers: { host } });
    expect([status, body.code]).toEqual([403, "forbidden"]);
  });

  test("a host that is none is the sender's fault", async () => {
    const { status, body } = await send(LIST, { headers: { host: "@" } });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  });

  test("a host name that was given to a site is named for that site alone", async () => {
    const host = "docs.open.example";
    expect((await send(LIST, { domain: "open", key: null, headers: { host } })).status).toBe(200);
    expect((await send(LIST, { domain: "acme", headers: { host } })).status).toBe(404);
  });

  test("a page of its own origin is answered, one of another is refused, also on a public site", async () => {
    const { host, origin } = new URL(docent.url);
    expect((await send(LIST, { headers: { origin } })).status).toBe(200);
    for (const foreign of [
      "https://evil.example",
      `http://localhost:1`,
      "null",
      `http://${host}.evil.example`,
    ]) {
      for (const domain of ["acme", "open"]) {
        const { status, body, headers } = await send(LIST, { domain, headers: { origin: foreign } });
        expect([status, body.code]).toEqual([403, "forbidden"]);
        expect(headers.get("access-control-allow-origin")).toBeNull();
      }
    }
  });
});

describe("what may be sent", () => {
  test("there is no session to listen to or to end", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await send(undefined, { method });
      expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    }
    const { headers } = await send(LIST);
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  test("a notification is taken without an answer", async () => {
    const { status, text } = await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([status, text]).toEqual([202, ""]);
  });

  test.each([
    ["no JSON", "{", {}, 400],
    ["no message", { hello: 1 }, {}, 400],
    ["another type", LIST, { "content-type": "text/plain" }, 415],
    ["a client that takes no JSON", LIST, { accept: "text/html" }, 406],
    ["a version that nobody knows", LIST, { "mcp-protocol-version": "1999-01-01" }, 400],
  ])("%s is refused", async (_, body, headers, expected) => {
    expect((await send(body, { headers })).status).toBe(expected);
  });

  test("a body over the bound is refused", async () => {
    const small = await startDocent({ settings: { body_bytes: "10000" } });
    const { status, body } = await send({ ...LIST, params: { x: "x".repeat(20_000) } }, { to: small });
    await small.close();
    expect([status, body.code]).toEqual([413, "too_large"]);
  });

  test.each(["no_such_tool", "constructor", "__proto__", ""])("the tool %j is not there", async (name) => {
    const { status, body } = await send({ ...SEARCH, params: { name, arguments: {} } });
    expect([status, body.error.code]).toEqual([200, -32602]);
  });

  test("a method that is not there is an error of the protocol", async () => {
    const { status, body } = await send({ ...LIST, method: "prompts/list" });
    expect([status, body.error.code]).toEqual([200, -32601]);
  });
});

describe("limits", () => {
  test("tools count to the same meters as the operations of the API, with a key and without", async () => {
    const small = await startDocent({
      settings: { organization_searches_per_hour: "2", organization_pages_per_hour: "4" },
    });
    try {
      await addSiteWithPages(small, "open", { "index.md": "# Start\n\nOpen to all." });
      const client = await connect(small.url, "acme", { authorization: `Bearer ${small.key}` });
      const guest = await connect(small.url, "open");
      expect((await call(client, "search_docs", { query: "install" })).isError).toBeUndefined();
      const posted = await fetch(`${small.url}/v1/search/acme`, {
        method: "POST",
        headers: { authorization: `Bearer ${small.key}`, "content-type": "application/json" },
        body: '{"query":"install"}',
      });
      expect(posted.status).toBe(200);
      const refused = await call(guest, "search_docs", { query: "open" });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch(/^Too many requests\..* Wait \d+ seconds\.$/);
      expect((await call(client, "list_pages")).isError).toBeUndefined();
      expect((await call(client, "read_page", { path: "guide/install" })).isError).toBeUndefined();
      expect((await call(client, "fetch", { id: "/guide/install#linux" })).isError).toBeUndefined();
      await guest.readResource({ uri: "docent://open/" });
      expect((await call(client, "list_pages")).isError).toBe(true);
      expect((await call(client, "fetch", { id: "/guide/install" })).isError).toBe(true);
      const [code, message] = await faultOf(guest.listResources());
      expect([code, message]).toEqual([-32600, expect.stringMatching(/^Too many requests/)]);
      await client.close();
      await guest.close();
    } finally {
      await small.close();
    }
  });

  test("a fault of ours is not told, and is in the log", async () => {
    const broken = await startDocent({ expectErrors: true });
    const client = await connect(broken.url, "acme", { authorization: `Bearer ${broken.key}` });
    databaseOf(broken.app).run("ALTER TABLE pages RENAME COLUMN markdown TO gone");
    const refused = await call(client, "read_page", { path: "guide/install" });
    expect([refused.isError, textOf(refused)]).toEqual([true, "Internal error"]);
    const error = await faultOf(client.readResource({ uri: "docent://acme/guide/install" }));
    expect(error).toEqual([-32603, "Internal error"]);
    expect(broken.logged.join("")).toMatch(/no such column|does not exist/);
    await client.close();
    await broken.close();
  });
});

const NEWEST = "2026-07-28";
const MESSAGES = 2000;
const JUNK: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  "\0",
  "\ud800",
  "x".repeat(3000),
  "__proto__",
  "2.0",
  [],
  {},
  [null],
  "docent://acme/%",
  "docent://acme/../..",
  "../../etc/passwd",
  "Z3VpZGU",
  { toString: 1 },
  { task: {} },
];
const METHODS = [
  "tools/call",
  "tools/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "initialize",
  "server/discover",
  "subscriptions/listen",
  "ping",
  "logging/setLevel",
  "tasks/list",
  "completion/complete",
  "notifications/cancelled",
  "",
];

test(`${MESSAGES} messages that are nearly right are answered or refused, and none tells of the inside`, async () => {
  const random = seededRandom(20261121);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const maybe = (value: unknown) => (random() < 0.3 ? pick(JUNK) : value);
  const seen = new Map<number, number>();
  const envelope = () => ({
    "io.modelcontextprotocol/protocolVersion": maybe(NEWEST),
    "io.modelcontextprotocol/clientInfo": maybe({ name: "test", version: "1" }),
    "io.modelcontextprotocol/clientCapabilities": maybe({}),
  });
  /** The headers of the newest revision, which say what is in the body, or nearly. */
  const metadata = (method = "", name: unknown = ""): Record<string, string> =>
    random() < 0.5
      ? {}
      : {
          "mcp-protocol-version": random() < 0.9 ? NEWEST : "2025-03-26",
          "mcp-method": method,
          ...(typeof name === "string" ? { "mcp-name": encodeURIComponent(name.toWellFormed()) } : {}),
        };
  for (let at = 0; at < MESSAGES; at++) {
    const given = {
      ...(random() < 0.7 ? { query: maybe("install"), limit: maybe(2) } : {}),
      ...(random() < 0.5
        ? {
            path: maybe("guide/install"),
            id: maybe("/guide/install#linux"),
            heading: maybe("Linux"),
            offset: maybe(1),
            cursor: maybe("L2d1aWRl"),
          }
        : {}),
      ...(random() < 0.2 ? { under: maybe("guide"), version: maybe("1"), tag: maybe("x") } : {}),
    };
    const params = {
      name: maybe(pick(["search_docs", "read_page", "fetch", "list_pages"])),
      arguments: maybe(given),
      ...(random() < 0.3 ? { uri: maybe("docent://acme/guide/install"), cursor: maybe("L2d1aWRl") } : {}),
      ...(random() < 0.1 ? { task: maybe({ ttl: 1 }), _meta: maybe({ progressToken: 1 }) } : {}),
      ...(random() < 0.3 ? { _meta: maybe(envelope()), notifications: maybe({}) } : {}),
      ...(random() < 0.1
        ? { protocolVersion: maybe("2025-06-18"), capabilities: maybe({}), requestId: maybe(1) }
        : {}),
    };
    const message = {
      jsonrpc: random() < 0.05 ? pick(JUNK) : "2.0",
      id: maybe(at),
      method: pick(METHODS),
      params,
    };
    const sent = random() < 0.1 ? [message, pick(JUNK), message] : message;
    const text = JSON.stringify(random() < 0.03 ? pick(JUNK) : sent) ?? "";
    const cut = random() < 0.02 ? text.slice(0, at % 60) : text;
    const { status, text: reply } = await send(cut, { headers: metadata(message.method, params.name) });
    seen.set(status, (seen.get(status) ?? 0) + 1);
    expect([200, 202, 400, 404], `${text}\n${reply}`).toContain(status);
    expect(reply, text).not.toMatch(INTERNAL);
  }
  for (const status of [200, 400, 404]) expect(seen.get(status) ?? 0).toBeGreaterThan(MESSAGES / 100);
  expect(z.object({ result: z.unknown() }).safeParse((await send(LIST)).body).success).toBe(true);
});
