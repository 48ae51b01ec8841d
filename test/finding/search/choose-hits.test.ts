import { describe, expect, test } from "bun:test";
import { bestSection, chooseHits, createTermReader } from "../../../src/finding/search/choose-hits.ts";
import {
  type RankedPassage,
  type RankingParts,
  raiseCited,
} from "../../../src/finding/search/rank-passages.ts";

const NOTHING: RankingParts = {
  words: 0,
  meaning: 0,
  tracked: 0,
  page: 0,
  headings: 0,
  links: 0,
  path: 0,
  closeness: 0,
  phrases: 0,
  identifiers: 0,
  names: 0,
  verbatim: 0,
  nearness: 0,
  cited: 0,
};

/** The passage at a position of a page, in a section of its own. */
function passage(
  path: string,
  position: number,
  score: number,
  change: Partial<RankedPassage> = {},
): RankedPassage {
  const pageId = path.charCodeAt(0);
  return {
    passageId: pageId * 100 + position,
    pageId,
    path,
    location: `${path}.md`,
    position,
    parts: NOTHING,
    score,
    relevance: 0.5,
    version: "",
    language: "",
    groups: [],
    title: path,
    headings: [],
    anchor: `s${position}`,
    innerHeadings: [],
    markdown: `m${position}`,
    text: `t${position}`,
    lacksWords: false,
    has: new Set(),
    linked: [],
    ...change,
  };
}

const names = (hits: RankedPassage[]) => hits.map(({ path, position }) => `${path}${position}`);
const scoreOf = (hits: RankedPassage[], name: string) =>
  hits.find(({ path, position }) => `${path}${position}` === name)?.score;

describe("translations of one page", () => {
  const page = (id: number, path: string, language: string, score: number) =>
    passage(path, 0, score, { pageId: id, passageId: id, language });
  const shown = (judged: RankedPassage[], question?: string) =>
    chooseHits(judged, 10, question).map(({ path, score }) => `${path} ${score.toFixed(2)}`);
  const ALIKE = [
    page(1, "ru/docs/a", "ru", 0.9),
    page(2, "ko/docs/a", "ko", 0.88),
    page(3, "docs/a", "en", 0.87),
    page(4, "docs/b", "en", 0.5),
  ];

  test("stand behind the one in the main language where it says as much, which takes their place", () => {
    expect(shown(ALIKE, "paginator")).toEqual([
      "docs/a 0.90",
      "docs/b 0.50",
      "ru/docs/a 0.45",
      "ko/docs/a 0.44",
    ]);
  });

  test("stand behind the one in the language of the question", () => {
    expect(shown(ALIKE, "페이지 나누기")[0]).toBe("ko/docs/a 0.90");
    const far = [page(1, "ru/docs/a", "ru", 0.9), page(2, "ko/docs/a", "ko", 0.6)];
    expect(shown(far, "페이지 나누기")).toEqual(["ko/docs/a 0.90", "ru/docs/a 0.45"]);
  });

  test("stay before one that says less of what is asked", () => {
    expect(shown([page(1, "pt-br/docs/a", "pt-BR", 0.9), page(2, "docs/a", "en", 0.6)], "instalar")).toEqual([
      "pt-br/docs/a 0.90",
      "docs/a 0.30",
    ]);
  });

  test("are none of pages without a language, of other pages, or of other versions", () => {
    const judged = [
      page(1, "docs/a", "", 0.9),
      page(2, "de/docs/a", "de", 0.8),
      page(3, "fr/docs/b", "fr", 0.7),
      passage("fr/docs/a", 0, 0.6, { pageId: 4, passageId: 4, language: "fr", version: "2" }),
    ];
    expect(shown(judged)).toEqual(["docs/a 0.90", "de/docs/a 0.80", "fr/docs/b 0.70", "fr/docs/a 0.60"]);
  });
});

