import { describe, expect, test } from "bun:test";
import { isoTime, readIsoTime } from "../../../src/kernel/lib/iso-time.ts";

describe("a moment that is written", () => {
  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00.5", "2026-01-31T09:00:00.500Z"],
    ["2026-01-31t09:00:00z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00+02:00", "2026-01-31T07:00:00.000Z"],
    ["2026-01-31T23:30:00-0200", "2026-02-01T01:30:00.000Z"],
    [" 2028-02-29 ", "2028-02-29T00:00:00.000Z"],
  ])("%j is %s, whatever zone this machine is in", (text, time) => {
    expect(isoTime(readIsoTime(text))).toBe(time);
  });

  test.each([
    "",
    "yesterday",
    "1767225600",
    "2026-1-31",
    "2026-01-32",
    "2026-02-29",
    "2026-06-31",
    "26-01-31",
    "2026-01-31T25:00:00Z",
    "2026-01-31T09:00:00ZZ",
    "2026-01-31 09:00:00",
    "31.01.2026",
    "-1-01-01",
  ])("%j is none", (text) => {
    expect(readIsoTime(text)).toBeUndefined();
  });
});
