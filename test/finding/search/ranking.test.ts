import { describe, expect, test } from "bun:test";
import { similarityLevel } from "../../../src/finding/search/meaning/sign-distances.ts";
import {
  fuse,
  RANKING_WEIGHTS,
  type RankingParts,
  relevanceByName,
  scoreOf,
} from "../../../src/finding/search/rank-passages.ts";
import { RELEVANCE_OF } from "../../../src/finding/search/search.ts";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import type { StagedPage } from "../../../src/sites/ingest/stores.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";

const FILLER = Array.from({ length: 30 }, (_, index) =>
  stagedPage(`other/${index}`, `Something else is said here, about nothing in particular (${index}).`),
);

async function bestOf(question: string, pages: StagedPage[]) {
  using docs = await publishedDocs([...FILLER, ...pages]);
  return (await docs.find(question)).hits[0];
}

const firstOf = async (question: string, pages: StagedPage[]) => (await bestOf(question, pages))?.path;

describe("of two pages that have the question's words, the first is", () => {
  test("the one where they stand together", async () => {
    const apart =
      "The retry of a job is logged. Nothing else is kept of it, and no other page needs to be read before the policy.";
    const together =
      "The log has nothing of a job. Its retry policy says how often nothing else is read before.";
    const pages = [stagedPage("a", apart), stagedPage("b", together)];
    expect(await firstOf("retry policy", pages)).toBe("b");
    expect(await firstOf("policy of a retry", pages)).toBe("b");
  });

  test("the one that is named after them", async () => {
    const text = "It may be rotated at any time.";
    const pages = [stagedPage("guide/part-one", text), stagedPage("guide/rotated-keys", text)];
    expect(await firstOf("are keys rotated", pages)).toBe("guide/rotated-keys");
  });

  test("the one of the product that is named, where a site has the docs of two", async () => {
    // Both names are on many pages, as those of products are.
    const own = (product: string, index: number) =>
      stagedPage(
        `docs/${product}/part-${index}`,
        `This part of the ${product} is about nothing in particular (${index}).`,
      );
    const others = Array.from({ length: 30 }, (_, index) => [own("server", index), own("cli", index)]).flat();
    const text = "The timeout of a request is set in its configuration, and a request may have none.";
    const pages = ["server", "cli"].map((product) => stagedPage(`docs/${product}/configuration`, text));
    for (const product of ["server", "cli"]) {
      const question = `How do I set the timeout of a request in the ${product}?`;
      expect(await firstOf(question, [...others, ...pages])).toBe(`docs/${product}/configuration`);
      expect(await firstOf(question, [...others, ...pages.toReversed()])).toBe(
        `docs/${product}/configuration`,
      );
    }
  });

  test("the one that says how it is, not what was new once, unless that is asked", async () => {
    // As good as each other, they are in the order in which they were read.
    const text = "A retry policy may be set for each queue of jobs.";
    for (const path of [
      "changelog",
      "docs/release-notes/2.0",
      "blog/2024-01-01-jobs",
      "whatsnew-3.1",
      "about/history",
    ]) {
      const pages = [stagedPage(path, text), stagedPage("guide/jobs", text)];
      expect([path, await firstOf("retry policy", pages)]).toEqual([path, "guide/jobs"]);
    }
    const changes = [stagedPage("changes", text), stagedPage("guide/jobs", text)];
    for (const question of [
      "what's new in the retry policy",
      "Änderungen der retry policy",
      "retry policy 2.0",
    ])
      expect(await firstOf(question, changes)).toBe("changes");
    // A page about histories is none of changes.
    const pages = [stagedPage("guide/history-of-commands", text), stagedPage("changelog", text)];
    expect(await firstOf("retry policy", pages)).toBe("guide/history-of-commands");
  });

  test("the short one about them, not the long one with more passages that have them", async () => {
    const section = (number: number) =>
      `## Part ${number}\n\n${`Many things are said in part ${number}. `.repeat(20)}The quota of a bucket is one of them.\n\n`;
    const long = Array.from({ length: 12 }, (_, number) => section(number)).join("");
    const short =
      "The quota of a bucket is one of the first things to set. A bucket without a quota may fill up.";
    expect(await firstOf("bucket quota", [stagedPage("a-long", long), stagedPage("short", short)])).toBe(
      "short",
    );
  });
});

