import { describe, expect, test } from "bun:test";
import type { Neighbours, PassageQuery } from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import { planMerge } from "../../../../src/finding/search/keyword-index/plan-merge.ts";
import { hashOfTerm, type Segment } from "../../../../src/finding/search/keyword-index/segment/segment.ts";
import type { SegmentReaders } from "../../../../src/finding/search/keyword-index/segment-readers.ts";
import type { IndexablePassage } from "../../../../src/finding/search/keyword-index/segment-store.ts";
import { countTurns } from "../../../helpers/count-turns.ts";
import { byId, openIndex, pagesOf, plainPassage, SITE, signal } from "./random-passages.ts";
import { referenceIndex } from "./reference.ts";

const ask = (query: Partial<PassageQuery>): PassageQuery => ({
  terms: [],
  phrases: [],
  prefix: undefined,
  // Every term beside every other one.
  neighbours: (query.terms ?? []).flatMap((first) =>
    (query.terms ?? []).filter((second) => second !== first).map((second): Neighbours => [first, second]),
  ),
  ...query,
});

async function opened(passages: readonly IndexablePassage[]) {
  const held = byId(passages);
  const it = openIndex(held, () => pagesOf(held));
  await it.keeper.catchUp(SITE, { signal });
  return { ...it, held };
}

/** Every question is answered as the reference says: places, scores, numbers of passages, and what each has. */
async function expectReference(
  { view: open, held }: Awaited<ReturnType<typeof opened>>,
  queries: readonly PassageQuery[],
  limit = 20,
): Promise<void> {
  const view = await open();
  const reference = referenceIndex(held.values());
  for (const query of queries) {
    const found = await view.match(query, limit);
    const wanted = reference.match(query, limit);
    expect(found.map(({ passageId }) => passageId)).toEqual(wanted.map(({ id }) => id));
    for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[index]?.score ?? 0, 9);
    const counts = await view.frequencies(query.terms);
    for (const term of query.terms) expect(counts.get(term) ?? 0).toBe(reference.frequency(term));
    const words = await view.wordsOf(
      wanted.map(({ id }) => id),
      query,
    );
    for (const { id } of wanted) expect(words.get(id)).toEqual(reference.words(id, query));
    const pageIds = wanted.flatMap(({ id }) => held.get(id)?.pageId ?? []);
    const pages = await view.pageWords(pageIds, query.terms);
    for (const [pageId, page] of pages) expect(page).toEqual(reference.page(pageId, query.terms));
  }
}

