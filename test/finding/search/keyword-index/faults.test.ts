import { describe, expect, test } from "bun:test";
import { createIndexKeeper } from "../../../../src/finding/search/keyword-index/index-keeper.ts";
import {
  createKeywordIndex,
  SegmentDamaged,
  SegmentGone,
} from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import type { SegmentStore } from "../../../../src/finding/search/keyword-index/segment-store.ts";
import { letOthersRun } from "../../../../src/kernel/lib/event-loop.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";
import { quietLog } from "../../../helpers/test-log.ts";
import { byId, openIndex, pagesOf, randomPassage, SITE, signal, WORDS } from "./random-passages.ts";

const QUERY = { terms: WORDS.slice(0, 6), phrases: [WORDS.slice(0, 2)], prefix: "b" };
const LIMIT = 40;

const randomPassages = (count: number, seed: number) => {
  const random = seededRandom(seed);
  return byId(Array.from({ length: count }, (_, index) => randomPassage(random, index + 1)));
};

type Held = ReturnType<typeof openIndex>;

/** What the index as it is stored answers: nothing of it is remembered. */
async function answer({ store, pages }: Held) {
  const index = createKeywordIndex({ segments: store, pageIds: pages, bytesMax: 0 });
  const ids = (await store.list(SITE)).map(({ id }) => id);
  return (await index.open({ audience: "everything", siteId: SITE, generation: 1, filter: {} }, ids)).match(
    QUERY,
    LIMIT,
  );
}
const segmentIds = async ({ store }: Held) => (await store.list(SITE)).map(({ id }) => id);

/** An index of several segments, and what it answers. */
async function makeSeveral() {
  const all = [...randomPassages(160, 31).values()];
  const passages = new Map(all.slice(0, 0).map((passage) => [passage.id, passage]));
  const it = openIndex(passages, () => pagesOf(passages));
  for (const [index, passage] of all.entries()) {
    passages.set(passage.id, passage);
    if (index % 40 === 39) await it.keeper.catchUp(SITE, { signal });
  }
  return { segments: it.segments(), passages, wanted: await answer(it) };
}

const made = await makeSeveral();

/** A copy of it, for a test to change: it is made anew for each call that is cut short. */
async function severalSegments() {
  const passages = new Map(made.passages);
  const it = openIndex(passages, () => pagesOf(passages), made.segments);
  return { it, passages, wanted: made.wanted };
}

/** A store whose calls are counted; what is told by number happens before that call. */
function interrupted(store: SegmentStore, before: (call: number) => void | Promise<void>): SegmentStore {
  let calls = 0;
  async function then<T>(call: () => Promise<T>): Promise<T> {
    await letOthersRun();
    await before(++calls);
    return call();
  }
  return {
    list: (...given) => then(() => store.list(...given)),
    rows: (...given) => then(() => store.rows(...given)),
    begin: (...given) => then(() => store.begin(...given)),
    write: (...given) => then(() => store.write(...given)),
    finish: (...given) => then(() => store.finish(...given)),
    remove: (...given) => then(() => store.remove(...given)),
    unfinished: (...given) => then(() => store.unfinished(...given)),
    passageIds: (...given) => then(() => store.passageIds(...given)),
    publishedIds: (...given) => then(() => store.publishedIds(...given)),
    passages: (...given) => then(() => store.passages(...given)),
    restrictedOf: (...given) => then(() => store.restrictedOf(...given)),
    lock: (...given) => then(() => store.lock(...given)),
    sites: () => then(() => store.sites()),
  };
}

