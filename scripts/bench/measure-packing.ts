import { join } from "node:path";
import { createPromptBuilder } from "../../src/answering/answer/prompt/prompt.ts";
import { showPassage } from "../../src/answering/answer/prompt/wording.ts";
import type { NumberedPassage, ResponderRequest } from "../../src/answering/answer/responder.ts";
import type { Hit } from "../../src/finding/search/search.ts";
import {
  type Dataset,
  dataFolder,
  findDataset,
  readDataset,
} from "../../src/measuring/eval/datasets/datasets.ts";
import { canonicalPath, type EvalQuestion, sampleOf } from "../../src/measuring/eval/question.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../src/models/builtin/builtin.ts";
import { counterOf } from "../../src/models/ollama/tokens/count.ts";
import { type Figure, type Measure, median, show } from "./figures.ts";
import {
  type GoldSentence,
  goldsInPassages,
  holdAnswer,
  measurePacking,
  type PackingCase,
  type PackingResult,
  readAnswers,
  sentenceWith,
  totalOf,
} from "./packing.ts";
import { openSetIndex } from "./packing-index.ts";

const TITLE = "Packed passages compared with whole ones";
const PASSAGES = 5;
const QUESTIONS_MAX = 2400;
const PROMPT_TOKENS = 100_000;
/** What a slow machine reads, about the default, and all. */
const BUDGETS = [1000, 3000, PROMPT_TOKENS];
/** Llama 3, Qwen and similar models, which most installations use. */
const count = counterOf("bpe-large");
/** Those whose answers are in words of the docs, and those whose answers are in words of their own. */
const SETS = ["chunking_eval", "xquad", "awsdocs", "anthropic"];
const IN_OWN_WORDS: ReadonlySet<string> = new Set(["awsdocs", "anthropic"]);

/** What answers a question in the passages that were found; undefined where nothing does. */
type Gold = Pick<PackingCase, "golds" | "answer"> | undefined;
type FindGold = (question: EvalQuestion, hits: readonly Hit[], passages: NumberedPassage[]) => Gold;

/** Measures what packing saves and loses, where the answering text is known. */
export async function measurePackingSets(directory: string): Promise<Measure[]> {
  const cache = dataFolder(process.env["DOCENT_EVAL_DATA"] ?? "~/.cache/docent-eval");
  const measures: Measure[] = [];
  for (const name of SETS) {
    const folder = findDataset(name, cache);
    measures.push(folder === undefined ? missing(name, cache) : await measureSet(folder, directory));
  }
  return measures;
}

const missing = (name: string, cache: string): Measure => ({
  title: `${TITLE}: ${name}`,
  how: `Not measured: the set ${name} is not in ${cache}.`,
  figures: [],
});

async function measureSet(folder: string, directory: string): Promise<Measure> {
  const dataset = await readDataset(folder);
  const find = IN_OWN_WORDS.has(dataset.name) ? await answerFinder(dataset) : await goldFinder(dataset);
  const asked = await askAll(dataset, directory, find);
  const build = createPromptBuilder(createBuiltinEmbedder(readBuiltinAsset));
  const figures: Figure[] = [];
  for (const passageTokens of BUDGETS) {
    const budget = { tokens: PROMPT_TOKENS, passageTokens, count };
    const results: PackingResult[] = [];
    for (const each of asked) results.push(await measurePacking(each, budget, build));
    figures.push(...figuresOf(results, passageTokens, IN_OWN_WORDS.has(dataset.name)));
  }
  const known = IN_OWN_WORDS.has(dataset.name)
    ? "whose answers, four fifths of their words at least, are"
    : "whose answering sentences are known and are";
  return {
    title: `${TITLE}: ${dataset.name}`,
    how: `${asked.length} questions ${known} in the ${PASSAGES} passages that Docent's search found: the prompt as Docent builds it, and the same prompt with all ${PASSAGES} passages whole. Tokens of whole prompts, as Docent estimates them for Llama 3 and Qwen, by the setting \`passage_tokens\`.`,
    figures,
  };
}