describe("the keyword index at its edges", () => {
  test("lists that end at a block's end, or just behind it", async () => {
    const sizes = [1, 127, 128, 129, 255, 256, 257, 384, 385];
    const wordsOf = (number: number) => sizes.filter((size) => number % 400 < size).map((size) => `w${size}`);
    const it = await opened(
      Array.from({ length: 800 }, (_, number) =>
        plainPassage(number + 1, [...wordsOf(number), number % 3 === 0 ? "third w385" : "", "all"].join(" ")),
      ),
    );
    const terms = [...sizes.map((size) => `w${size}`), "third", "all"];
    await expectReference(it, [
      ...terms.map((term) => ask({ terms: [term] })),
      ...terms.map((term) => ask({ terms: [...new Set([term, "third", "all"])] })),
      ...terms.map((term) => ask({ terms: ["third"], phrases: [[term, "all"]], prefix: term.slice(0, 3) })),
      ask({ terms }),
      ask({ phrases: [["third", "w385"]] }),
    ]);
  });

  test("documents at both ends of a window, with lists and positions of many rows", async () => {
    const rare = new Set([1, 4096, 4097, 8192, 8193, 8200]);
    const it = await opened(
      Array.from({ length: 8200 }, (_, number) =>
        plainPassage(
          number + 1,
          `some every every ${number % 2 === 0 ? "even every" : "odd"} ${rare.has(number + 1) ? "rare" : ""}`,
        ),
      ),
    );
    const queries = [
      ask({ terms: ["rare"] }),
      ask({ terms: ["rare", "every"] }),
      ask({ terms: ["every", "even", "odd"] }),
      ask({ terms: ["every", "rare"], phrases: [["every", "rare"]] }),
      ask({ phrases: [["every", "odd", "rare"]] }),
    ];
    await expectReference(it, queries, 8);
    const before = await (await it.view()).match(ask({ terms: ["rare", "every"] }), 8200);
    await it.keeper.tidy(SITE, signal);
    await expectReference(it, queries, 8);
    expect(await (await it.view()).match(ask({ terms: ["rare", "every"] }), 8200)).toEqual(before);
  });

  test("a term that a passage has many times over, in one field or in several", async () => {
    const many = 65_539;
    const it = await opened([
      plainPassage(1, "word ".repeat(many)),
      plainPassage(2, "other", { identifiers: ["word", "word", "word"] }),
      plainPassage(3, "word other", { title: "word", headings: ["word", "word"] }),
      plainPassage(4, "nothing"),
      ...Array.from({ length: 9 }, (_, index) => plainPassage(index + 5, "nothing at all")),
    ]);
    await expectReference(it, [
      ask({ terms: ["word"] }),
      ask({ terms: ["word", "other"], phrases: [["word", "word"]] }),
      ask({ phrases: [["word", "other"]], prefix: "wo" }),
    ]);
  });

  test("others run while a phrase is looked for that every passage has many times", async () => {
    const text = "one of the ".repeat(20);
    const it = await opened(Array.from({ length: 4000 }, (_, index) => plainPassage(index + 1, text)));
    const view = await it.view();
    const turns = countTurns();
    const found = await view.match(ask({ phrases: [["of", "the"]] }), 5);
    // The places of both words are 160,000.
    expect(turns.end()).toBeGreaterThan(5);
    expect(found.map(({ passageId }) => passageId)).toEqual([1, 2, 3, 4, 5]);
  });

  test("phrases of one word again and again, and none from one field into the next", async () => {
    const it = await opened([
      plainPassage(1, "a a a b a a"),
      plainPassage(2, "a b a b a b"),
      plainPassage(3, "b", { title: "a", headings: ["a", "b"] }),
      plainPassage(4, "a", { headings: ["c"] }),
      plainPassage(5, "b", { title: "a" }),
      plainPassage(6, "x", { title: "c", keywords: ["a", "b"] }),
      ...Array.from({ length: 9 }, (_, index) => plainPassage(index + 7, "d e f")),
    ]);
    await expectReference(it, [
      ...["a a", "a a a", "a a a a", "a b", "a b a b", "b a a", "c a b", "a c", "zz a", "a zz"].map(
        (phrase) => ask({ phrases: [phrase.split(" ")] }),
      ),
      ask({
        terms: ["a"],
        phrases: [
          ["a", "b"],
          ["a", "b"],
        ],
      }),
    ]);
  });

  test("terms from one byte to sixty-four characters, of every plane, and what they begin with", async () => {
    const letters = ["z", "é", "ß", "ж", "語", "ꙮ", "ﬀ", "𝒳", "𐐷", "😀", "𠀀", "\ue000"];
    const long = (letter: string) => [1, 2, 3, 31, 63, 64].map((count) => letter.repeat(count));
    const all = [...letters.flatMap(long), "z9", "z_9", "z-9", "zz😀", "éa", "語z", "_".repeat(3)];
    const it = await opened(
      all.flatMap((text, index) => [
        plainPassage(index * 2 + 1, `${text} common`),
        plainPassage(index * 2 + 2, index % 4 === 0 ? `${text} ${all[index + 1] ?? ""}` : "common"),
      ]),
    );
    const terms = [...new Set(it.held.values().flatMap(({ text }) => text.split(" ")))];
    const beginnings = terms.flatMap((term) => {
      const characters = [...term];
      return [1, 2, characters.length].map((count) => characters.slice(0, count).join(""));
    });
    await expectReference(it, [
      ...terms.map((term) => ask({ terms: [term] })),
      ...[...new Set(beginnings)].map((prefix) => ask({ prefix })),
      ask({ prefix: "" }),
    ]);
  });

  test("passages without a word, one passage, and none", async () => {
    const empty = [1, 2, 3].map((id) => plainPassage(id, "?!"));
    for (const passages of [[], empty, [plainPassage(1, "one")], [...empty, plainPassage(4, "one two")]]) {
      const it = await opened(passages);
      await it.keeper.tidy(SITE, signal);
      expect((await it.view()).passages).toBe(passages.length);
      await expectReference(it, [
        ask({}),
        ask({ terms: ["one"] }),
        ask({ terms: ["one", "zzz"], phrases: [["one", "two"]], prefix: "o" }),
        ask({ phrases: [["one", "two"]] }),
        ask({ prefix: "zz" }),
      ]);
    }
  });

  test("no place that is asked for is no place", async () => {
    const it = await opened([plainPassage(1, "one"), plainPassage(2, "one two")]);
    expect(await (await it.view()).match(ask({ terms: ["one"], prefix: "t" }), 0)).toEqual([]);
  });

  test("passages that are deleted one after the other, down to the last", async () => {
    const it = await opened(
      Array.from({ length: 30 }, (_, index) => plainPassage(index + 1, `word w${index} w${index % 7}`)),
    );
    for (const id of [...it.held.keys()]) {
      it.held.delete(id);
      if (id % 3 === 0) await it.keeper.tidy(SITE, signal);
      await expectReference(it, [ask({ terms: ["word", `w${id}`] }), ask({ prefix: "w", terms: ["w3"] })]);
    }
    expect((await it.view()).passages).toBe(0);
    await it.keeper.tidy(SITE, signal);
    expect(await it.store.list(SITE)).toEqual([]);
  });

  test("a filter that allows nothing finds nothing, and takes nothing of what is known of the words", async () => {
    const held = byId([plainPassage(1, "one two"), plainPassage(2, "one")]);
    let isShown = true;
    const it = openIndex(held, () => (isShown ? pagesOf(held) : new Set()));
    await it.keeper.catchUp(SITE, { signal });
    await it.view();
    isShown = false;
    const nothing = await it.view({ version: "none" });
    expect(await nothing.match(ask({ terms: ["one"], phrases: [["one", "two"]], prefix: "t" }), 10)).toEqual(
      [],
    );
  });

  test("the numbers of terms that were asked for long ago stay right", async () => {
    const words = Array.from({ length: 10_050 }, (_, number) => `w${number}`);
    const it = await opened([plainPassage(1, words.join(" ")), plainPassage(2, "w0"), plainPassage(3, "")]);
    const view = await it.view();
    await view.frequencies(words.slice(0, 10_000));
    expect(await view.frequencies(["w0", "w10001"])).toEqual(
      new Map([
        ["w0", 2],
        ["w10001", 1],
      ]),
    );
    expect(await view.frequencies(words)).toEqual(
      new Map(words.map((word) => [word, word === "w0" ? 2 : 1])),
    );
  });
});

