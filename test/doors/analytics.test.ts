import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";
import { databaseOf } from "../helpers/database-of.ts";

const LINUX = "How do I install Acme on Linux?";

let door: AnalyticsDoor;
let said: { threadId: string; messageId: string }[];
beforeAll(async () => {
  door = await startAnalyticsDoor();
  const first = await door.asked(LINUX, { currentPath: "/guide/install" });
  const second = await door.asked("And on macOS?", { threadId: first.threadId });
  const third = await door.asked("zzqx wvvk blorptastic?");
  said = [first, second, third];
});
afterAll(() => door.close());

describe("conversations", () => {
  test("are what was asked and answered, newest first", async () => {
    const { status, headers, body } = await door.read("/acme/assistant");
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toMatchObject({
      conversations: said.toReversed().map(({ messageId, threadId }) => ({ id: messageId, threadId })),
      nextCursor: null,
      hasMore: false,
    });
    const [newest, , oldest] = await door.list("/acme/assistant", "conversations");
    expect(newest).toMatchObject({ resolutionStatus: "unanswered", sources: [], pageUrl: null });
    expect(oldest).toMatchObject({
      timestamp: "2026-01-02T03:04:06.000Z",
      query: LINUX,
      responseType: "answer",
      resolutionStatus: "answered",
      outcome: "quoted",
      queryCategory: null,
      caller: "api",
      pageUrl: "https://docs.acme.example/guide/install",
      response: expect.stringContaining("installer"),
    });
    expect(oldest?.["sources"]).toContainEqual({
      title: "Install Acme",
      url: "https://docs.acme.example/guide/install#linux",
    });
  });

  test("come part by part, none twice and none left out while new ones come in", async () => {
    const seen: unknown[] = [];
    let cursor = "";
    for (let part = 0; part < 5; part++) {
      const { body } = await door.read(`/acme/assistant?limit=1&dateTo=2026-01-02T03:04:09Z${cursor}`);
      const { conversations, nextCursor, hasMore } = Object(body);
      seen.push(...conversations.map(({ id }: { id: string }) => id));
      expect(hasMore).toBe(nextCursor !== null);
      if (nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
      await door.asked(`Something new ${part}?`);
    }
    expect(seen).toEqual(said.map(({ messageId }) => messageId).toReversed());
  });

  test("are those from dateFrom on and before dateTo", async () => {
    const ids = async (query: string) =>
      (await door.list(`/acme/assistant?${query}`, "conversations")).map(({ id }) => id);
    const [first, second] = said.map(({ messageId }) => messageId);
    expect(await ids("dateTo=2026-01-02T03:04:06.000Z")).toEqual([]);
    expect(await ids("dateTo=2026-01-02T03:04:07.000Z")).toEqual([first]);
    expect(await ids("dateFrom=2026-01-02T03:04:07&dateTo=2026-01-02T05:04:08%2B02:00")).toEqual([second]);
    expect(await ids("dateTo=2026-01-02")).toEqual([]);
    expect(await ids("dateFrom=2026-01-03")).toEqual([]);
  });

  test("that were asked again are there once", async () => {
    const ask = async () => {
      const reply = await door.post({
        fp: "anonymous",
        threadId: said[2]?.threadId,
        messages: [{ id: "same", role: "user", content: LINUX, parts: [] }],
      });
      await reply.text();
    };
    await ask();
    const before = await door.list("/acme/assistant", "conversations");
    await ask();
    const after = await door.list("/acme/assistant", "conversations");
    expect(after).toHaveLength(before.length);
    const { body } = await door.read("/acme/assistant/caller-stats");
    expect(body).toMatchObject({ total: after.length });
  });
});

describe("a thread", () => {
  test("is its messages, in their order", async () => {
    const [first] = said;
    const { body } = await door.read(`/acme/assistant/threads/${first?.threadId}`);
    const at = "2026-01-02T03:04:06.000Z";
    expect(body).toMatchObject({
      threadId: first?.threadId,
      createdAt: at,
      messages: [
        { id: expect.any(String), role: "user", content: LINUX, createdAt: at },
        {
          id: first?.messageId,
          role: "assistant",
          content: expect.stringContaining("installer"),
          createdAt: at,
        },
        { role: "user", content: "And on macOS?" },
        { role: "assistant" },
      ],
    });
  });

  test("of another site is that of none", async () => {
    const threadId = said[0]?.threadId;
    const foreign = await door.read(`/rival/assistant/threads/${threadId}`, "server");
    const missing = await door.read("/rival/assistant/threads/none", "server");
    const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");
    expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
  });
});

test("callers are counted, those of deleted turns as well", async () => {
  const { body: before } = await door.read("/acme/assistant/caller-stats?dateTo=2026-01-02");
  expect(before).toEqual({ web: 0, api: 0, other: 0, total: 0 });
  const { id } = await door.app.parts.people.sites.get("acme");
  databaseOf(door.app)
    .query("INSERT INTO turn_counts (site_id, day, outcome, caller, count) VALUES (?, '2026-01-01', ?, ?, ?)")
    .run(id, "answered", "mcp", 7);
  const { body } = await door.read("/acme/assistant/caller-stats?dateTo=2026-01-02");
  expect(body).toEqual({ web: 0, api: 0, other: 7, total: 7 });
});

describe("an export", () => {
  test("as JSON Lines has all that the list has, oldest first", async () => {
    const { status, headers, text } = await door.read("/acme/export?format=jsonl");
    expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual((await door.list("/acme/assistant?limit=1000", "conversations")).toReversed());
  });

  test("as CSV is a file whose cells are text, within the dates", async () => {
    await door.asked('=HYPERLINK("https://evil.example","x")');
    const from = (await door.list("/acme/assistant?limit=1", "conversations"))[0]?.["timestamp"];
    const { headers, text } = await door.read(`/acme/export?format=csv&dateFrom=${from}`);
    expect(headers.get("content-type")).toStartWith("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="acme-conversations.csv"');
    expect(text).toStartWith("id,threadId,timestamp,query,");
    expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"",""x"")",`);
    expect(text.match(/\r\n/g)).toHaveLength(2);
  });

  test("that its reader gives up ends, and the server can stop", async () => {
    const key = door.keys.ownRead;
    const stop = new AbortController();
    const reply = await fetch(`${door.url}/v1/analytics/acme/export?format=jsonl`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stop.signal,
    });
    expect(reply.status).toBe(200);
    stop.abort();
    expect((await door.read("/acme/assistant")).status).toBe(200);
  });

  test.each(["", "format=xml", "format=CSV"])(
    "in no format, or an unknown one, is refused: %j",
    async (query) => {
      const { status, body } = await door.read(`/acme/export?${query}`);
      expect([status, body]).toMatchObject([400, { details: [{ path: "format" }] }]);
    },
  );
});