describe("damage to the keyword index", () => {
  test("a row that is cut short anywhere is damage", async () => {
    const { it, wanted } = await severalSegments();
    const [id = 0] = await segmentIds(it);
    for (const row of it.rowNumbers(id)) {
      for (const share of [0, 0.5, 0.99]) {
        let whole = new Uint8Array();
        it.change(id, row, (bytes) => {
          whole = Uint8Array.from(bytes);
          return bytes.slice(0, Math.floor(bytes.length * share));
        });
        expect(await it.keeper.findDamaged(SITE, signal)).toEqual([id]);
        it.change(id, row, () => whole);
      }
    }
    expect(await answer(it)).toEqual(wanted);
  });

  test("a row in the place of another is damage, be it of the same segment or of another one", async () => {
    const { it, wanted } = await severalSegments();
    const [one = 0, other = 0] = await segmentIds(it);
    const pairs = [
      ...it.rowNumbers(one).map((row) => [row, other, row] as const),
      ...it.rowNumbers(one).flatMap((row) =>
        it
          .rowNumbers(one)
          .filter((second) => second !== row)
          .map((second) => [row, one, second] as const),
      ),
    ];
    for (const [row, from, second] of pairs) {
      let whole = new Uint8Array();
      let foreign = new Uint8Array();
      it.change(from, second, (bytes) => {
        foreign = Uint8Array.from(bytes);
        return bytes;
      });
      it.change(one, row, (bytes) => {
        whole = Uint8Array.from(bytes);
        return foreign;
      });
      expect(await it.keeper.findDamaged(SITE, signal)).toEqual([one]);
      it.change(one, row, () => whole);
    }
    expect(await answer(it)).toEqual(wanted);
  });

  test("a row that is not there is damage, and is made anew", async () => {
    const { it, wanted } = await severalSegments();
    for (const row of [0, 1]) {
      const [id = 0] = await segmentIds(it);
      it.change(id, row, () => undefined);
      expect(await it.keeper.findDamaged(SITE, signal)).toEqual([id]);
      await expect(answer(it)).rejects.toThrow(SegmentGone);
      expect(await it.keeper.repair(SITE, signal)).toBe(1);
      expect(await answer(it)).toEqual(wanted);
    }
  });

  test("whatever row is damaged, a question is answered as before or not at all", async () => {
    const { it, wanted } = await severalSegments();
    for (const id of await segmentIds(it)) {
      for (const row of it.rowNumbers(id)) {
        it.damage(id, row, row * 31);
        const given = await answer(it).catch((error: unknown) => error);
        if (given instanceof SegmentDamaged) expect(given.segmentId).toBe(id);
        else expect(given).toEqual(wanted);
        it.damage(id, row, row * 31);
      }
    }
  });
});

describe("a segment that is replaced", () => {
  test("between any two reads leaves a question its answer, or makes it begin anew", async () => {
    let isDone = false;
    for (let at = 1; !isDone; at++) {
      const { it, wanted } = await severalSegments();
      const ids = await segmentIds(it);
      isDone = true;
      const segments = interrupted(it.store, async (call) => {
        if (call !== at) return;
        isDone = false;
        await it.keeper.tidy(SITE, signal);
      });
      const index = createKeywordIndex({ segments, pageIds: it.pages, bytesMax: 10_000 });
      const ask = async (from: readonly number[]) => {
        const view = await index.open(
          { audience: "everything", siteId: SITE, generation: 1, filter: {} },
          from,
        );
        return view.match(QUERY, LIMIT);
      };
      const given = await ask(ids).catch((error: unknown) => error);
      if (given instanceof SegmentGone) expect(await ask(await segmentIds(it))).toEqual(wanted);
      else expect(given).toEqual(wanted);
      if (!isDone) expect(await segmentIds(it)).not.toEqual(ids);
    }
  });
});

