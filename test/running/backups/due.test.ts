import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/lib/clock.ts";
import { nameAt, superfluous } from "../../../src/running/backups/backups.ts";
import { nextAt, readTimeOfDay } from "../../../src/running/backups/due.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

const at = (text: string) => Date.parse(`2026-01-${text}:00.000Z`);

describe("when a backup is due", () => {
  const DUE: [what: string, everyHours: number, atTime: string, goodAt: number, expected: number][] = [
    ["the interval after the last one", 6, "", at("02T03:04"), at("02T09:04")],
    ["at the next time of day", 24, "03:30", at("02T03:04"), at("02T03:30")],
    ["on the next day, where today's was made", 24, "03:30", at("02T03:31"), at("03T03:30")],
    ["at each of the day's times", 6, "03:30", at("02T09:31"), at("02T15:30")],
    ["at the earlier times of the day, too", 6, "22:00", at("02T00:00"), at("02T04:00")],
  ];
  for (const [what, everyHours, time, goodAt, expected] of DUE) {
    test(what, () => {
      const rhythm = { everyMs: everyHours * HOUR_MS, atMs: readTimeOfDay(time, "backup_at") };
      const next = nextAt(rhythm, goodAt + MINUTE_MS, { goodAt, failedAt: undefined });
      expect(new Date(next).toISOString()).toBe(new Date(expected).toISOString());
    });
  }

  const DAILY = { everyMs: DAY_MS, atMs: undefined };

  test("at once where there is none, and where the clock was set back since", () => {
    expect(nextAt(DAILY, TEST_TIME, { goodAt: undefined, failedAt: undefined })).toBe(TEST_TIME);
    expect(nextAt(DAILY, TEST_TIME, { goodAt: TEST_TIME + 1, failedAt: TEST_TIME + 1 })).toBe(TEST_TIME);
  });

  test("an hour after one that failed, and no later than the next", () => {
    const failed = { goodAt: TEST_TIME - 2 * DAY_MS, failedAt: TEST_TIME };
    expect(nextAt(DAILY, TEST_TIME, failed)).toBe(TEST_TIME + HOUR_MS);
    const never = { goodAt: undefined, failedAt: TEST_TIME };
    expect(nextAt(DAILY, TEST_TIME + 1, never)).toBe(TEST_TIME + HOUR_MS);
  });

  test.each(["24:00", "3", "03:60", "at night"])("%s is no time of day", async (text) => {
    const error = await appErrorOf(() => readTimeOfDay(text, "backup_at"));
    expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining("backup_at")]);
  });
});

describe("which backups go", () => {
  const names = [0, 1, 2, 3].map((days) => nameAt(TEST_TIME - days * DAY_MS));
  const [newest = ""] = names;
  const gone = (keep: number, keepDays: number, given = names, last = newest) =>
    superfluous(given, last, { keep, keepDays, now: TEST_TIME }).map((name) => names.indexOf(name));

  test("those beyond the number", () => {
    expect(gone(2, 0)).toEqual([2, 3]);
    expect(gone(10, 0)).toEqual([]);
  });

  test("those that are too old", () => {
    expect(gone(10, 2)).toEqual([3]);
    expect(gone(2, 2)).toEqual([2, 3]);
  });

  test("never the newest, even where the clock was set back or all are too old", () => {
    const oldest = names[3] ?? "";
    expect(gone(1, 1, names, oldest)).toEqual([0, 1, 2]);
    expect(gone(1, 1, [oldest], oldest)).toEqual([]);
  });

  test("nothing that is not a scheduled backup", () => {
    const foreign = [
      "before-upgrade-2020-01-01T00-00-00.000Z.db",
      "mine.db",
      "scheduled-mine.db",
      "scheduled.json",
    ];
    expect(superfluous([...foreign, newest], newest, { keep: 1, keepDays: 1, now: TEST_TIME })).toEqual([]);
  });
});
