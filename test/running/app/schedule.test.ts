import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { type DueRun, startSchedule } from "../../../src/running/upkeep/schedule.ts";
import { createOrganizationTurns } from "../../../src/sites/ingest/organization-turns.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";
import { until } from "../../helpers/until.ts";

/** Each site is of an organization of its own, unless told otherwise. */
const dueRun = (sourceId: number, domain = "docs", organizationId = domain): DueRun => ({
  domain,
  organizationId,
  sourceId,
  siteId: [...domain].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0),
  location: `/source${sourceId}`,
});

/** A schedule whose due runs are set, and whose runs end when they are told to. */
function started(first: DueRun[]) {
  const { log, lines } = testLog();
  const asked: number[] = [];
  const running = new Map<number, { end: (error?: unknown) => void; signal: AbortSignal }>();
  let due = first;
  let looks = 0;
  let fault: Error | undefined;
  const schedule = startSchedule({
    async due() {
      looks++;
      if (fault) throw fault;
      return due;
    },
    run(each, signal) {
      asked.push(each.sourceId);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      running.set(each.sourceId, {
        signal,
        end: (error) => (error === undefined ? resolve() : reject(error)),
      });
      // As the index has it: a source is due until its run has ended.
      return promise.finally(() => {
        due = due.filter(({ sourceId }) => sourceId !== each.sourceId);
        running.delete(each.sourceId);
      });
    },
    clock: () => TEST_TIME,
    order: createOrganizationTurns(2),
    log,
    lookMs: 1,
  });
  return {
    schedule,
    lines,
    asked,
    running,
    looks: () => looks,
    set: (next: DueRun[], error?: Error) => {
      due = next;
      fault = error;
    },
    end: (sourceId: number, error?: unknown) => running.get(sourceId)?.end(error),
  };
}

describe("the schedule", () => {
  test("runs the sources of a site that are due at once, one after the other, in their order", async () => {
    const it = started([dueRun(2), dueRun(1)]);
    await until(() => it.running.has(2));
    expect(it.asked).toEqual([2]);
    it.end(2);
    await until(() => it.running.has(1));
    expect([...it.running.keys()]).toEqual([1]);
    it.end(1);
    await until(() => it.running.size === 0);
    await it.schedule.close();
    expect(it.lines).toMatchObject([
      { level: "info", site: "docs", source: "/source2" },
      { level: "info", source: "/source1" },
    ]);
  });

  test("runs sources of two sites side by side, not of three: a slow one holds up its own site alone", async () => {
    const it = started([dueRun(1), dueRun(2), dueRun(3, "other", "docs"), dueRun(4, "third", "docs")]);
    await until(() => it.running.has(3));
    await Bun.sleep(10);
    expect([...it.running.keys()]).toEqual([1, 3]);
    it.end(3);
    await until(() => it.running.has(4));
    it.end(4);
    await until(() => !it.running.has(4));
    await Bun.sleep(10);
    expect([it.asked, [...it.running.keys()]]).toEqual([[1, 3, 4], [1]]);
    it.end(1);
    await until(() => it.running.has(2));
    it.end(2);
    await it.schedule.close();
  });

  test("never lets an organization wait for the slow sources of another one", async () => {
    const slow = [dueRun(1, "slow"), dueRun(2, "slower", "slow"), dueRun(3, "slowest", "slow")];
    const it = started(slow);
    await until(() => it.running.has(2));
    it.set([...slow, dueRun(4, "quick")]);
    await until(() => it.running.has(4));
    expect([...it.running.keys()]).toEqual([1, 2, 4]);
    for (const sourceId of [1, 2, 4]) it.end(sourceId);
    await until(() => it.running.has(3));
    it.end(3);
    await it.schedule.close();
  });

  test("looks while it works, and begins nothing twice", async () => {
    const it = started([dueRun(1)]);
    await until(() => it.running.has(1));
    const looks = it.looks();
    await until(() => it.looks() > looks + 3);
    expect(it.asked).toEqual([1]);
    it.set([dueRun(1), dueRun(3, "other")]);
    await until(() => it.running.has(3));
    expect(it.asked).toEqual([1, 3]);
    for (const sourceId of [1, 3]) it.end(sourceId);
    await it.schedule.close();
  });

  test("goes on with the next one when a run fails, and says so", async () => {
    const it = started([dueRun(1), dueRun(2)]);
    await until(() => it.running.has(1));
    it.end(1, new AppError("unavailable", "the server is gone"));
    await until(() => it.running.has(2));
    it.end(2);
    await until(() => it.running.size === 0);
    await it.schedule.close();
    // Why, in one line: what is expected needs no stack.
    expect(it.lines[0]).toMatchObject({ level: "warn", source: "/source1", reason: "the server is gone" });
    expect(it.lines[0]).not.toHaveProperty("error");
  });

  test("looks again when it could not be read", async () => {
    const it = started([]);
    it.set([], new Error("the disk is gone"));
    await until(() => it.lines.length > 0);
    expect(it.lines[0]).toMatchObject({ level: "error" });
    it.set([dueRun(1)]);
    await until(() => it.running.has(1));
    it.end(1);
    await until(() => it.running.size === 0);
    await it.schedule.close();
  });

  test("that is closed ends the run that is under way, begins no other, and complains of nothing", async () => {
    const it = started([dueRun(1), dueRun(2)]);
    await until(() => it.running.has(1));
    const signal = it.running.get(1)?.signal;
    let isClosed = false;
    const closed = it.schedule.close().then(() => {
      isClosed = true;
    });
    expect(signal?.aborted).toBe(true);
    await Bun.sleep(5);
    expect(isClosed).toBe(false);
    it.end(1, signal?.reason);
    await closed;
    const looks = it.looks();
    await Bun.sleep(10);
    expect([it.asked, it.lines, it.looks()]).toEqual([[1], [], looks]);
  });

  test("with nothing to do closes at once", async () => {
    const it = started([]);
    await it.schedule.close();
    expect(it.asked).toEqual([]);
  });
});
