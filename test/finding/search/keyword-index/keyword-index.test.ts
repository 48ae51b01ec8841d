import { describe, expect, test } from "bun:test";
import { createIndexKeeper } from "../../../../src/finding/search/keyword-index/index-keeper.ts";
import { createKeywordIndex } from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import { SegmentDamaged } from "../../../../src/finding/search/keyword-index/segment/checksum.ts";
import type { IndexablePassage } from "../../../../src/finding/search/keyword-index/segment-store.ts";
import type { SearchScope } from "../../../../src/finding/search/search-store.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";
import { memorySegmentStore } from "../../../helpers/memory-segment-store.ts";
import { quietLog } from "../../../helpers/test-log.ts";
import {
  below,
  openIndex,
  pagesOf,
  randomPassage,
  randomQuery,
  SITE,
  signal,
  WORDS,
  words,
} from "./random-passages.ts";
import { referenceIndex } from "./reference.ts";

describe("keyword index", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    test(`finds what the formula says, whatever was added, deleted, merged and filtered (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const passages = new Map<number, IndexablePassage>();
      let shown = new Set<number>();
      // Whom a page is for changes nothing of what is found.
      const it = openIndex(
        passages,
        () => shown,
        [],
        (pageId) => seed % 2 === 0 && pageId % 4 === 0,
      );
      let nextId = 1;
      for (let step = 0; step < 12; step++) {
        for (let added = below(random, 80); added > 0; added--, nextId += 1 + below(random, 3))
          passages.set(nextId, randomPassage(random, nextId));
        for (const { pageId } of [...passages.values()].filter(() => random() < 0.05))
          for (const [id, passage] of passages) if (passage.pageId === pageId) passages.delete(id);
        await it.keeper.catchUp(SITE, { signal });
        if (random() < 0.5) await it.keeper.tidy(SITE, signal);
        // Some pages are of other generations: they are there, and nobody sees them.
        const all = pagesOf(passages);
        shown = new Set([...all].filter(() => random() < 0.9));
        const visible = [...passages.values()].filter(({ pageId }) => shown.has(pageId));
        const view = await it.view();
        expect(view.passages).toBe(visible.length);
        const reference = referenceIndex(visible);
        for (let asked = 0; asked < 12; asked++) {
          const query = randomQuery(random);
          const limit = [1, 5, 20, 150][below(random, 4)] ?? 20;
          const found = await view.match(query, limit);
          const wanted = reference.match(query, limit);
          expect(found.map(({ score }) => score.toFixed(6))).toEqual(
            wanted.map(({ score }) => score.toFixed(6)),
          );
          expect(found.map(({ passageId }) => passageId)).toEqual(wanted.map(({ id }) => id));
          for (const term of query.terms)
            expect((await view.frequencies([term])).get(term) ?? 0).toBe(reference.frequency(term));
          const ids = visible.map(({ id }) => id).filter(() => random() < 0.1);
          const own = await view.wordsOf(ids, query);
          for (const id of ids) expect(own.get(id)).toEqual(reference.words(id, query));
          const pages = await view.pageWords([...new Set(visible.map(({ pageId }) => pageId))], query.terms);
          for (const [pageId, page] of pages) expect(page).toEqual(reference.page(pageId, query.terms));
          const said = view.saidByLinks([...shown], new Map(query.terms.map((term) => [term, 1])));
          for (const pageId of [...shown].filter(() => random() < 0.2))
            expect(said.get(pageId)?.share ?? 0).toBeCloseTo(reference.saidByLinks(pageId, query.terms), 9);
        }
      }
    });
  }

  test("a filter narrows what is found, and changes no score", async () => {
    const random = seededRandom(9);
    const passages = new Map(Array.from({ length: 300 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const held = memorySegmentStore(passages);
    await createIndexKeeper({ store: held.store, log: quietLog() }).catchUp(SITE, { signal });
    const all = pagesOf(passages);
    const some = new Set([...all].filter((page) => page % 7 === 0));
    const index = createKeywordIndex({
      segments: held.store,
      pageIds: async ({ filter }) => (filter.version === undefined ? all : some),
      bytesMax: 0,
    });
    const ids = (await held.store.list(SITE)).map(({ id }) => id);
    const view = await index.open(
      { audience: "everything", siteId: SITE, generation: 1, filter: { version: "2" } },
      ids,
    );
    const reference = referenceIndex(passages.values(), (id) => some.has(passages.get(id)?.pageId ?? 0));
    for (let asked = 0; asked < 50; asked++) {
      const query = randomQuery(random);
      const found = await view.match(query, 10);
      expect(found.map(({ passageId }) => passageId)).toEqual(reference.match(query, 10).map(({ id }) => id));
    }
  });

  test("an audience's index is that of its pages alone, hit for hit and score for score", async () => {
    const random = seededRandom(23);
    const passages = new Map(Array.from({ length: 300 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const all = pagesOf(passages);
    const some = new Set([...all].filter((page) => page % 3 === 0));
    const own = new Map([...passages].filter(([, { pageId }]) => some.has(pageId)));
    const held = memorySegmentStore(passages);
    await createIndexKeeper({ store: held.store, log: quietLog() }).catchUp(SITE, { signal });
    const read: number[] = [];
    const rows = (id: number, numbers: readonly number[]) => {
      read.push(...numbers);
      return held.store.rows(id, numbers);
    };
    const pageIds = async ({ audience }: SearchScope) => (audience === "everything" ? all : some);
    const index = createKeywordIndex({ segments: { rows }, pageIds, bytesMax: 0 });
    const ids = (await held.store.list(SITE)).map(({ id }) => id);
    const open = (audience: SearchScope["audience"]) =>
      index.open({ audience, siteId: SITE, generation: 1, filter: {} }, ids);
    const view = await open(["hr"]);
    expect(read).toContain(0);
    read.length = 0;
    await open(["it"]);
    const whole = await open("everything");
    // What a segment begins with is the site's, whoever asks, and read once.
    expect(read).not.toContain(0);
    expect(view.passages).toBeLessThan(whole.passages);
    const alone = openIndex(own, () => some);
    await alone.keeper.catchUp(SITE, { signal });
    const reference = await alone.view();
    expect([view.passages, view.pageLength]).toEqual([reference.passages, reference.pageLength]);
    for (let asked = 0; asked < 50; asked++) {
      const query = randomQuery(random);
      expect(await view.match(query, 10)).toEqual(await reference.match(query, 10));
      expect(await view.frequencies(query.terms)).toEqual(await reference.frequencies(query.terms));
    }
  });

  test("what is not for a reader is not read for a question of theirs, whatever they ask", async () => {
    const random = seededRandom(29);
    const isRestricted = (pageId: number) => pageId % 3 === 0;
    const passages = new Map<number, IndexablePassage>();
    const it = openIndex(passages, () => pagesOf(passages), [], isRestricted);
    for (let id = 1; id <= 300; id++) {
      const made = randomPassage(random, id);
      passages.set(id, isRestricted(made.pageId) ? { ...made, text: `salarium ${made.text}` } : made);
      if (id % 50 !== 0) continue;
      await it.keeper.catchUp(SITE, { signal });
      await it.keeper.tidy(SITE, signal);
    }
    const read = new Set<number>();
    const rows = (id: number, numbers: readonly number[]) => {
      read.add(id);
      return it.store.rows(id, numbers);
    };
    const all = pagesOf(passages);
    const open = new Set([...all].filter((page) => !isRestricted(page)));
    const pageIds = async ({ audience }: SearchScope) => (audience === "everything" ? all : open);
    const index = createKeywordIndex({ segments: { rows }, pageIds, bytesMax: 0 });
    const ids = (await it.store.list(SITE)).map(({ id }) => id);
    const view = await index.open({ audience: [], siteId: SITE, generation: 1, filter: {} }, ids);
    read.clear();
    for (const word of ["salarium", "salarum"]) {
      expect(await view.nearWords(word)).toEqual([]);
      expect(await view.hasBeginning(word.slice(0, 5))).toBe(false);
      expect(
        await view.match({ terms: [word, ...WORDS], phrases: [[word, word]], prefix: "b" }, 10),
      ).not.toEqual([]);
    }
    const segments = it.segments().filter(({ id }) => read.has(id));
    expect(segments.reduce((sum, segment) => sum + segment.passages, 0)).toBe(view.passages);
    expect(segments.length).toBeGreaterThan(0);
    expect(segments.length).toBeLessThan(ids.length);
  });

  test("a word that only pages of other groups have is looked up no more often than one that none has", async () => {
    const random = seededRandom(37);
    const passages = new Map<number, IndexablePassage>();
    const isRestricted = (pageId: number) => pageId % 2 === 0;
    const isOthers = (pageId: number) => pageId % 4 === 0;
    for (let id = 1; id <= 200; id++) {
      const made = randomPassage(random, id);
      passages.set(id, isOthers(made.pageId) ? { ...made, text: `salarium ${made.text}` } : made);
    }
    const it = openIndex(passages, () => pagesOf(passages), [], isRestricted);
    await it.keeper.catchUp(SITE, { signal });
    let read = 0;
    const rows = (id: number, numbers: readonly number[]) => {
      read += numbers.length;
      return it.store.rows(id, numbers);
    };
    const all = pagesOf(passages);
    const own = new Set([...all].filter((page) => !isOthers(page)));
    const pageIds = async ({ audience }: SearchScope) => (audience === "everything" ? all : own);
    const index = createKeywordIndex({ segments: { rows }, pageIds, bytesMax: 100_000 });
    const ids = (await it.store.list(SITE)).map(({ id }) => id);
    const view = await index.open({ audience: ["it"], siteId: SITE, generation: 1, filter: {} }, ids);
    await view.nearWords("kumbrelifo");
    const readFor = async (word: string) => {
      read = 0;
      expect(await view.nearWords(word)).toEqual([]);
      return read;
    };
    expect(await readFor("salarium")).toBe(await readFor("bitrovonke"));
  });

  test("a segment of pages for everyone and for some is parted, and answers the same", async () => {
    const random = seededRandom(31);
    const passages = new Map(Array.from({ length: 300 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const shown = pagesOf(passages);
    const mixed = openIndex(passages, () => shown);
    await mixed.keeper.catchUp(SITE, { signal });
    const parted = openIndex(
      passages,
      () => shown,
      mixed.segments(),
      (pageId) => pageId % 5 === 0,
    );
    await parted.keeper.tidy(SITE, signal);
    const restricted = [...passages.values()].filter(({ pageId }) => pageId % 5 === 0).length;
    expect(parted.segments().map((segment) => segment.passages)).toEqual([300 - restricted, restricted]);
    const [before, after] = [await mixed.view(), await parted.view()];
    for (let asked = 0; asked < 50; asked++) {
      const query = randomQuery(random);
      expect(await after.match(query, 10)).toEqual(await before.match(query, 10));
    }
  });

  test("a merged index answers as one that was built anew, hit for hit", async () => {
    const random = seededRandom(11);
    const passages = new Map<number, IndexablePassage>();
    const it = openIndex(passages, () => pagesOf(passages));
    for (let id = 1; id <= 400; id++) {
      passages.set(id, randomPassage(random, id));
      if (id % 100 === 0) await it.keeper.catchUp(SITE, { signal });
    }
    await it.keeper.tidy(SITE, signal);
    const merged = await it.store.list(SITE);
    expect(merged.map(({ passages: count }) => count)).toEqual([400]);
    const anew = openIndex(passages, () => pagesOf(passages));
    await anew.keeper.catchUp(SITE, { signal });
    const [[one], [other]] = [merged, await anew.store.list(SITE)];
    const view = await it.view();
    const fresh = await anew.view();
    for (let asked = 0; asked < 100; asked++) {
      const query = randomQuery(random);
      expect(await view.match(query, 50)).toEqual(await fresh.match(query, 50));
      const weights = new Map(query.terms.map((term) => [term, random()]));
      const pageIds = [...pagesOf(passages)];
      expect(view.saidByLinks(pageIds, weights)).toEqual(fresh.saidByLinks(pageIds, weights));
    }
    expect(one?.bytes).toBeGreaterThan(0);
    expect(other?.bytes).toBeGreaterThan(0);
  });

  test("frequent words are found among thousands of passages as the formula says", async () => {
    const random = seededRandom(12);
    const short = (id: number) => ({ ...randomPassage(random, id), text: words(random, 6) });
    const passages = new Map(Array.from({ length: 10_000 }, (_, id) => [id + 1, short(id + 1)]));
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    expect((await it.store.list(SITE)).length).toBe(2);
    const view = await it.view();
    const reference = referenceIndex(passages.values());
    for (let asked = 0; asked < 10; asked++) {
      const query = randomQuery(random);
      const found = await view.match(query, 20);
      expect(found.map(({ passageId }) => passageId)).toEqual(reference.match(query, 20).map(({ id }) => id));
    }
  });

  test("a changed bit anywhere is found, and repaired", async () => {
    const random = seededRandom(13);
    const passages = new Map(Array.from({ length: 300 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    const before = await (await it.view()).match(
      { terms: WORDS.slice(0, 5), phrases: [], prefix: undefined },
      50,
    );
    const [segment] = await it.store.list(SITE);
    for (const row of it.rowNumbers(segment?.id ?? 0)) {
      const [{ id = 0 } = {}] = await it.store.list(SITE);
      it.damage(id, row, below(random, 5000));
      expect(await it.keeper.findDamaged(SITE, signal)).toEqual([id]);
      expect(await it.keeper.repair(SITE, signal)).toBe(1);
      expect(await it.keeper.findDamaged(SITE, signal)).toEqual([]);
      const after = await (await it.view()).match(
        { terms: WORDS.slice(0, 5), phrases: [], prefix: undefined },
        50,
      );
      expect(after).toEqual(before);
    }
  });

  test("nothing of a damaged segment is served", async () => {
    const random = seededRandom(17);
    const passages = new Map(Array.from({ length: 100 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    const [{ id = 0 } = {}] = await it.store.list(SITE);
    it.damage(id, 2, 100);
    const view = await it.view();
    expect(view.match({ terms: WORDS, phrases: [], prefix: undefined }, 5)).rejects.toThrow(SegmentDamaged);
  });

  test("a term is counted once in each generation, also one that occurs nowhere", async () => {
    const random = seededRandom(19);
    const passages = new Map(Array.from({ length: 50 }, (_, id) => [id + 1, randomPassage(random, id + 1)]));
    const held = memorySegmentStore(passages);
    await createIndexKeeper({ store: held.store, log: quietLog() }).catchUp(SITE, { signal });
    const read: number[] = [];
    const rows = (id: number, numbers: readonly number[]) => {
      read.push(...numbers);
      return held.store.rows(id, numbers);
    };
    const pageIds = async () => pagesOf(passages);
    const index = createKeywordIndex({ segments: { rows }, pageIds, bytesMax: 0 });
    const ids = (await held.store.list(SITE)).map(({ id }) => id);
    const terms = [...WORDS.slice(0, 3), "absent"];
    const ask = async (generation: number) => {
      read.length = 0;
      const view = await index.open({ audience: "everything", siteId: SITE, generation, filter: {} }, ids);
      await view.frequencies(terms);
      return read.length > 0;
    };
    expect([await ask(1), await ask(1), await ask(2), await ask(2)]).toEqual([true, false, true, false]);
  });
});
