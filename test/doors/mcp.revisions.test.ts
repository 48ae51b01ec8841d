import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

// What each revision of the protocol says that a server does, on the wire. The official clients are in test/doors/mcp.

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

type Headers = Record<string, string | undefined>;

async function send(body: unknown, headers: Headers = {}) {
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${docent.key}`,
    ...headers,
  };
  const known = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const reply = await fetch(`${docent.url}/mcp/acme`, {
    method: "POST",
    headers: Object.fromEntries(known),
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  const type = reply.headers.get("content-type")?.split(";")[0];
  return {
    status: reply.status,
    type,
    text,
    body: type === "application/json" ? JSON.parse(text) : undefined,
    headers: reply.headers,
  };
}

const NEWEST = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": NEWEST,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const message = (method: string, params: Record<string, unknown> = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
/** A request of the newest revision: it says of itself what a session would know. */
const alone = (method: string, params: Record<string, unknown> = {}, envelope: object = ENVELOPE) =>
  message(method, { ...params, _meta: envelope });
const named = (method: string, name?: string): Headers => ({
  "mcp-protocol-version": NEWEST,
  "mcp-method": method,
  "mcp-name": name,
});
const LIST = message("tools/list");
const SEARCH = { name: "search_docs", arguments: { query: "install" } };

describe("a client with a handshake", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "speaks %s with a server that knows it",
    async (revision) => {
      const params = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      };
      const { status, body, headers } = await send(message("initialize", params));
      expect([status, body.result.protocolVersion]).toEqual([200, revision]);
      expect(headers.get("mcp-session-id")).toBeNull();
      const found = await send(message("tools/call", SEARCH), { "mcp-protocol-version": revision });
      expect([found.status, found.body.result.structuredContent.results[0].path]).toEqual([
        200,
        "guide/install",
      ]);
    },
  );

  test("that knows a later revision than the server is told one that both know", async () => {
    const params = {
      protocolVersion: "2099-01-01",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const { body } = await send(message("initialize", params));
    expect(body.result.protocolVersion).toBe("2025-11-25");
  });
});

describe("a client of the newest revision", () => {
  test("is told who the server is and what it speaks, without a handshake or a session", async () => {
    const { status, body, headers } = await send(alone("server/discover"), named("server/discover"));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: expect.arrayContaining([NEWEST]),
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining("search_docs"),
      ttlMs: expect.any(Number),
      cacheScope: "private",
    });
    expect(body.result._meta["io.modelcontextprotocol/serverInfo"]).toMatchObject({ name: "docent" });
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  test("calls a tool and reads a page in one request each", async () => {
    const found = await send(alone("tools/call", SEARCH), named("tools/call", "search_docs"));
    expect(found.body.result.structuredContent.results[0].path).toBe("guide/install");
    const uri = "docent://acme/guide/install";
    const page = await send(alone("resources/read", { uri }), named("resources/read", uri));
    expect(page.body.result.contents[0]).toMatchObject({ uri, mimeType: "text/markdown" });
    expect(page.body.result).toMatchObject({ cacheScope: "private" });
    const encoded = named("resources/read", `=?base64?${btoa(uri)}?=`);
    expect((await send(alone("resources/read", { uri }), encoded)).status).toBe(200);
  });

  test("is told which page is not there", async () => {
    const uri = "docent://acme/nowhere";
    const { body } = await send(alone("resources/read", { uri }), named("resources/read", uri));
    expect(body.error).toEqual({ code: -32602, message: "There is no such page.", data: { uri } });
  });

  test.each([
    ["another method", named("tools/call", "search_docs"), alone("tools/list")],
    ["no method", { "mcp-protocol-version": NEWEST }, alone("tools/list")],
    ["another tool", named("tools/call", "read_page"), alone("tools/call", SEARCH)],
    ["no tool", named("tools/call"), alone("tools/call", SEARCH)],
    [
      "another page",
      named("resources/read", "docent://acme/x"),
      alone("resources/read", { uri: "docent://acme/y" }),
    ],
    [
      "another revision",
      { ...named("tools/list"), "mcp-protocol-version": "2025-11-25" },
      alone("tools/list"),
    ],
  ])("whose headers name %s than its body is refused", async (_, headers, body) => {
    const reply = await send(body, headers);
    expect([reply.status, reply.body.error.code, reply.body.id]).toEqual([400, -32020, 1]);
  });

  test("of a revision to come is told which ones there are", async () => {
    const later = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const { status, body } = await send(alone("tools/list", {}, later), {
      ...named("tools/list"),
      "mcp-protocol-version": "2099-01-01",
    });
    expect([status, body.error.code]).toEqual([400, -32022]);
    expect(body.error.data).toEqual({ supported: [NEWEST], requested: "2099-01-01" });
  });

  test("that says only in a header what it speaks is told what is missing", async () => {
    const { status, body } = await send(LIST, named("tools/list"));
    expect([status, body.error.code]).toEqual([400, -32602]);
  });

  test("a method that is not there is 404, and an error of the protocol", async () => {
    const { status, body } = await send(alone("prompts/list"), named("prompts/list"));
    expect([status, body.error.code]).toEqual([404, -32601]);
  });

  test("nothing is to be listened to: a subscription ends when it has been acknowledged", async () => {
    const wanted = { notifications: { toolsListChanged: true, resourcesListChanged: true } };
    const { status, type, text } = await send(
      alone("subscriptions/listen", wanted),
      named("subscriptions/listen"),
    );
    expect([status, type]).toEqual([200, "text/event-stream"]);
    const events = text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events.map(({ method, result }) => method ?? result.resultType)).toEqual([
      "notifications/subscriptions/acknowledged",
      "complete",
    ]);
    expect(events[0].params.notifications).toEqual({});
  });
});

describe("the type of an answer", () => {
  test.each([undefined, "application/json", "application/*;q=0.8", "text/html, */*;q=0.1"])(
    "is JSON for a client that accepts %s",
    async (accept) => {
      for (const [body, headers] of [
        [LIST, {}],
        [alone("tools/list"), named("tools/list")],
      ] as const) {
        const reply = await send(body, { ...headers, accept });
        expect([reply.status, reply.type, reply.body.result.tools.length]).toEqual([
          200,
          "application/json",
          4,
        ]);
      }
    },
  );

  test.each(["text/html", "text/event-stream"])(
    "is none for a client that accepts only %s",
    async (accept) => {
      expect((await send(LIST, { accept })).status).toBe(406);
      expect((await send(alone("tools/list"), { ...named("tools/list"), accept })).status).toBe(406);
    },
  );
});

describe("a batch", () => {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const batch = [message("tools/list", {}, 1), notification, message("tools/call", SEARCH, 2)];

  test.each([undefined, "2025-03-26"])("is answered together where the revision is %s", async (revision) => {
    const { status, body } = await send(batch, { "mcp-protocol-version": revision });
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    expect(body[1].result.structuredContent.results[0].path).toBe("guide/install");
  });

  test("in which one message takes another back is answered all the same", async () => {
    const takesBack = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const { body } = await send([takesBack, message("tools/list", {}, 1), takesBack]);
    expect(body.map(({ id }: { id: number }) => id)).toEqual([1]);
  });

  test("of notifications alone is taken without an answer", async () => {
    const { status, text } = await send([notification, notification]);
    expect([status, text]).toEqual([202, ""]);
  });

  test("has an error for each message that is none", async () => {
    const { body } = await send([
      1,
      message("tools/list", {}, 7),
      { jsonrpc: "1.0" },
      message("nothing", {}, 8),
    ]);
    expect(body.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code])).toEqual(
      [
        [null, expect.any(Number)],
        [7, undefined],
        [null, expect.any(Number)],
        [8, -32601],
      ],
    );
  });

  test.each([
    ["of a revision that has none", batch, "2025-06-18"],
    ["of the newest revision", [alone("tools/list")], NEWEST],
    ["that is empty", [], undefined],
    ["with a handshake", [message("initialize")], undefined],
    ["in a batch", [[LIST]], undefined],
    ["that is long", Array.from({ length: 51 }, () => LIST), undefined],
  ])("%s is refused", async (_, messages, revision) => {
    const { status, body } = await send(messages, { "mcp-protocol-version": revision });
    expect([status, body.error.code]).toEqual([400, -32600]);
  });
});