describe("what links call a page", () => {
  /** Pages with one passage each: each has an address and links. */
  const linked = (pages: Record<string, [to: string, text: string][]>) =>
    Object.entries(pages).map(([address, links], index) =>
      plainPassage(index + 1, "text", {
        page: { address, links: links.map(([to, text]) => ({ to, text })) },
      }),
    );
  /** What is said of the page with this passage. */
  const said = async (passages: readonly IndexablePassage[], passageId: number, terms: string[]) => {
    const view = await (await opened(passages)).view();
    const pageId = 1000 + passageId;
    return view.saidByLinks([pageId], new Map(terms.map((term) => [term, 1]))).get(pageId);
  };

  test("is the text that has most of the question and least besides", async () => {
    const passages = linked({
      target: [],
      a: [["target", "red green blue white"]],
      b: [["target", "red green"]],
      c: [["target", "red"]],
    });
    expect(await said(passages, 1, ["red", "green"])).toEqual({ share: 1 / 1.5, terms: ["red", "green"] });
    expect(await said(passages, 1, ["blue", "white", "red", "green"])).toEqual({
      share: 1 / 1.5,
      terms: ["red", "green", "blue", "white"].toSorted((x, y) => hashOfTerm(x) - hashOfTerm(y)),
    });
    expect(await said(passages, 1, ["black"])).toBeUndefined();
    expect(await said(passages, 1, [])).toBeUndefined();
    expect(await said(passages, 2, ["red"])).toBeUndefined();
  });

  test("counts once for each page that says it, in whichever order and however often", async () => {
    const passages = linked({
      target: [["target", "red"]],
      a: [
        ["target", "Red!"],
        ["target", "red"],
        ["target", "red red"],
      ],
    });
    expect(await said(passages, 1, ["red"])).toEqual({ share: 1 / 1.5, terms: ["red"] });
    const two = linked({ target: [], a: [["target", "red green"]], b: [["target", "green red"]] });
    expect((await said(two, 1, ["red", "green"]))?.share).toBeCloseTo(2 / 2.5, 9);
  });

  test("is the texts that most pages say, where there are many, and no long one", async () => {
    const words = Array.from({ length: 30 }, (_, index) => `colour${index}`);
    const passages = linked({
      target: [],
      a: words.map((word) => ["target", word]),
      b: words.slice(14).map((word) => ["target", word]),
      c: [["target", words.slice(0, 17).join(" ")]],
    });
    for (const word of words)
      expect((await said(passages, 1, [word]))?.share ?? 0).toBeCloseTo(
        words.indexOf(word) < 14 ? 0 : 0.8,
        9,
      );
  });

  test("holds for each page of an address, and the first 2,000 links of a page", async () => {
    const many = Array.from({ length: 3000 }, (_, index): [string, string] => [
      `page ${index}`,
      `word${index}`,
    ]);
    const passages = linked({ many, "page 7": [], "page 2999": [] });
    const twin = plainPassage(9, "text", { page: { address: "page 7", links: [] } });
    for (const id of [2, 9])
      expect(await said([...passages, twin], id, ["word7"])).toEqual({ share: 1 / 1.5, terms: ["word7"] });
    expect(await said(passages, 3, ["word2999"])).toBeUndefined();
  });
});