describe("the title and headings of a passage", () => {
  const TEXTS: Record<string, string> = {
    "users/removing": "# Removing a user\n\nIt is done by an owner, and nobody can undo it.",
    "bills/printing": "# Printing an invoice\n\nIt is done by an owner, and nobody can undo it.",
  };

  async function scoresOf(question: string, { isInstant }: { isInstant: boolean }) {
    const builtin = createBuiltinEmbedder(readBuiltinAsset);
    const asked: string[][] = [];
    const embedder: Embedder = {
      isInstant,
      describe: builtin.describe,
      embed(texts, purpose, signal) {
        asked.push(texts);
        return builtin.embed(texts, purpose, signal);
      },
    };
    using it = await openIngestSite({ embedder });
    await it.run(TEXTS);
    asked.length = 0;
    const search = openSearch(it.storage, { embedder, questionVectorSeconds: 10 });
    const { hits } = await search.find({
      audience: "everything",
      siteId: it.site.id,
      text: question,
      pageSize: 5,
    });
    return { asked, scores: new Map(hits.map(({ path, score }) => [path, score])) };
  }

  test("lift it where they are near the question in meaning, whatever words they have", async () => {
    const question = "delete somebody's account";
    const by = await scoresOf(question, { isInstant: true });
    const without = await scoresOf(question, { isInstant: false });
    const lift = (path: string) => (by.scores.get(path) ?? 0) - (without.scores.get(path) ?? 0);
    expect(lift("users/removing")).toBeGreaterThan(lift("bills/printing"));
    expect(lift("bills/printing")).toBeGreaterThanOrEqual(0);
  });

  test("are not embedded while a question waits where that takes long, nor for literal names", async () => {
    expect((await scoresOf("delete an account", { isInstant: false })).asked).toEqual([
      ["delete an account"],
    ]);
    expect((await scoresOf('"by an owner"', { isInstant: true })).asked).toEqual([['"by an owner"']]);
    const [, headings] = (await scoresOf("delete an account", { isInstant: true })).asked;
    expect(headings?.toSorted()).toEqual(["Printing an invoice", "Removing a user"]);
  });
});

describe("words and meaning", () => {
  const level = { typical: 0.1, spread: 0.1 };
  const scores = (passages: number, isVerbatim = false) =>
    fuse(
      [
        { passageId: 1, words: 6, similarity: 0.1 },
        { passageId: 2, words: 4, similarity: 0.5 },
        { passageId: 3, words: undefined, similarity: 0.6 },
        { passageId: 4, words: 3, similarity: undefined },
      ],
      { wordsMost: 10, level, passages, isVerbatim },
    );

  test("a passage that is near in meaning may be ahead of one with more of the words", () => {
    expect(scores(1000).map(({ passageId }) => passageId)).toEqual([2, 1, 3, 4]);
  });

  test("nearness says less among many passages", () => {
    const gain = (passages: number) =>
      (scores(passages).find(({ passageId }) => passageId === 2)?.score ?? 0) - 0.4;
    expect(gain(100_000)).toBeLessThan(gain(1000));
    expect(gain(100_000)).toBeGreaterThan(0);
    // Of a handful of passages it does not grow without bounds.
    expect(gain(1)).toBe(gain(100));
  });

  test("nearness says nothing where names are searched for", () => {
    expect(scores(1000, true).map(({ score }) => score)).toEqual([0.6, 0.4, 0.3, 0]);
  });

  test("a phrase that lifts a passage above all words sets the scale", () => {
    const [best, other] = fuse(
      [
        { passageId: 1, words: 30, similarity: undefined },
        { passageId: 2, words: 15, similarity: undefined },
      ],
      { wordsMost: 10, level, passages: 1000 },
    );
    expect([best?.score, other?.score]).toEqual([1, 0.5]);
  });
});

