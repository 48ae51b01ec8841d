import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { limitWarnings, reasonFields } from "../../../src/kernel/lib/log.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";

describe("a calm log", () => {
  function opened() {
    const { clock, advance } = fakeClock();
    const { log, lines } = testLog();
    const events = () => lines.map(({ event }) => event);
    return { log: limitWarnings(log, { everyMs: 60_000, clock }), advance, events };
  }

  test("writes the same warning once in so long", () => {
    const { log, advance, events } = opened();
    for (let each = 0; each < 3; each++) log.warn("it is away", { each });
    advance(59_999);
    log.warn("it is away");
    expect(events()).toEqual(["it is away"]);
    advance(1);
    log.warn("it is away");
    expect(events()).toEqual(["it is away", "it is away"]);
  });

  test("holds back no other warning, and nothing that is no warning", () => {
    const { log, events } = opened();
    log.warn("one");
    log.warn("two");
    log.info("three");
    log.info("three");
    log.error("four");
    log.error("four");
    expect(events()).toEqual(["one", "two", "three", "three", "four", "four"]);
  });
});

describe("the reason of an error, for the log", () => {
  test("is its own sentences and the remedy where it was foreseen", () => {
    const error = new AppError("unavailable", "It is away.", {
      hint: "start it",
      cause: new Error("ECONNREFUSED"),
    });
    expect(reasonFields(error)).toEqual({ reason: "It is away.", hint: "start it" });
  });

  test("is one sentence where time ran out", async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(reasonFields(signal.reason)).toEqual({ reason: "it took too long" });
  });

  test("is the whole error where nobody foresaw it", () => {
    const error = new Error("a fault of ours");
    expect(reasonFields(error)).toEqual({ error });
    const internal = new AppError("internal", "Internal error", { cause: error });
    expect(reasonFields(internal)).toEqual({ error: internal });
  });
});
