import { describe, expect, test } from "bun:test";
import {
  createOrganizationTurns,
  doInTurns,
  type SiteWork,
} from "../../../src/sites/ingest/organization-turns.ts";

interface Work extends SiteWork {
  name: string;
}

/** A site of an organization: `a1` is the first one of `a`. */
const work = (name: string): Work => ({
  name,
  organizationId: name.slice(0, 1),
  siteId: name.charCodeAt(0) * 100 + Number(name.slice(1, 2)),
});

/** Begins all that may begin, in the order in which it does. */
function fill(
  turns: ReturnType<typeof createOrganizationTurns>,
  waiting: string[],
  running: string[],
): string[] {
  const going = running.map(work);
  const rest = waiting.map(work);
  for (let next = turns.next(rest, going); next !== undefined; next = turns.next(rest, going)) {
    going.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return going.slice(running.length).map(({ name }) => name);
}

/** What waits of organizations that have none going. */
const leftOut = (waiting: Work[], running: Work[]) =>
  waiting.filter((each) => running.every(({ organizationId }) => organizationId !== each.organizationId));

describe("whose turn it is", () => {
  test("an organization alone has two sites at once, and one source of a site", () => {
    expect(fill(createOrganizationTurns(4), ["a1x", "a1y", "a2", "a3"], [])).toEqual(["a1x", "a2"]);
    expect(fill(createOrganizationTurns(1), ["a1", "a2", "a3"], [])).toEqual(["a1", "a2"]);
  });

  test("one that has none going begins at once, beside the two of another", () => {
    expect(fill(createOrganizationTurns(4), ["a3", "b1", "c1"], ["a1", "a2"])).toEqual(["b1", "c1"]);
  });

  test("a second one takes no place of an organization", () => {
    expect(fill(createOrganizationTurns(2), ["b1"], ["a1", "a2"])).toEqual(["b1"]);
  });

  test("there is one second one in all, so that what goes on is bounded", () => {
    const many = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"];
    expect(fill(createOrganizationTurns(4), many, [])).toEqual(["a1", "b1", "c1", "d1", "a2"]);
  });

  test("a second one does not begin while an organization waits: it would never give its place away", () => {
    expect(fill(createOrganizationTurns(2), ["a2", "c1"], ["a1", "b1"])).toEqual([]);
    expect(fill(createOrganizationTurns(2), ["a2", "c1"], ["a1"])).toEqual(["c1", "a2"]);
  });

  test("where more organizations wait than there are places, each has its turn before one has another", () => {
    const turns = createOrganizationTurns(1);
    let waiting = ["a1", "a1", "a1", "b1", "b1", "c1"];
    const begun: string[] = [];
    while (waiting.length > 0) {
      const [next = ""] = fill(turns, waiting, []);
      begun.push(next);
      waiting = waiting.toSpliced(waiting.indexOf(next), 1);
    }
    expect(begun).toEqual(["a1", "b1", "c1", "a1", "b1", "a1"]);
  });

  test("whatever comes and goes, no organization waits with none going while another has two and a place is its", () => {
    const turns = createOrganizationTurns(3);
    let seed = 7;
    const chance = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * count);
    };
    let running: Work[] = [];
    let waiting: Work[] = [];
    for (let step = 0; step < 5000; step++) {
      if (chance(2) === 0) waiting.push(work(`${"abcdef".charAt(chance(6))}${chance(4)}`));
      else running = running.toSpliced(chance(running.length), 1);
      for (let next = turns.next(waiting, running); next !== undefined; next = turns.next(waiting, running)) {
        const isSecond = running.some(({ organizationId }) => organizationId === next?.organizationId);
        if (isSecond) expect(leftOut(waiting, running)).toEqual([]);
        running.push(next);
        waiting = waiting.toSpliced(waiting.indexOf(next), 1);
      }
      expect(running.length).toBeLessThanOrEqual(4);
      expect(new Set(running.map(({ siteId }) => siteId)).size).toBe(running.length);
      const organizations = new Set(running.map(({ organizationId }) => organizationId));
      if (leftOut(waiting, running).length > 0) expect(organizations.size).toBe(3);
    }
  });
});

test("all of it is done, that of two organizations side by side: a slow one holds up its own alone", async () => {
  const slow = Promise.withResolvers<void>();
  const ended: string[] = [];
  const all = doInTurns(
    ["a1", "a2", "a3", "b1", "b2"].map(work),
    createOrganizationTurns(2),
    async ({ name }) => {
      if (name.startsWith("a")) await slow.promise;
      ended.push(name);
      if (name === "b2") slow.resolve();
    },
  );
  await all;
  expect(ended.slice(0, 2)).toEqual(["b1", "b2"]);
  expect(ended.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
});