test("each part of a score counts by its weight", () => {
  const names: (keyof RankingParts)[] = [
    "words",
    "meaning",
    "tracked",
    "page",
    "headings",
    "links",
    "path",
    "closeness",
    "phrases",
    "identifiers",
    "names",
    "verbatim",
    "nearness",
    "cited",
  ];
  expect(Object.keys(RANKING_WEIGHTS)).toEqual(names);
  const half: RankingParts = { ...RANKING_WEIGHTS };
  for (const name of names) half[name] = 0.5;
  for (const name of names) {
    const gained = scoreOf({ ...half, [name]: 1.5 }) - scoreOf(half);
    expect(gained).toBeCloseTo(RANKING_WEIGHTS[name], 9);
  }
});

describe("the level of similarity", () => {
  test("is that of the vectors, and chance is no spread", () => {
    // The distances of vectors at right angles to the question: binomial, by chance alone.
    const dimensions = 256;
    const counts = new Uint32Array(dimensions + 1);
    for (let distance = 0; distance <= dimensions; distance++)
      counts[distance] = Math.round(1e6 * Math.exp(-((distance - 128) ** 2) / (2 * 64)));
    const { typical, spread } = similarityLevel(counts, dimensions);
    expect(typical).toBeCloseTo(0, 6);
    expect(spread).toBe(0.05);
  });

  test("spreads where some are nearer than others", () => {
    const counts = new Uint32Array(257);
    for (const distance of [64, 128, 192]) counts[distance] = 100;
    const { typical, spread } = similarityLevel(counts, 256);
    expect(typical).toBeCloseTo(0, 6);
    expect(spread).toBeGreaterThan(0.5);
  });

  test("of no vectors is a level all the same", () => {
    expect(similarityLevel(new Uint32Array(257), 256)).toEqual({ typical: 0, spread: 0.05 });
  });
});

test("a name that every page has does not decide which is first", async () => {
  const pages = Array.from({ length: 20 }, (_, index) =>
    stagedPage(`p${index}`, `AcmeFlow is a tool. This is what AcmeFlow says of topic ${index}.`),
  );
  const right = stagedPage("placement", "The density of the placement is set by its own parameter.");
  expect(await firstOf("How do I set placement density in AcmeFlow?", [...pages, right])).toBe("placement");
});

test.each([
  "E4711",
  "what does e4711 mean",
  "tell me everything about E4711 please",
  '"the quota is used up"',
])("a rare name or phrase that a passage has to the letter is covered: %s", async (question) => {
  // Enough passages for relevance to be judged against what foreign questions reach.
  const others = Array.from({ length: 120 }, (_, index) =>
    stagedPage(`p${index}`, `This is about topic ${index}.`),
  );
  const right = stagedPage("errors", "E4711: the quota is used up. Raise it.");
  const best = await bestOf(question, [...others, right]);
  expect([best?.path, (best?.relevance ?? 0) >= 0.7]).toEqual(["errors", true]);
});

test("a passage answers by a rare name alone where nearly all of the question is that name", () => {
  expect(relevanceByName(1)).toBeGreaterThan(RELEVANCE_OF.cautious);
  expect(relevanceByName(0.75)).toBeLessThan(RELEVANCE_OF.balanced);
});

test("a name that stands only within a longer one is found by its parts in order", async () => {
  const others = Array.from({ length: 60 }, (_, index) =>
    stagedPage(
      `p${index}`,
      `Version 7 changed part ${index} of 3. What changed is told in the log of v7, 3 and 7.`,
    ),
  );
  const right = stagedPage(
    "download",
    "Fetch https://files.example.com/releases/tool-v7.3.7/tool.tar.gz first.",
  );
  expect(await firstOf("what changed in v7.3.7?", [...others, right])).toBe("download");
});
