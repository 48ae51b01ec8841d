import { describe, expect, test } from "bun:test";
import { readDuration, showDuration } from "../../src/cli/commands/sources.ts";
import { appErrorOf } from "../helpers/rejection.ts";

describe("a time as people write it", () => {
  test("is read in minutes, hours and days", () => {
    expect(["1m", "90m", "6h", "1d", " 2d ", "365d"].map((text) => readDuration("--every", text))).toEqual([
      60_000, 5_400_000, 21_600_000, 86_400_000, 172_800_000, 31_536_000_000,
    ]);
  });

  test("that is none, too short or too long is refused, with examples", async () => {
    for (const text of [
      "",
      "6",
      "h",
      "6 h",
      "-6h",
      "1.5h",
      "0m",
      "30s",
      "366d",
      "9999999m",
      "6H",
      "6h30m",
      "never",
    ]) {
      const error = await appErrorOf(() => readDuration("--every", text));
      expect([error.code, error.message]).toEqual([
        "invalid_request",
        `--every is a time such as 30m, 6h or 1d, not ${text}.`,
      ]);
    }
  });

  test("is shown in the largest unit that it is a whole number of", () => {
    expect([60_000, 5_400_000, 3_600_000, 21_600_000, 86_400_000, 90_000_000].map(showDuration)).toEqual([
      "1m",
      "90m",
      "1h",
      "6h",
      "1d",
      "25h",
    ]);
    expect(showDuration(1500)).toBe("2s");
  });

  test("is shown as it can be read again", () => {
    for (const text of ["1m", "59m", "6h", "1d", "7d"])
      expect(showDuration(readDuration("--every", text))).toBe(text);
  });
});
