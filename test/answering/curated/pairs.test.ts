import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createQuestionIndex, matchAnswer } from "../../../src/answering/curated/match.ts";
import { createQuestionVectors } from "../../../src/answering/curated/questions/vectors.ts";
import type { UsableAnswer } from "../../../src/answering/curated/site-answers.ts";
import { SETTINGS } from "../../../src/kernel/config/settings.ts";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { quietLog } from "../../helpers/test-log.ts";

interface Pair {
  set: string;
  isSame: boolean;
  asked: string;
  question: string;
}

// What was asked, a question that an answer has, and whether that answer is right for it. The rules were made with the
// set `tune`; `held` was written beside it and looked at once they were done.
const PAIRS: Pair[] = readFileSync(join(import.meta.dir, "../../fixtures/curated/pairs.tsv"), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([set = "", same, asked = "", question = ""]) => ({ set, isSame: same === "yes", asked, question }));

const signal = new AbortController().signal;
const site = {
  id: 1,
  name: "Acme",
  url: undefined,
  settings: { defaultVersion: "", defaultLanguage: "", curatedMin: null },
};

function answerTo(...questions: string[]): UsableAnswer {
  const stored = {
    name: questions.join(),
    source: undefined,
    path: "",
    location: "",
    version: "",
    language: "",
    frontMatter: {},
    groups: [],
    markdown: "An answer.",
    hidden: false,
    generation: 1,
  };
  return { stored, questions, tags: [], groups: [], isFor: () => true, links: () => new Map() };
}

function matcher(embedder: Embedder = createBuiltinEmbedder(readBuiltinAsset)) {
  const measure = createQuestionVectors({ embedder, log: quietLog(), questionMs: 3_600_000 });
  return async (asked: string, answers: UsableAnswer[], strengthMin = SETTINGS.curated_min.default) =>
    matchAnswer(
      { generation: 1, answers, index: await createQuestionIndex(answers, site.name) },
      { audience: "everything", site, question: asked, filter: {} },
      { strengthMin, measure, signal },
    );
}

async function judge(pairs: Pair[], match = matcher()) {
  const given = await Promise.all(
    pairs.map(async (pair) => ({
      ...pair,
      isGiven: Boolean(await match(pair.asked, [answerTo(pair.question)])),
    })),
  );
  const right = given.filter(({ isSame, isGiven }) => isSame && isGiven);
  return {
    wrong: given
      .filter(({ isSame, isGiven }) => !isSame && isGiven)
      .map(({ asked, question }) => [asked, question]),
    recall: right.length / given.filter(({ isSame }) => isSame).length,
  };
}

describe("which answers fit a question", () => {
  test("there are enough pairs to tell", () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(200);
    expect(PAIRS.filter(({ set }) => set === "held").length).toBeGreaterThanOrEqual(100);
  });

  for (const set of ["tune", "held"])
    test(`no near miss of ${set} gets an answer, and most paraphrases do`, async () => {
      const { wrong, recall } = await judge(PAIRS.filter((pair) => pair.set === set));
      expect(wrong).toEqual([]);
      expect(recall).toBeGreaterThanOrEqual(0.8);
    });

  test("without vectors nothing else is given, and little is lost", async () => {
    const { wrong, recall } = await judge(PAIRS, matcher(failingEmbedder()));
    expect(wrong).toEqual([]);
    expect(recall).toBeGreaterThanOrEqual(0.8);
  });

  test("among the questions of a whole site, the one that was meant is found", async () => {
    const match = matcher();
    const answers = [...new Set(PAIRS.map(({ question }) => question))].map((question) => answerTo(question));
    const exact = await Promise.all(
      answers.map(({ questions: [own = ""] }) => match(` ${own.toUpperCase()}! `, answers)),
    );
    expect(exact.map((found) => found?.name)).toEqual(answers.map(({ stored }) => stored.name));
    expect(exact.every((found) => found?.strength === 1)).toBe(true);
  });

  test("at 1 only the same words fit, at a low value more than at the default", async () => {
    const match = matcher();
    const answers = [answerTo("How do I reset my password?")];
    expect(await match("how do I reset my password", answers, 1)).toMatchObject({ strength: 1 });
    expect(await match("How can I reset my password?", answers, 1)).toBeUndefined();
    const loose = "I forgot how to reset my password";
    expect(await match(loose, answers)).toBeUndefined();
    expect(await match(loose, answers, 0.3)).toMatchObject({ question: "How do I reset my password?" });
  });

  test("what is far longer than any question of an answer is not compared at all: it would take seconds", async () => {
    const answers = [answerTo("How do I reset my password?")];
    expect(await matcher()(`How do I reset my password${"?".repeat(900)}`, answers)).toBeDefined();
    expect(await matcher()(`How do I reset my password${"?".repeat(1000)}`, answers)).toBeUndefined();
  });

  test("a question of nothing but common words is only found word for word", async () => {
    const answers = [answerTo("How does it work?")];
    expect(await matcher()("how does it work", answers)).toBeDefined();
    expect(await matcher()("How do I do it?", answers)).toBeUndefined();
    expect(await matcher()("???", answers)).toBeUndefined();
  });
});
