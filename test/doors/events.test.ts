import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALWAYS } from "../../src/measuring/analytics/stores.ts";
import { openParts } from "../../src/running/app.ts";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { testSurroundings } from "../helpers/docent.ts";

const REST_MS = 5000;

let door: AnalyticsDoor;
beforeAll(async () => {
  door = await startAnalyticsDoor();
});
afterAll(() => door.close());

async function search(query: string, to = door): Promise<void> {
  const { status } = await to.send("/v1/search/acme", { query });
  expect(status).toBe(200);
}

async function rested(at = door): Promise<void> {
  at.advance(REST_MS);
  await at.app.parts.reports.analytics.searchLog.flush();
}

const rowOf = async (query: string) =>
  (await door.list("/acme/searches", "searches")).find(({ searchQuery }) => searchQuery === query);

describe("searches", () => {
  test("that were typed letter by letter are one, with what the whole of it gave", async () => {
    for (const query of ["Te", "Term", "Termin", "Terminal"]) await search(query);
    await rested();
    const rows = await door.list("/acme/searches", "searches");
    expect(rows).toEqual([
      {
        searchQuery: "terminal",
        hits: 1,
        results: expect.any(Number),
        ctr: null,
        topClickedPage: null,
        lastSearchedAt: expect.stringMatching(/^2026-.*Z$/),
      },
    ]);
    expect(Number(rows[0]?.["results"])).toBeGreaterThan(0);
  });

  test("that gave nothing are there with none", async () => {
    await search("zzqx wvvk");
    await rested();
    expect(await rowOf("zzqx wvvk")).toMatchObject({ hits: 1, results: 0 });
  });

  test("are counted with how many there were in all, the most frequent first", async () => {
    for (let round = 0; round < 3; round++) {
      await search("installer");
      await rested();
    }
    const { body } = await door.read("/acme/searches?limit=1");
    expect(body).toMatchObject({
      searches: [{ searchQuery: "installer", hits: 3 }],
      totalSearches: 5,
      hasMore: true,
    });
  });

  test("that wait when the server ends are not lost", async () => {
    const data = mkdtempSync(join(tmpdir(), "docent-searches-"));
    const first = await startAnalyticsDoor({ data });
    await search("typed last", first);
    await first.close();
    const again = await openParts(testSurroundings(data));
    const { id } = await again.people.sites.get("acme");
    const { searches } = await again.reports.analytics.searches(id, ALWAYS, { limit: 10 });
    expect(searches).toMatchObject([{ searchQuery: "typed last" }]);
    again.close();
    rmSync(data, { recursive: true });
  });
});

describe("events", () => {
  const click = (change: Record<string, unknown> = {}, path = "/v1/events/acme") =>
    door.send(path, { type: "search_click", query: "Installer ", path: "/guide/install#linux", ...change });

  test("are taken without a word, and are what a search's clicks are counted from", async () => {
    expect(await rowOf("installer")).toMatchObject({ ctr: null, topClickedPage: null });
    const reply = await click();
    expect([reply.status, reply.text]).toEqual([204, ""]);
    await click({ path: "https://docs.acme.example/guide/install/?utm=1" });
    expect(await rowOf("installer")).toMatchObject({ hits: 3, ctr: 0.667, topClickedPage: "/guide/install" });
    expect(await rowOf("terminal")).toMatchObject({ ctr: 0, topClickedPage: null });
  });

  test("more clicks than searches are a share of one", async () => {
    for (let round = 0; round < 5; round++) await click({ query: "terminal", path: "/" });
    expect(await rowOf("terminal")).toMatchObject({ ctr: 1, topClickedPage: "/" });
  });

  test("of other kinds need no query, and name an answer or none", async () => {
    const said = await door.asked("How do I install Acme on Linux?");
    expect((await click({ type: "source_click", query: null, ...said })).status).toBe(204);
    expect((await click({ type: "suggestion_click", query: undefined })).status).toBe(204);
    const foreign = { threadId: "T", messageId: said.messageId };
    expect((await click({ type: "source_click", ...foreign })).status).toBe(204);
    const kept = databaseOf(door.app).query("SELECT turn_id AS turn FROM events WHERE type = 'source_click'");
    expect(kept.all()).toEqual([{ turn: said.messageId }, { turn: null }]);
  });

  test.each([
    [{ type: "page_view" }, "type"],
    [{ path: null }, "path"],
    [{ path: "x".repeat(2001) }, "path"],
    [{ query: "x".repeat(1001) }, "query"],
    [{ messageId: 7 }, "messageId"],
  ])("refuses %j and says where the fault is", async (change, path) => {
    const { status, body } = await click(change);
    expect([status, body]).toMatchObject([400, { code: "invalid_request", details: [{ path }] }]);
  });

  test("exist under /discovery too, and open to pages of other origins", async () => {
    expect((await click({}, "/discovery/v1/events/acme")).status).toBe(204);
    const origin = "https://docs.acme.example";
    const reply = await door.send("/v1/events/acme", { type: "source_click", path: "/" }, { origin });
    expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
  });

  test("with an admin key, or none, are 401; of a site that is not the key's, 404", async () => {
    for (const as of ["own", "server", "none"] as const)
      expect((await door.ask("POST", "/../events/acme", { as, body: "{" })).status).toBe(401);
    expect((await click({}, "/v1/events/rival")).status).toBe(404);
  });

  test("count to a limit of their own", async () => {
    const small = await startAnalyticsDoor({ settings: { organization_events_per_hour: "1" } });
    try {
      const send = () => small.send("/v1/events/acme", { type: "source_click", path: "/" });
      expect([(await send()).status, (await send()).status]).toEqual([204, 429]);
      expect((await small.send("/v1/search/acme", { query: "linux" })).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});
