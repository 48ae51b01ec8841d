import { describe, expect, test } from "bun:test";
import { createPatience, type Patience } from "../../src/storage/patience.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { testLog } from "../helpers/test-log.ts";

const AWAY = new Error("away");
const isAway = (error: unknown) => error === AWAY;

/** A patience whose time passes with its pauses: a second with each. */
function opened({ secondsMax = 10, stops = undefined as AbortSignal | undefined } = {}) {
  const { log, lines } = testLog();
  let seconds = 0;
  const patience: Patience = createPatience({
    secondsMax,
    fromStart: false,
    stops,
    isAway,
    remedyOf: () => "Look at it.",
    log,
    now: () => seconds * 1000,
    async pause(signal) {
      signal?.throwIfAborted();
      seconds += 1;
    },
  });
  return {
    patience,
    lines,
    pass(more: number) {
      seconds += more;
    },
  };
}

/** Work that finds the database away so often before it succeeds. */
function failing(times: number) {
  let tries = 0;
  return {
    tries: () => tries,
    work: async () => {
      tries += 1;
      if (tries <= times) throw AWAY;
      return "done";
    },
  };
}

describe("work that waits for its database", () => {
  test("is done again until it is back, and both are said once", async () => {
    const { patience, lines } = opened();
    const each = [failing(3), failing(3)];
    expect(await Promise.all(each.map(({ work }) => patience.outlast(work)))).toEqual(["done", "done"]);
    expect(each.map(({ tries }) => tries())).toEqual([4, 4]);
    expect(lines).toMatchObject([
      { event: "the database is away: this waits for it", reason: "away", hint: "Look at it." },
      { event: "the database is back: this goes on" },
    ]);
  });

  test("fails after as long as it may wait, and says what happened and what to do", async () => {
    const { patience } = opened({ secondsMax: 5 });
    const { work, tries } = failing(100);
    const error = await appErrorOf(() => patience.outlast(work));
    expect([error.code, error.message, error.hint, error.cause, tries()]).toEqual([
      "unavailable",
      "The database was away for longer than 5 seconds.",
      "Look at it. What was done so far is kept: the same run or command goes on from there. To wait longer, raise database_wait_seconds.",
      AWAY,
      6,
    ]);
  });

  test("waits only once where it waited in vain, and again when the database was back meanwhile", async () => {
    const { patience, pass } = opened({ secondsMax: 5 });
    await appErrorOf(() => patience.outlast(failing(100).work));
    const next = failing(100);
    await appErrorOf(() => patience.outlast(next.work));
    expect(next.tries()).toBe(1);
    // A database that cannot be written may well be read.
    await patience.outlast(failing(0).work);
    const another = failing(100);
    await appErrorOf(() => patience.outlast(another.work));
    expect(another.tries()).toBe(1);
    pass(1000);
    expect(await patience.outlast(failing(3).work)).toBe("done");
  });

  test("fails at once where something else is wrong", async () => {
    const { patience, lines } = opened();
    const wrong = () => Promise.reject(new Error("wrong"));
    await expect(patience.outlast(wrong)).rejects.toThrow("wrong");
    expect(lines).toEqual([]);
  });

  test("ends with the process", async () => {
    const { patience } = opened({ stops: AbortSignal.abort(new Error("told to end")) });
    await expect(patience.outlast(failing(1).work)).rejects.toThrow("told to end");
  });

  test("begins only when what it relies on was regained", async () => {
    const { patience } = opened();
    const regained = Promise.withResolvers<void>();
    const order: string[] = [];
    const regaining = patience.regain(async () => {
      await regained.promise;
      order.push("regained");
    });
    const work = patience.outlast(async () => {
      order.push("work");
    });
    await Bun.sleep(1);
    expect(order).toEqual([]);
    regained.resolve();
    await Promise.all([regaining, work]);
    expect(order).toEqual(["regained", "work"]);
  });
});