async function askAll(dataset: Dataset, directory: string, findGold: FindGold): Promise<PackingCase[]> {
  const index = await openSetIndex(dataset, directory);
  const asked: PackingCase[] = [];
  try {
    for (const question of sampleOf(dataset.tasks[0]?.questions ?? [], QUESTIONS_MAX)) {
      const hits = await index.find(question, PASSAGES);
      const passages = hits.map((hit, at) => toPassage(hit, at + 1));
      const gold = findGold(question, hits, passages);
      if (gold !== undefined) asked.push({ request: toRequest(question, passages), ...gold });
    }
  } finally {
    index.close();
  }
  return asked;
}

/** Uses the set's spans where it has them, or else the sentence around the answer's words. */
async function goldFinder({ folder, docs = "", tasks }: Dataset): Promise<FindGold> {
  const questions = tasks[0]?.questions ?? [];
  const files = new Map<string, string>();
  for (const path of new Set(questions.flatMap(({ spans }) => (spans ? [spans.path] : [])))) {
    files.set(path, await Bun.file(join(docs, `${path}.md`)).text());
  }
  const answers = await readAnswers(folder);
  return ({ id, spans, pages, filter }, hits, passages) => {
    const language = filter.language ?? "en";
    if (spans) {
      const file = files.get(spans.path) ?? "";
      const stretches = spans.ranges.map((range) => file.slice(...range));
      return toGold(goldsInPassages(stretches, passages, language));
    }
    const gold = passages[hits.findIndex(({ path }) => pages.has(canonicalPath(path)))];
    const sentence = gold && sentenceWith(answers.get(id) ?? "", gold, language);
    return toGold(sentence ? [sentence] : []);
  };
}

const toGold = (golds: GoldSentence[]): Gold => (golds.length > 0 ? { golds } : undefined);

/** Uses the answer as the set words it, where the passages together have its words. */
async function answerFinder({ folder }: Dataset): Promise<FindGold> {
  const answers = await readAnswers(folder);
  return ({ id }, _hits, passages) => {
    const answer = answers.get(id) ?? "";
    return holdAnswer(passages.map(showPassage), answer) ? { golds: [], answer } : undefined;
  };
}

function figuresOf(
  results: readonly PackingResult[],
  passageTokens: number,
  isInOwnWords: boolean,
): Figure[] {
  const total = totalOf(results);
  const name = passageTokens === PROMPT_TOKENS ? "without a bound" : `${passageTokens} passage tokens`;
  const packed = results.map(({ packedTokens }) => packedTokens);
  const whole = results.map(({ naiveTokens }) => naiveTokens);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    {
      name: `${name}: prompt, packed over whole`,
      unit: "",
      values: results.map(({ packedTokens, naiveTokens }) => packedTokens / naiveTokens),
      shown: `mean ${total.ratio.toFixed(2)} (${show(median(packed))} of ${show(median(whole))} tokens)`,
    },
    {
      name: `${name}: ${isInOwnWords ? "answers" : "answering sentences"} kept`,
      unit: "",
      values: [total.questionShare],
      shown: isInOwnWords
        ? percent(total.questionShare)
        : `${percent(total.questionShare)} of each question's (${percent(total.goldShare)} of all, ${percent(total.characterShare)} of their characters; all in ${percent(total.wholeShare)} of questions)`,
      ...(passageTokens === PROMPT_TOKENS ? {} : { aim: { atLeast: isInOwnWords ? 0.95 : 0.97 } }),
    },
  ];
}

const toPassage = ({ title, headings, markdown, relevance, href }: Hit, number: number): NumberedPassage => ({
  number,
  title,
  headings,
  text: markdown,
  url: href,
  relevance,
});

const toRequest = ({ text, filter }: EvalQuestion, passages: NumberedPassage[]): ResponderRequest => ({
  question: text,
  passages,
  language: filter.language ?? "en",
  asker: { siteId: 0, reader: "bench" },
  siteName: "Documentation",
  instructions: "",
  quoting: "",
  touching: "",
  notCovered: "The documentation doesn't cover this.",
  history: [],
  contexts: [],
  images: [],
});
