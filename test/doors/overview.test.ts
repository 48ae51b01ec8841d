import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";

const LINUX = "How do I install Acme on Linux?";

let door: AnalyticsDoor;
let overview: Record<string, unknown>;
beforeAll(async () => {
  door = await startAnalyticsDoor();
  const first = await door.asked(LINUX, { currentPath: "/guide/install", fp: "ann" });
  await door.asked("How do I install Acme on macOS?", { fp: "ann" });
  await door.asked("zzqx wvvk blorptastic?", { currentPath: "/guide/install", fp: "bob" });
  await door.send("/v1/feedback/acme", { ...first, helpful: true });
  door.advance(24 * 3600 * 1000);
  await door.asked("qqqx wvvk?", { currentPath: "/guide/install.html" });
  overview = Object(
    (await door.read("/acme/overview?dateFrom=2026-01-02&dateTo=2026-01-04&timeZone=Europe/Berlin")).body,
  );
});
afterAll(() => door.close());

describe("an overview", () => {
  test("has every day in its time zone, those without a question as well", () => {
    expect(overview).toMatchObject({
      timeZone: "Europe/Berlin",
      period: { dateFrom: "2026-01-02T00:00:00.000Z", dateTo: "2026-01-04T00:00:00.000Z" },
      periodBefore: { dateFrom: "2025-12-31T00:00:00.000Z", dateTo: "2026-01-02T00:00:00.000Z" },
      days: [
        { date: "2026-01-02", questions: 3, outcomes: { quoted: 2, unanswered: 1, answered: 0 } },
        { date: "2026-01-03", questions: 1, outcomes: { unanswered: 1 } },
        { date: "2026-01-04", questions: 0 },
      ],
    });
  });

  test("has the numbers of the period, and of the one before", () => {
    expect(overview).toMatchObject({
      numbers: {
        questions: 4,
        answeredShare: 0.5,
        readers: 2,
        cachedShare: 0,
        searches: 0,
        outcomes: { quoted: 2, unanswered: 2 },
        ratings: { helpful: 1, rated: 1, share: 1 },
        waits: { total: { medianMs: 0, p95Ms: 0 } },
      },
      numbersBefore: { questions: 0, answeredShare: null, ratings: { rated: 0, share: null } },
    });
  });

  test("names the pages that answers cite, and those that readers asked on, however their addresses end", () => {
    expect(overview["pages"]).toMatchObject({
      cited: [{ path: "guide/install", title: "Install Acme", count: 2 }],
      askedOn: [
        { path: "guide/install", title: "Install Acme", count: 2 },
        { path: "guide/install.html", title: "Install Acme", count: 1 },
      ],
      questionsCounted: 4,
      isAll: true,
    });
  });

  test("is of the last 30 days unless it is said", async () => {
    const { body } = await door.read("/acme/overview");
    expect(Object(body).days).toHaveLength(30);
    expect(Object(body).days.at(-1)).toMatchObject({ date: "2026-01-03" });
    expect(body).toMatchObject({ timeZone: "UTC", numbers: { questions: 4 } });
  });

  test("of a site that nobody asked is of zeros, and another site's questions are not in it", async () => {
    const { status, body } = await door.read("/rival/overview", "other");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      numbers: { questions: 0, readers: 0 },
      pages: { cited: [], askedOn: [], isAll: true },
    });
  });

  test.each([
    ["timeZone=Nowhere/City", "timeZone"],
    ["timeZone=", "timeZone"],
    ["dateFrom=2025-01-01&dateTo=2026-06-01", "dateFrom"],
    ["dateFrom=2026-02-01&dateTo=2026-01-01", "dateTo"],
    ["dateFrom=yesterday", "dateFrom"],
    ["dateTo=2026-01-01&dateTo=2026-01-02", "dateTo"],
  ])("is refused for %s, with the place of the fault", async (query, path) => {
    const { status, body } = await door.read(`/acme/overview?${query}`);
    expect([status, body]).toMatchObject([400, { code: "invalid_request", details: [{ path }] }]);
  });

  test.each(["0000-01-01", "1969-12-31", "1970-01-01", "9999-12-31"])(
    "of a time in which nothing was asked is one, too: %s",
    async (date) => {
      const { status, body } = await door.read(`/acme/overview?dateFrom=${date}&dateTo=${date}T12:00:00Z`);
      expect([status, body]).toMatchObject([200, { numbers: { questions: 0 } }]);
      expect(Object(body).periodBefore.dateFrom).toMatch(/^\d{4}-/);
    },
  );
});
