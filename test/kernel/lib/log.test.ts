import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import {
  createLog,
  LOG_LEVELS,
  type LogFields,
  type LogLevel,
  logFailure,
} from "../../../src/kernel/lib/log.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";

function logOf(format: "json" | "text", level: LogLevel = "debug") {
  const lines: string[] = [];
  const log = createLog({ level, format, clock: () => TEST_TIME, write: (line) => lines.push(line) });
  return { log, lines };
}

/** What one call writes, as one JSON object on one line. */
function written(event: string, fields?: LogFields): Record<string, unknown> {
  const { log, lines } = logOf("json");
  log.info(event, fields);
  const [line = "", ...more] = lines;
  expect(more).toEqual([]);
  expect(line.endsWith("\n")).toBe(true);
  expect(line.slice(0, -1)).not.toContain("\n");
  return JSON.parse(line);
}

describe("log as JSON", () => {
  test("a line has its time, level, event and fields", () => {
    expect(written("a page was read", { pages: 3, path: "guide" })).toEqual({
      time: "2026-01-02T03:04:05.000Z",
      level: "info",
      event: "a page was read",
      pages: 3,
      path: "guide",
    });
  });

  test("fields that are undefined are left out", () => {
    expect(Object.keys(written("event", { gone: undefined, none: null }))).toEqual([
      "time",
      "level",
      "event",
      "none",
    ]);
  });

  test("no field takes the place of the time, the level or the event", () => {
    const line = written("event", { time: "never", level: "debug", event: "other" });
    expect(line).toMatchObject({ time: "2026-01-02T03:04:05.000Z", level: "info", event: "event" });
  });

  test("a line has nothing that a terminal would obey, where the log is followed at one", () => {
    const { log, lines } = logOf("json");
    const text = "\u001b]0;t\u0007\u009b31m\u202e\u2066\u2028\u007f";
    log.info("event", { [text]: text, cause: new Error(text) });
    expect(lines.join("").trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(JSON.parse(lines.join(""))).toMatchObject({ [text]: text });
  });

  const circle: Record<string, unknown> = { name: "circle" };
  circle["self"] = circle;
  const STRANGE: [name: string, value: unknown][] = [
    ["line ends", 'a\n"b"\r\u2028\u0000\u001b[31m'],
    ["a lone surrogate", "\uD800"],
    ["a large whole number", 2n ** 80n],
    ["a circle", circle],
    [
      "an object that cannot be read",
      {
        toJSON: () => {
          throw new Error("no");
        },
      },
    ],
    [
      "a getter that fails",
      {
        get value() {
          throw new Error("no");
        },
      },
    ],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["not a number", Number.NaN],
    ["a map", new Map([["a", 1]])],
    ["a date that is none", new Date(Number.NaN)],
    ["an object without a prototype", Object.create(null)],
  ];
  for (const [name, value] of STRANGE) {
    test(`${name} in a field breaks neither the line nor the caller`, () => {
      expect(written("event", { before: 1, value, after: 2 })).toMatchObject({
        event: "event",
        before: 1,
        after: 2,
      });
    });
  }

  test("text comes back as it was", () => {
    const text = 'a\n"b"\\ \u{1F600}';
    expect(written(text, { text })).toMatchObject({ event: text, text });
  });

  test("an error is written with its stack and the stacks of its causes", () => {
    const root = new TypeError("the root");
    const error = new Error("the top", { cause: new Error("the middle", { cause: root }) });
    const { error: text } = written("failed", { error });
    expect(text).toBeString();
    expect(String(text)).toMatch(
      /Error: the top[\s\S]*caused by: [\s\S]*the middle[\s\S]*caused by: [\s\S]*TypeError: the root/,
    );
    expect(String(text)).toContain("log.test.ts");
  });

  test("a cause that is no error is written too", () => {
    expect(String(written("failed", { error: new Error("top", { cause: "words" }) })["error"])).toContain(
      "caused by: words",
    );
    expect(String(written("failed", { error: new Error("top", { cause: { code: 7 } }) })["error"])).toContain(
      '{"code":7}',
    );
  });

  test("an error inside a value is written too", () => {
    expect(JSON.stringify(written("failed", { faults: [{ error: new Error("deep down") }] }))).toContain(
      "deep down",
    );
  });

  test("an error that is its own cause ends", () => {
    const error = new Error("round");
    error.cause = error;
    expect(String(written("failed", { error })["error"])).toContain("round");
  });
});

describe("log levels", () => {
  for (const level of LOG_LEVELS) {
    test(`at ${level}, nothing less is written`, () => {
      const { log, lines } = logOf("json", level);
      for (const each of ["debug", "info", "warn", "error"] as const) log[each]("event");
      const expected = LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)).filter((each) => each !== "silent");
      expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
    });
  }

  test("with adds its fields to every line, and a line's own come first", () => {
    const { log, lines } = logOf("json");
    const request = log.with({ request: "1", path: "/" });
    request.with({ key: "k" }).warn("event", { path: "/own" });
    log.warn("other");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { request: "1", key: "k", path: "/own" },
      { event: "other" },
    ]);
    expect(lines[1]).not.toContain("request");
  });
});

describe("log as text", () => {
  const text = (event: string, fields?: LogFields) => {
    const { log, lines } = logOf("text");
    log.warn(event, fields);
    return lines.join("");
  };

  test("a line is for a person: time, level, event, fields", () => {
    expect(text("a page was read", { pages: 3, path: "guide" })).toBe(
      "03:04:05 warn  a page was read pages=3 path=guide\n",
    );
  });

  test("no text of a field can pass for another line or colour the terminal", () => {
    const line = text("event", { path: "x\n03:04:05 error all is lost", colour: "\u001b[31m", two: "a b" });
    expect(line.trimEnd().split("\n")).toHaveLength(1);
    expect(line).not.toContain("\u001b");
  });

  test("an error's stack keeps its lines", () => {
    expect(text("failed", { error: new Error("the top") }).split("\n").length).toBeGreaterThan(2);
  });
});

test("what fails because something else is away is a warning, and a fault of ours an error", () => {
  const { log, lines } = testLog();
  const cause = new Error("ECONNREFUSED");
  logFailure(log, "it failed", new AppError("unavailable", "It is away.", { hint: "Start it.", cause }));
  logFailure(log, "it failed", new Error("a fault"), { turn: "1" });
  expect(lines).toMatchObject([
    {
      level: "warn",
      event: "it failed",
      reason: "It is away.",
      hint: "Start it.",
      cause: "Error: ECONNREFUSED",
    },
    { level: "error", event: "it failed", turn: "1", error: expect.stringContaining("a fault") },
  ]);
});
