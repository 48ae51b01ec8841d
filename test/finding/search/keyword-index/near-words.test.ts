import { describe, expect, test } from "bun:test";
import { analyze } from "../../../../src/finding/search/analyze.ts";
import { createIndexKeeper } from "../../../../src/finding/search/keyword-index/index-keeper.ts";
import {
  createKeywordIndex,
  SegmentDamaged,
  SegmentGone,
} from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import {
  createEditCost,
  extraCost,
  FIRST,
  missingCost,
  TRANSPOSED,
  wrongCost,
} from "../../../../src/finding/search/keyword-index/near-words/edit-cost.ts";
import { lettersOf } from "../../../../src/finding/search/keyword-index/near-words/word-list.ts";
import { FIRST_WORDS_ROW } from "../../../../src/finding/search/keyword-index/segment/segment-writer.ts";
import { createWordRows, readWords } from "../../../../src/finding/search/keyword-index/segment/word-rows.ts";
import type { IndexablePassage } from "../../../../src/finding/search/keyword-index/segment-store.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";
import { withTypos } from "../../../../src/measuring/eval/typos/seed-typos.ts";
import type { PageFilter } from "../../../../src/sites/pages/pages.ts";
import { memorySegmentStore } from "../../../helpers/memory-segment-store.ts";
import { quietLog } from "../../../helpers/test-log.ts";
import {
  below,
  byId,
  openIndex,
  pagesOf,
  plainPassage,
  type Random,
  SITE,
  signal,
} from "./random-passages.ts";

/** Words that are near each other, as those of a language are. */
const WORDS = (() => {
  const random = seededRandom(3);
  const syllables = [
    "con",
    "fig",
    "ter",
    "mi",
    "na",
    "tion",
    "re",
    "quest",
    "pa",
    "ra",
    "me",
    "ß",
    "é",
    "ко",
    "да",
  ];
  const made = Array.from({ length: 900 }, () =>
    Array.from({ length: 2 + below(random, 4) }, () => syllables[below(random, syllables.length)]).join(""),
  );
  return [...new Set(made)].filter(({ length }) => length >= 4 && length <= 24);
})();
const some = (random: Random, count: number) =>
  Array.from({ length: count }, () => WORDS[below(random, WORDS.length)]).join(" ");

/** The cost by its definition. */
function costByDefinition(typed: Uint16Array, word: Uint16Array): number {
  const known = new Map<string, number>();
  const cost = (i: number, j: number): number => {
    const key = `${i} ${j}`;
    const own = known.get(key) ?? least(i, j);
    known.set(key, own);
    return own;
  };
  const least = (i: number, j: number): number => {
    if (i === 0 && j === 0) return 0;
    const [t, w] = [typed[i - 1] ?? 0, word[j - 1] ?? 0];
    const ways: number[] = [];
    if (i > 0)
      ways.push(cost(i - 1, j) + extraCost(t, typed[i - 2] ?? 0, typed[i] ?? 0) + (i === 1 ? FIRST : 0));
    if (j > 0) ways.push(cost(i, j - 1) + missingCost(w, word[j - 2] ?? 0) + (j === 1 ? FIRST : 0));
    if (i > 0 && j > 0)
      ways.push(cost(i - 1, j - 1) + wrongCost(t, w) + (t !== w && i === 1 && j === 1 ? FIRST : 0));
    if (i > 1 && j > 1 && t === word[j - 2] && typed[i - 2] === w) ways.push(cost(i - 2, j - 2) + TRANSPOSED);
    return Math.min(...ways);
  };
  return cost(typed.length, word.length);
}

const mostFor = (length: number) =>
  length < 4 ? 70 : length < 5 ? 90 : length < 8 ? 110 : length < 10 ? 160 : 180;

