import { describe, expect, test } from "bun:test";
import { namesInWords } from "../../../src/finding/search/names-in-words.ts";
import { readQuery } from "../../../src/finding/search/read-query.ts";
import { weighTerms } from "../../../src/finding/search/term-weights.ts";
import { noCalibrations, openSearch } from "../../helpers/open-search.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";

const PASSAGES = 1000;

/** The names in a question, asked of docs by how many passages have each term, and each run of terms side by side. */
async function namesIn(
  question: string,
  terms: Record<string, number>,
  phrases: Record<string, number> = {},
) {
  const looked: string[] = [];
  const view = {
    passages: PASSAGES,
    frequencies: async (asked: readonly string[]) => {
      looked.push(...asked);
      return new Map(asked.flatMap((term) => (terms[term] ? [[term, terms[term]] as const] : [])));
    },
    phraseFrequency: async (phrase: readonly string[]) => phrases[phrase.join(" ")] ?? 0,
  };
  const weights = weighTerms(readQuery(question).terms, {
    passages: PASSAGES,
    of: new Map(Object.entries(terms)),
  });
  const names = await namesInWords(question, { view, weights });
  return {
    names: names.map(({ term }) => term),
    worth: names[0]?.worth ?? 0,
    all: names.map(({ isAll }) => isAll),
    looked,
  };
}

describe("a name of the docs", () => {
  test.each([
    ["of words in capitals", "get child item", "getchilditem", { getchilditem: 3, "get child item": 3 }],
    ["of words with an underscore", "max retries", "maxretri", { maxretri: 2 }],
    ["with a dot", "math pi", "math.pi", { "math.pi": 2 }],
    ["with colons", "std vector", "std::vector", { "std::vector": 2 }],
    ["within a short question", "how do I set max retries?", "maxretri", { maxretri: 2 }],
  ])("%s is found in words", async (_, question, name, terms) => {
    const { names, worth } = await namesIn(question, terms);
    expect(names).toEqual([name]);
    expect(worth).toBeGreaterThan(0.4);
  });

  test("is hardly meant where the docs have the same words side by side far more often", async () => {
    const { worth } = await namesIn("text files", { textfil: 2, text: 200, file: 300 }, { "text file": 80 });
    expect(worth).toBeLessThan(0.05);
  });

  test("is worth less where it is less of the question, and nothing where it is little of it", async () => {
    const whole = await namesIn("max retries", { maxretri: 2 });
    const most = await namesIn("max retries of uploads", { maxretri: 2 });
    const little = await namesIn("max retries of uploads over slow lines from abroad", { maxretri: 2 });
    expect(most.worth).toBeLessThan(whole.worth);
    expect(most.worth).toBeGreaterThan(0.2);
    expect(little.names).toEqual([]);
  });

  test("is all of a question only where no other word is there", async () => {
    const isAll = async (question: string) => (await namesIn(question, { maxretri: 2 })).all;
    expect(await isAll("max retries")).toEqual([true]);
    expect(await isAll("how are the max retries?")).toEqual([false]);
  });

  test("is not looked for in what is a name already, nor in quotes", async () => {
    expect((await namesIn("--dry-run maxRetries", { dryrun: 2 })).looked).toEqual([]);
    expect((await namesIn('"max retries"', { maxretri: 2 })).names).toEqual([]);
  });

  test("is looked for in few ways in a long text", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `word${index % 7} other`).join(" ");
    expect((await namesIn(text, {})).looked.length).toBeLessThan(400);
  });
});

test("a question that is nothing but a name of the docs in words is relevant to the passage that has it", async () => {
  const others = Array.from({ length: 120 }, (_, index) => stagedPage(`other/${index}`, `List ${index}.`));
  const named = stagedPage("named", "The color of the frame is `SkyBlue`.");
  using docs = await publishedDocs([...others, named]);
  const { site, storage } = docs;
  // In docs in which foreign questions reach much, the words alone prove nothing.
  const calibration = {
    covered: { mean: 0.9, deviation: 0.2 },
    near: { mean: 0.9, deviation: 0.1 },
    familiar: { mean: 9, deviation: 1 },
  };
  const calibrations = {
    ...noCalibrations,
    nearest: async () => ({ generation: 1, calibration, pagesChanged: 0 }),
  };
  const search = openSearch({ search: storage.search, segments: storage.segments, calibrations });
  const relevanceOf = async (text: string) =>
    (await search.find({ audience: "everything", siteId: site.id, text, pageSize: 5 })).hits[0]?.relevance ??
    0;
  expect(await relevanceOf("sky blue")).toBeGreaterThan(0.5);
  expect(await relevanceOf("why is the sky blue?")).toBeLessThan(0.5);
});

test("asked for in words, the page that has the name comes before those that have its words", async () => {
  const others = Array.from({ length: 30 }, (_, index) =>
    stagedPage(
      `other/${index}`,
      `# The item of a child (${index})\n\nA child gets an item, and another item of a child.`,
    ),
  );
  const named = stagedPage(
    "named",
    "Files are listed by `Get-ChildItem`, among many other things that it does.",
  );
  using docs = await publishedDocs([...others, named]);
  for (const text of ["get child item", "how to use get child item?"]) {
    const { hits } = await docs.find(text);
    expect(hits[0]?.path).toBe("named");
  }
});
