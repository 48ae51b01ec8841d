import { describe, expect, test } from "bun:test";
import { searchedWords } from "../../../src/measuring/analytics/stores.ts";
import { answerName } from "../../../src/measuring/conversations/drafts.ts";
import { daysOf, isTimeZone, startOfDay } from "../../../src/measuring/overview/days.ts";
import { addOutcomes, mergeAddresses, toNumbers, waitOf } from "../../../src/measuring/overview/overview.ts";

const HOUR_MS = 3600 * 1000;
const at = (text: string) => Date.parse(text);

describe("the days of a period", () => {
  test("are those of the time zone, the first and the last cut to the period", () => {
    const period = { from: at("2026-01-01T12:00Z"), to: at("2026-01-03T01:00Z") };
    expect(daysOf(period, "UTC").map(({ date }) => date)).toEqual(["2026-01-01", "2026-01-02", "2026-01-03"]);
    const [first, second, ...more] = daysOf(period, "America/New_York");
    expect(first).toEqual({ date: "2026-01-01", from: period.from, to: at("2026-01-02T05:00Z") });
    expect(second).toEqual({ date: "2026-01-02", from: at("2026-01-02T05:00Z"), to: period.to });
    expect(more).toEqual([]);
  });

  test.each([
    ["2026-03-29", "Europe/Berlin", 23],
    ["2026-10-25", "Europe/Berlin", 25],
    ["2026-03-28", "Asia/Beirut", 24],
    ["2026-03-29", "Asia/Beirut", 23],
    ["2026-04-05", "Australia/Lord_Howe", 24.5],
  ])("%s in %s has %d hours, and none is lost between two days", (date, timeZone, expected) => {
    const middle = at(`${date}T12:00Z`);
    const days = daysOf({ from: middle - 72 * HOUR_MS, to: middle + 72 * HOUR_MS }, timeZone);
    const day = days.find((each) => each.date === date);
    expect(((day?.to ?? 0) - (day?.from ?? 0)) / HOUR_MS).toBe(expected);
    for (const [index, { from }] of days.entries())
      if (index > 0) expect(from).toBe(days[index - 1]?.to ?? 0);
  });

  test("of no time are none", () => {
    expect(daysOf({ from: 5, to: 5 }, "UTC")).toEqual([]);
  });

  test("begin at midnight there", () => {
    expect(startOfDay(at("2026-07-01T01:00Z"), 0, "America/New_York")).toBe(at("2026-06-30T04:00Z"));
    expect(startOfDay(at("2026-03-30T10:00Z"), 1, "Europe/Berlin")).toBe(at("2026-03-28T23:00Z"));
  });

  test.each(["UTC", "Europe/Berlin", "Asia/Kolkata"])("%s is a time zone", (name) => {
    expect(isTimeZone(name)).toBe(true);
  });
  test.each(["", "Berlin/Europe", "x".repeat(90), "../etc"])("%j is none", (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe("numbers", () => {
  const NOTHING = { readers: 0, cached: 0, stored: 0, queueMs: [], firstTokenMs: [], totalMs: [] };

  test("the answered share leaves out what was stopped and what is being answered", () => {
    const counts = (
      ["answered", "quoted", "curated", "unanswered", "failed", "stopped", undefined] as const
    ).map((outcome) => ({ range: 0, outcome, count: 1 }));
    const { questions, answeredShare } = toNumbers(counts, NOTHING, { helpful: 0, rated: 0 }, 0);
    expect([questions, answeredShare]).toEqual([7, 0.6]);
  });

  test("of nothing there is no share, and no wait", () => {
    expect(toNumbers([], NOTHING, { helpful: 0, rated: 0 }, 0)).toEqual({
      questions: 0,
      outcomes: addOutcomes([]).outcomes,
      answeredShare: null,
      readers: 0,
      ratings: { helpful: 0, rated: 0, share: null },
      cachedShare: null,
      searches: 0,
      waits: { queue: null, firstToken: null, total: null },
    });
  });

  test("a wait is one that somebody had", () => {
    expect(waitOf([30, 10, 20])).toEqual({ medianMs: 20, p95Ms: 30 });
    expect(waitOf([7])).toEqual({ medianMs: 7, p95Ms: 7 });
    expect(waitOf(Array.from({ length: 100 }, (_, index) => 100 - index))).toEqual({
      medianMs: 50,
      p95Ms: 95,
    });
  });
});

describe("pages that are cited by address", () => {
  const page = (path: string, count: number) => ({ path, title: undefined, count });

  test("count with the page of that path, wherever readers have it", () => {
    const merged = mergeAddresses(
      [page("guide/a", 3), page("b", 1)],
      [
        { url: "https://docs.example.com/guide/a#x", count: 2 },
        { url: "http://127.0.0.1:8080/base/sites/docs/b?until=1&signature=x", count: 5 },
        { url: "https://docs.example.com/it%20is", count: 1 },
      ],
      "https://docs.example.com",
    );
    expect(
      mergeAddresses(
        [page("a.html", 1), page("a", 1)],
        ["a.html", "a"].map((name) => ({ url: `/${name}`, count: 2 })),
        undefined,
      ),
    ).toEqual([page("a", 3), page("a.html", 3)]);
    const ended = mergeAddresses([page("os.html", 1)], [{ url: "/os.html#walk", count: 2 }], undefined);
    expect(ended).toEqual([page("os.html", 3)]);
    expect(merged).toEqual([page("b", 6), page("guide/a", 5), page("it is", 1)]);
  });
});

describe("words that are looked for", () => {
  test.each([
    ["reset  password", ["reset", "password"]],
    ['say "reset it" now', ["say", "reset it", "now"]],
    ['"never closed', ["never closed"]],
    ["", []],
    ['"" " "', []],
    ["a a a", ["a"]],
  ])("%j", (text, expected) => {
    expect(searchedWords(text)).toEqual(expected);
  });

  test("are at most ten", () => {
    expect(searchedWords(Array.from({ length: 30 }, (_, index) => `w${index}`).join(" "))).toHaveLength(10);
  });
});

describe("the name of an answer", () => {
  test.each([
    ["How do I reset my password?", "how-do-i-reset-my-password"],
    ["Wie ändere ich's?", "wie-ändere-ich-s"],
    ["如何重置密码?", "如何重置密码"],
    ["???", "answer"],
    [`${"word ".repeat(40)}`, "word-word-word-word-word-word-word-word-word-word-word-word"],
    ["x".repeat(200), "x".repeat(60)],
  ])("is its question's words: %j", (question, expected) => {
    expect(answerName(question)).toBe(expected);
  });
});