describe("near words", () => {
  test("the cost of a typo is what its definition says, wherever it is within reach", () => {
    const random = seededRandom(5);
    let near = 0;
    for (let asked = 0; asked < 20_000; asked++) {
      const word = WORDS[below(random, WORDS.length)] ?? "";
      const written = withTypos(word, 1, random) ?? word;
      const typed = lettersOf(random() < 0.3 ? (withTypos(written, 1, random) ?? written) : written);
      const other = random() < 0.8 ? word : (WORDS[below(random, WORDS.length)] ?? "");
      const letters = lettersOf(other);
      const wanted = costByDefinition(typed, letters);
      // It stands between others, as in a list.
      const codes = Uint16Array.from([120, 121, ...letters, 122]);
      const found = createEditCost(typed)(codes, 2, 2 + letters.length, 180);
      if (wanted <= 180) near++;
      expect(wanted <= 180 ? found : found > 180).toBe(wanted <= 180 ? wanted : true);
    }
    expect(near).toBeGreaterThan(10_000);
  });

  test("words come back as they were written, with about as many passages", () => {
    const random = seededRandom(6);
    const counted = WORDS.toSorted().map((word) => ({ word, passages: 1 + below(random, 5000) }));
    const rows: Uint8Array[] = [];
    const writer = createWordRows((index, bytes) => {
      expect(index).toBe(rows.length);
      rows.push(bytes);
    });
    for (const each of counted) writer.add(each);
    expect(writer.end()).toBe(rows.length);
    const read = rows.flatMap(readWords);
    expect(read.map(({ word }) => word)).toEqual(counted.map(({ word }) => word));
    for (const [at, { passages }] of read.entries()) {
      expect(passages).toBeLessThanOrEqual((counted[at]?.passages ?? 0) * 1.5);
      expect(passages).toBeGreaterThanOrEqual((counted[at]?.passages ?? 0) * 0.74);
    }
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(4000);
  });

  for (const seed of [1, 2, 3])
    test(`those of the passages that readers see are found, whatever was added, deleted and merged (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const passages = new Map<number, IndexablePassage>();
      let shown = new Set<number>();
      const it = openIndex(passages, () => shown);
      let nextId = 1;
      for (let step = 0; step < 8; step++) {
        for (let added = below(random, 40); added > 0; added--, nextId++)
          passages.set(nextId, plainPassage(nextId, some(random, 1 + below(random, 8))));
        for (const id of [...passages.keys()].filter(() => random() < 0.1)) passages.delete(id);
        await it.keeper.catchUp(SITE, { signal });
        if (random() < 0.5) await it.keeper.tidy(SITE, signal);
        shown = new Set([...pagesOf(passages)].filter(() => random() < 0.8));
        const visible = [...passages.values()].filter(({ pageId }) => shown.has(pageId));
        const seen = new Set(visible.flatMap(({ text }) => text.split(" ")));
        const terms = new Set([...seen].flatMap(analyze));
        const view = await it.view();
        for (let asked = 0; asked < 20; asked++) {
          const word = WORDS[below(random, WORDS.length)] ?? "";
          const typed = withTypos(word, 1, random) ?? word;
          const letters = lettersOf(typed);
          const isNear = (each: string) =>
            costByDefinition(letters, lettersOf(each)) <= mostFor(letters.length);
          const found = (await view.nearWords(typed)).map((each) => each.word);
          expect([...seen].filter((each) => isNear(each) && !found.includes(each))).toEqual([]);
          // Another form of a word may be known from elsewhere; its stem is what is looked for.
          expect(found.filter((each) => !isNear(each) || !terms.has(analyze(each)[0] ?? ""))).toEqual([]);
        }
      }
    });

  test("a word is offered only where the filter allows a passage that has it", async () => {
    const passages = byId([plainPassage(1, "declare a body"), plainPassage(2, "declaim a poem")]);
    const held = memorySegmentStore(passages);
    await createIndexKeeper({ store: held.store, log: quietLog() }).catchUp(SITE, { signal });
    const index = createKeywordIndex({
      segments: held.store,
      pageIds: async ({ filter }) => new Set(filter.version === "2" ? [1002] : [1001, 1002]),
      bytesMax: 10_000,
    });
    const ids = (await held.store.list(SITE)).map(({ id }) => id);
    const near = async (filter: PageFilter, typed: string) => {
      const view = await index.open({ audience: "everything", siteId: SITE, generation: 1, filter }, ids);
      return (await view.nearWords(typed)).map(({ word }) => word);
    };
    expect([await near({}, "declre"), await near({}, "declim")]).toEqual([["declare"], ["declaim"]]);
    expect([await near({ version: "2" }, "declre"), await near({ version: "2" }, "declim")]).toEqual([
      [],
      ["declaim"],
    ]);
  });

  test("a damaged row of words stops the search, and a segment that is gone begins it anew", async () => {
    const passages = byId([plainPassage(1, "declare a body")]);
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    const [{ id = 0 } = {}] = await it.store.list(SITE);
    it.damage(id, FIRST_WORDS_ROW, 3);
    expect((await it.view()).nearWords("declre")).rejects.toThrow(SegmentDamaged);
    it.change(id, FIRST_WORDS_ROW, () => undefined);
    expect((await it.view()).nearWords("declre")).rejects.toThrow(SegmentGone);
  });

  test("the likelier word comes first: the one with the smaller mistake, and among equals the more frequent", async () => {
    const passages = byId([
      plainPassage(1, "contest"),
      ...Array.from({ length: 40 }, (_, at) => plainPassage(at + 2, "content")),
      plainPassage(50, "function"),
    ]);
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    const words = async (typed: string) => (await (await it.view()).nearWords(typed)).map(({ word }) => word);
    expect(await words("contet")).toEqual(["content", "contest"]);
    expect(await words("contsent")).toEqual(["content"]);
    expect(await words("fucntion")).toEqual(["function"]);
    expect(await words("funtcoin")).toEqual(["function"]);
    expect(await words("something")).toEqual([]);
  });

  test("words of scripts without spaces, short ones and those with digits are no words to be corrected to", async () => {
    const passages = byId([plainPassage(1, "設定設定設定設定 cat cats1 sha256sum réseaux")]);
    const it = openIndex(passages, () => pagesOf(passages));
    await it.keeper.catchUp(SITE, { signal });
    const view = await it.view();
    for (const typed of ["設定設定設定設", "catt", "cats", "sha25sum"])
      expect(await view.nearWords(typed)).toEqual([]);
    expect((await view.nearWords("resaux")).map(({ word }) => word)).toEqual(["réseaux"]);
  });
});