describe("work on the keyword index that is cut short", () => {
  const ways = {
    "it fails": () => {
      throw new Error("cut short");
    },
    "it is stopped": (stop: AbortController) => stop.abort(new Error("cut short")),
  };
  for (const [way, cut] of Object.entries(ways)) {
    for (const work of ["catchUp", "tidy", "repair", "complete"] as const) {
      test(`at any call, ${way} and is done again: ${work} ends as if nothing had happened`, async () => {
        let wasCut = true;
        for (let at = 1; wasCut; at++) {
          const { it, passages, wanted } = await severalSegments();
          if (work === "catchUp") await it.store.remove(await segmentIds(it));
          const [damaged = 0] = await segmentIds(it);
          if (work === "repair") it.damage(damaged, 0, 9);
          // One that can be read, and one that cannot.
          if (work === "complete") it.setRevision("1.6", [damaged]);
          if (work === "complete") it.setRevision("1.1", (await segmentIds(it)).slice(1, 2));
          const stop = new AbortController();
          wasCut = false;
          const store = interrupted(it.store, (call) => {
            if (call !== at) return;
            wasCut = true;
            cut(stop);
          });
          const keeper = createIndexKeeper({ store, log: quietLog() });
          const doWork = (on: typeof keeper, own: AbortSignal) =>
            work === "catchUp" ? on.catchUp(SITE, { signal: own }) : on[work](SITE, own);
          await doWork(keeper, stop.signal).catch((error: Error) => expect(error.message).toBe("cut short"));
          await doWork(it.keeper, signal);
          expect(await it.store.unfinished(SITE)).toEqual([]);
          const counts = (await it.store.list(SITE)).map((segment) => segment.passages);
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(passages.size);
          expect(await answer(it)).toEqual(wanted);
        }
      });
    }
  }
});

describe("a lease on the keyword index that is lost", () => {
  for (const work of ["catchUp", "tidy", "tidy of what is gone", "repair"] as const) {
    test(`at any call: ${work} shows and hides nothing after it`, async () => {
      let wasLost = true;
      for (let at = 2; wasLost; at++) {
        const { it, passages } = await severalSegments();
        const [damaged = 0] = await segmentIds(it);
        if (work === "catchUp") passages.set(999, randomPassage(seededRandom(5), 999));
        if (work === "tidy of what is gone") passages.clear();
        if (work === "repair") it.damage(damaged, 0, 9);
        const lost = new AbortController();
        wasLost = false;
        const store = interrupted(it.store, (call) => {
          if (call !== at) return;
          wasLost = true;
          lost.abort(new Error("the lease was lost"));
        });
        const { lock, finish } = store;
        store.lock = async (siteId) => {
          const lease = await lock(siteId);
          return lease && { ...lease, lost: lost.signal };
        };
        // What is lost while it is written, the store refuses.
        store.finish = async (...given) => {
          expect(lost.signal.aborted).toBe(false);
          await finish(...given);
        };
        const keeper = createIndexKeeper({ store, log: quietLog() });
        const done =
          work === "catchUp"
            ? keeper.catchUp(SITE, { signal })
            : keeper[work === "repair" ? work : "tidy"](SITE, signal);
        await done.catch((error: Error) => expect(error.message).toBe("the lease was lost"));
      }
    });
  }
});

describe("two keepers of one site's index", () => {
  test("at work at once leave each passage in one segment", async () => {
    const passages = randomPassages(200, 37);
    const it = openIndex(passages, () => pagesOf(passages));
    const slow = interrupted(it.store, () => undefined);
    const other = createIndexKeeper({ store: slow, log: quietLog() });
    for (let round = 0; round < 6; round++) {
      const random = seededRandom(round);
      for (let added = 0; added < 20; added++) {
        const id = passages.size + 1000;
        passages.set(id, randomPassage(random, id));
      }
      await Promise.all([
        other.catchUp(SITE, { signal }),
        it.keeper.catchUp(SITE, { signal }),
        other.tidy(SITE, signal),
        it.keeper.repair(SITE, signal),
        it.keeper.tidy(SITE, signal),
      ]);
    }
    expect((await it.store.list(SITE)).reduce((sum, segment) => sum + segment.passages, 0)).toBe(
      passages.size,
    );
    const anew = openIndex(passages, () => pagesOf(passages));
    await anew.keeper.catchUp(SITE, { signal });
    expect(await answer(it)).toEqual(await answer(anew));
  });
});