describe("the hits to show", () => {
  test("are the best ones, as many as are asked for", () => {
    const judged = [passage("a", 0, 0.2), passage("b", 0, 0.9), passage("c", 0, 0.5)];
    expect(names(chooseHits(judged, 2))).toEqual(["b0", "c0"]);
  });

  test("of one page count less from the third on, so that a long page does not fill the list", () => {
    const hits = chooseHits(
      [0, 2, 4, 6]
        .map((position) => passage("a", position, 1 - position / 1000))
        .concat(passage("b", 0, 0.9)),
      10,
    );
    expect(names(hits)).toEqual(["a0", "a2", "b0", "a4", "a6"]);
    // The second is whole, and each one behind it counts less than the one before.
    expect(scoreOf(hits, "a2")).toBe(0.998);
    expect(scoreOf(hits, "a4")).toBeLessThan(0.9);
    expect(scoreOf(hits, "a6")).toBeLessThan(0.9 * (scoreOf(hits, "a4") ?? 0));
  });

  test("of a page with several rank no higher for that", () => {
    const together = chooseHits([passage("a", 0, 0.5), passage("a", 2, 0.4), passage("a", 4, 0.3)], 10);
    expect([scoreOf(together, "a0"), scoreOf(together, "a2")]).toEqual([0.5, 0.4]);
  });

  test("that are as good as each other keep one order", () => {
    const judged = [passage("c", 0, 0.5), passage("a", 0, 0.5), passage("b", 0, 0.5)];
    expect(names(chooseHits(judged, 10))).toEqual(["a0", "b0", "c0"]);
    expect(names(chooseHits(judged.toReversed(), 10))).toEqual(["a0", "b0", "c0"]);
  });
});

describe("neighbours of one section", () => {
  const same = { anchor: "install" };

  test("are one hit, in the page's order, as relevant as the more relevant one", () => {
    const best = passage("a", 3, 0.9, { ...same, relevance: 0.4 });
    const before = passage("a", 2, 0.5, { ...same, relevance: 0.7 });
    const behind = passage("a", 4, 0.4, { ...same, relevance: 0.2 });
    expect(chooseHits([behind, best, before], 10)).toMatchObject([
      { passageId: best.passageId, relevance: 0.7, markdown: "m2\n\nm3\n\nm4", text: "t2\nt3\nt4" },
    ]);
    // The one that was found first may be the more relevant one.
    expect(chooseHits([{ ...best, relevance: 0.8 }, before], 10)).toMatchObject([{ relevance: 0.8 }]);
  });

  test("keep their inner headings where these are in the joined text", () => {
    const inner = (offset: number, anchor: string) => ({
      offset,
      textOffset: offset,
      anchor,
      headingPath: [anchor],
    });
    const first = passage("a", 0, 0.9, {
      ...same,
      markdown: "12345",
      text: "1234",
      innerHeadings: [inner(2, "one")],
    });
    const second = passage("a", 1, 0.5, { ...same, innerHeadings: [inner(0, "two")] });
    const [hit] = chooseHits([first, second], 10);
    expect(hit?.innerHeadings.map(({ offset, textOffset, anchor }) => [offset, textOffset, anchor])).toEqual([
      [2, 2, "one"],
      [7, 5, "two"],
    ]);
    expect([hit?.markdown.slice(7), hit?.text.slice(5)]).toEqual(["m1", "t1"]);
  });

  test("are joined only as far as a passage may be long; of a section there is one hit all the same", () => {
    const long = { ...same, markdown: "x".repeat(2000) };
    const hits = chooseHits([passage("a", 0, 0.9, long), passage("a", 1, 0.8, long)], 10);
    expect([names(hits), hits[0]?.markdown.length]).toEqual([["a0"], 2000]);
  });

  test("that do not touch are not joined, nor are those of two sections", () => {
    const apart = chooseHits([passage("a", 0, 0.9, same), passage("a", 2, 0.8, same)], 10);
    expect(apart.map(({ markdown }) => markdown)).toEqual(["m0"]);
    expect(names(chooseHits([passage("a", 0, 0.9), passage("a", 1, 0.8)], 10))).toEqual(["a0", "a1"]);
  });

  test("of a page without headings are one hit only as far as they touch", () => {
    const plain = { anchor: "" };
    const hits = chooseHits(
      [0, 1, 5].map((position) => passage("a", position, 0.9 - position / 10, plain)),
      10,
    );
    expect(hits.map(({ markdown }) => markdown)).toEqual(["m0\n\nm1", "m5"]);
  });
});