describe("the plan of merges", () => {
  const segmentOf = (id: number, size: number): Segment => ({
    id,
    size,
    passageIds: new Float64Array(),
    pageIds: new Float64Array(),
    lengths: new Uint32Array(),
    pageStarts: new Uint32Array(),
    occurrences: { counts: [], totals: [], numberOf: () => 0 },
    firstTerms: [],
    positionRows: 0,
    wordRows: 0,
    linkRows: 0,
  });

  test("keeps segments few and below 65,536 passages, and writes none again and again", () => {
    let segments: Segment[] = [];
    let written = 0;
    let nextId = 1;
    const total = 300;
    for (let run = 0; run < total; run++) {
      segments.push(segmentOf(nextId++, run % 10 === 0 ? 8192 : 1 + ((run * 37) % 900)));
      for (;;) {
        const merged = planMerge(
          segments.map((segment) => ({ segment, kept: segment.size, readers: "everyone" })),
        );
        if (merged.length === 0) break;
        expect(merged.length).toBeGreaterThan(1);
        const size = merged.reduce((sum, each) => sum + each.size, 0);
        expect(size).toBeLessThanOrEqual(65_536);
        written += size;
        segments = [...segments.filter((each) => !merged.includes(each)), segmentOf(nextId++, size)];
      }
    }
    const all = segments.reduce((sum, { size }) => sum + size, 0);
    expect(segments.length).toBeLessThan(35);
    expect(written / all).toBeLessThan(8);
  });

  test("a segment of which more than a tenth is gone is made anew alone, whatever its size", () => {
    for (const [size, kept] of [
      [10, 8],
      [65_536, 50_000],
      [5, 0],
    ] as const) {
      const segment = segmentOf(1, size);
      expect(planMerge([{ segment, kept, readers: "everyone" }])).toEqual([segment]);
    }
    expect(planMerge([{ segment: segmentOf(1, 100), kept: 90, readers: "everyone" }])).toEqual([]);
  });

  test("what is for everyone is merged with nothing else", () => {
    const weighed = (numbers: number[], readers: SegmentReaders) =>
      numbers.map((number) => ({ segment: segmentOf(number, 100), kept: 100, readers }));
    expect(planMerge([...weighed([1, 3, 5], "everyone"), ...weighed([2, 4, 6], "some")])).toEqual([]);
    const merged = planMerge([...weighed([1, 3, 5], "everyone"), ...weighed([2, 4, 6, 7], "some")]);
    expect(merged.map(({ id }) => id)).toEqual([2, 4, 6, 7]);
  });
});