describe("what is refused", () => {
  test.each([
    ["assistant?limit=0", "limit"],
    ["assistant?limit=1001", "limit"],
    ["assistant?limit=1.5", "limit"],
    ["assistant?limit=", "limit"],
    ["assistant?limit=5&limit=6", "limit"],
    ["assistant?cursor=abc", "cursor"],
    ["assistant?cursor=", "cursor"],
    ["assistant?cursor=WzFd", "cursor"],
    ["feedback?cursor=WyJhIiwiYiJd", "cursor"],
    ["searches?cursor=WzEsMl0", "cursor"],
    ["assistant?dateFrom=yesterday", "dateFrom"],
    ["searches?dateTo=2026-02-30", "dateTo"],
    ["feedback?dateFrom=2026-02-01&dateTo=2026-01-01", "dateTo"],
    ["assistant/caller-stats?dateFrom=1", "dateFrom"],
  ])("%s, with the place of the fault", async (path, fault) => {
    const { status, body } = await door.read(`/acme/${path}`);
    expect([status, body]).toMatchObject([
      400,
      { error: expect.any(String), code: "invalid_request", details: [{ path: fault }] },
    ]);
  });
});

describe("who reads analytics", () => {
  const PATHS = [
    "assistant",
    "assistant/threads/T",
    "assistant/caller-stats",
    "searches",
    "feedback",
    "export?format=csv",
  ];

  test.each(PATHS)("%s is not open to an assistant key, nor to none", async (path) => {
    for (const as of ["assistant", "none"] as const)
      expect((await door.read(`/acme/${path}`, as)).status).toBe(401);
  });

  test.each(PATHS)("%s of a site that the key does not open is that of none", async (path) => {
    const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");
    const foreign = await door.read(`/acme/${path}`, "other");
    const missing = await door.read(`/nowhere/${path}`, "other");
    expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
  });

  test.each(PATHS)(
    "%s cannot be asked for by a page of another origin, nor under another's host",
    async (path) => {
      const ask = (headers: Record<string, string>) =>
        door.ask("GET", `/../analytics/acme/${path}`, { as: "own", headers });
      const page = await ask({ origin: "https://evil.example" });
      expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      expect((await ask({ host: "evil.example" })).status).toBe(403);
    },
  );

  test("a site answers to its host as well, and sees nothing of another site's", async () => {
    const list = await door.list("/docs.acme.example/assistant", "conversations");
    expect(list.length).toBeGreaterThan(3);
    expect(await door.list("/acme/assistant", "conversations")).toEqual(list);
    const { body } = await door.read("/rival/assistant", "server");
    expect(body).toEqual({ conversations: [], nextCursor: null, hasMore: false });
  });

  test("nothing of it is below /discovery", async () => {
    const reply = await door.ask("GET", "/../../discovery/v1/analytics/acme/assistant", { as: "own" });
    expect(reply.status).toBe(404);
  });
});