describe("of a passage with several sections", () => {
  const text = "Zebras are animals.\nLions\nLions hunt zebras at night.\nBirds\nBirds fly.";
  const joined = passage("a", 0, 1, {
    anchor: "animals",
    headings: ["Animals"],
    text,
    innerHeadings: ["Lions", "Birds"].map((name) => ({
      offset: 0,
      textOffset: text.indexOf(`\n${name}\n`) + 1,
      anchor: name.toLowerCase(),
      headingPath: ["Animals", name],
    })),
  });
  const best = (weights: Record<string, number>) =>
    bestSection(joined, new Map(Object.entries(weights)), createTermReader());

  test("the one that covers most of the question is shown, with its own heading and words", () => {
    expect(best({ lion: 2, zebra: 1 })).toEqual({
      anchor: "lions",
      headings: ["Animals", "Lions"],
      text: "Lions\nLions hunt zebras at night.",
    });
    expect(best({ bird: 2, zebra: 1 })).toMatchObject({ anchor: "birds", text: "Birds\nBirds fly." });
  });

  test("the first is shown where several cover as much, its heading above it counted", () => {
    expect(best({ zebra: 1 })).toMatchObject({ anchor: "animals", text: "Zebras are animals." });
    expect(best({ anim: 1, unicorn: 3 })).toMatchObject({ anchor: "animals" });
    expect(best({ unicorn: 1 })).toMatchObject({ anchor: "animals" });
  });

  test("all of it is shown where it has one section", () => {
    expect(bestSection({ ...joined, innerHeadings: [] }, new Map([["lion", 1]]), createTermReader())).toEqual(
      {
        anchor: "animals",
        headings: ["Animals"],
        text,
      },
    );
  });
});

describe("rows of a sheet", () => {
  const has = new Set(["port"]);
  const row = (path: string, position: number, score: number, words = has) =>
    passage(path, position, score, { markdown: "| A |\n| --- |\n| 1 |", has: words });
  const prose = (path: string, score: number) => passage(path, 0, score, { has });
  const shown = (judged: RankedPassage[]) => chooseHits(judged, 5).map(({ path }) => path);

  test("never outnumber the prose above them by more than one, however well they match", () => {
    const rows = [row("a.csv", 0, 9), row("b.xlsx", 0, 8), row("c.tsv", 0, 7), row("d.ods", 0, 6)];
    const judged = [...rows, prose("e", 3), prose("f", 2), prose("g", 1)];
    expect(shown(judged)).toEqual(["a.csv", "e", "b.xlsx", "f", "c.tsv"]);
    expect(shown([...rows, prose("e", 3)])).toEqual(["a.csv", "e", "b.xlsx", "c.tsv", "d.ods"]);
    expect(shown([prose("e", 12), prose("f", 11), ...rows])).toEqual(["e", "f", "a.csv", "b.xlsx", "c.tsv"]);
  });

  test("stand as they match where they have a word of the question that no prose has", () => {
    const rows = [row("a.csv", 0, 9), row("b.csv", 0, 8, new Set(["port", "x17"])), row("c.csv", 0, 7)];
    expect(shown([...rows, prose("e", 3), prose("f", 2)])).toEqual(["a.csv", "b.csv", "c.csv", "e", "f"]);
  });

  test("are those of tables alone: a page with a table in it is prose", () => {
    const table = { markdown: "| A |\n| --- |\n| 1 |", has };
    const judged = [passage("a", 0, 9, table), passage("b", 0, 8, table), prose("e", 3)];
    expect(shown(judged)).toEqual(["a", "b", "e"]);
  });
});

test("of a page that was cited before, the two best passages are raised: all of them would fill the list", () => {
  const ranked = [passage("a", 1, 0), passage("a", 2, 0.3), passage("a", 3, 0.2), passage("b", 1, 0.4)];
  const raised = raiseCited(ranked, ["a.html"]).filter(({ parts }) => parts.cited === 1);
  expect(raised.map(({ position }) => position)).toEqual([2, 3]);
  expect(raiseCited(ranked, ["elsewhere"])).toEqual(ranked);
});
