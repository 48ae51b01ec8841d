import { describe, expect, test } from "bun:test";
import { createSearchLog } from "../../../src/measuring/analytics/searches.ts";
import type { LoggedSearch } from "../../../src/measuring/analytics/stores.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";

const LETTER_MS = 150;
const REST_MS = 5000;

function opened({ waitingMax = 100 } = {}) {
  const { clock, advance } = fakeClock();
  const written: LoggedSearch[] = [];
  let isFull = false;
  const log = createSearchLog({
    store: {
      async add(searches) {
        if (isFull) throw new Error("the disk is full");
        written.push(...searches);
      },
    },
    clock,
    waitingMax,
  });
  return {
    log,
    advance,
    fill: (full: boolean) => {
      isFull = full;
    },
    /** What stood in one asker's box, letter by letter. */
    type(boxes: string[], asker = "reader", siteId = 1) {
      for (const [index, query] of boxes.entries()) {
        log.note({ siteId, asker, query, results: index });
        advance(LETTER_MS);
      }
    },
    async queries() {
      await log.flush({ isEnding: true });
      return written.map(({ query }) => query);
    },
    written,
  };
}

describe("what is typed", () => {
  const TYPED: [what: string, boxes: string[], counted: string[]][] = [
    ["letter by letter", ["i", "in", "ins", "install"], ["install"]],
    ["with a letter corrected", ["install", "instakl", "insta", "install"], ["install", "install"]],
    ["with a letter too many taken back", ["install", "installl", "install"], ["install"]],
    ["and taken back and typed otherwise", ["dockre", "dock", "docker"], ["docker"]],
    ["until the box is emptied", ["docker", "docke", "dock", "do", "d", ""], ["docker"]],
    ["one after the other", ["docker", "backup"], ["docker", "backup"]],
    ["in other letters and spaces", [" How  to", "how to", "HOW TO\n"], ["how to"]],
    ["nothing", ["", "   ", "\n"], []],
  ];
  for (const [what, boxes, counted] of TYPED) {
    test(`${what}, counts as ${JSON.stringify(counted)}`, async () => {
      const { type, queries } = opened();
      type(boxes);
      expect(await queries()).toEqual(counted);
    });
  }

  test("counts with what the last letter gave, at the time of that letter", async () => {
    const { log, type, written, advance } = opened();
    type(["i", "in", "ins"]);
    advance(REST_MS);
    await log.flush();
    expect(written).toMatchObject([{ siteId: 1, query: "ins", results: 2 }]);
  });

  test("after a rest counts anew", async () => {
    const { type, queries, advance } = opened();
    type(["install"]);
    advance(REST_MS);
    type(["install linux"]);
    expect(await queries()).toEqual(["install", "install linux"]);
  });

  test("by another asker, or on another site, counts for itself", async () => {
    const { type, queries } = opened();
    type(["in"], "a");
    type(["install"], "b");
    type(["install"], "a", 2);
    expect(await queries()).toEqual(["in", "install", "install"]);
  });
});

describe("what is noted", () => {
  test("is not written while it is typed on", async () => {
    const { log, type, written, advance } = opened();
    type(["in", "ins"]);
    await log.flush();
    expect(written).toEqual([]);
    advance(REST_MS);
    await log.flush();
    expect(written).toHaveLength(1);
    await log.flush({ isEnding: true });
    expect(written).toHaveLength(1);
  });

  test("is written though the clock was put back meanwhile, and keeps nothing behind it waiting", async () => {
    const { log, type, written, advance } = opened();
    type(["first"], "ann");
    advance(-3_600_000);
    type(["second"], "bob");
    advance(REST_MS);
    await log.flush();
    expect(written.map(({ query }) => query)).toEqual(["first", "second"]);
  });

  test("waits where it cannot be written, and is not lost", async () => {
    const { log, type, queries, fill } = opened();
    type(["first"]);
    fill(true);
    expect(log.flush({ isEnding: true })).rejects.toThrow("full");
    fill(false);
    type(["second"]);
    expect(await queries()).toEqual(["first", "second"]);
  });

  test("never takes more than its bound, however many search and however long nothing is written", async () => {
    const { log, queries, fill, advance } = opened({ waitingMax: 3 });
    fill(true);
    for (let round = 0; round < 4; round++) {
      for (let asker = 0; asker < 5; asker++) {
        log.note({ siteId: 1, asker: String(asker), query: `q${round} ${asker}`, results: 0 });
      }
      advance(REST_MS);
      await log.flush().catch(() => {});
    }
    fill(false);
    expect(await queries()).toEqual(["q0 0", "q0 1", "q0 2"]);
  });
});
