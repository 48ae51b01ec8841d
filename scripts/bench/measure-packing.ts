import { join } from "node:path";
import type { NumberedPassage, ResponderRequest } from "../../src/answer/responder.ts";
import { type Dataset, dataFolder, findDataset, readDataset } from "../../src/eval/datasets/datasets.ts";
import { canonicalPath, type EvalQuestion, sampleOf } from "../../src/eval/question.ts";
import { counterOf } from "../../src/ollama/tokens/count.ts";
import type { Hit } from "../../src/search/search.ts";
import { type Figure, type Measure, median, show } from "./figures.ts";
import {
  type GoldSentence,
  goldsInPassages,
  measurePacking,
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
const RATIO_AIM = 0.5;
/** The default of the setting, and values that show packing by strength only. */
const BUDGETS = [1000, 1500, PROMPT_TOKENS];
/** Llama 3, Qwen and similar models, which most installations use. */
const count = counterOf("bpe-large");
const SETS = ["chunking_eval", "xquad"];

/** A question of a set, with the answering text in its five passages. */
interface Asked {
  request: ResponderRequest;
  golds: GoldSentence[];
}

/** Finds the text that answers a question in the passages that were found. */
type FindGolds = (
  question: EvalQuestion,
  hits: readonly Hit[],
  passages: NumberedPassage[],
) => GoldSentence[];

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
  const asked = await askAll(dataset, directory, await goldFinder(dataset));
  const figures = BUDGETS.flatMap((passageTokens) => {
    const budget = { tokens: PROMPT_TOKENS, passageTokens, count };
    const results = asked.map((each) => measurePacking(each, budget));
    return figuresOf(results, passageTokens);
  });
  return {
    title: `${TITLE}: ${dataset.name}`,
    how: `${asked.length} questions whose answering sentences are known and are in the ${PASSAGES} passages that Docent's search found: the prompt as Docent builds it, and the same prompt with all ${PASSAGES} passages whole. Tokens of whole prompts, as Docent estimates them for Llama 3 and Qwen, by the setting \`passage_tokens\`. The weights were chosen with every second question; the others are shown separately.`,
    figures,
  };
}

async function askAll(dataset: Dataset, directory: string, findGolds: FindGolds): Promise<Asked[]> {
  const index = await openSetIndex(dataset, directory);
  const asked: Asked[] = [];
  try {
    for (const question of sampleOf(dataset.tasks[0]?.questions ?? [], QUESTIONS_MAX)) {
      const hits = await index.find(question, PASSAGES);
      const passages = hits.map((hit, at) => toPassage(hit, at + 1));
      const golds = findGolds(question, hits, passages);
      if (golds.length > 0) asked.push({ request: toRequest(question, passages), golds });
    }
  } finally {
    index.close();
  }
  return asked;
}

/** Uses the set's spans where it has them, or else the sentence around the answer's words. */
async function goldFinder({ folder, docs = "", tasks }: Dataset): Promise<FindGolds> {
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
      return goldsInPassages(
        spans.ranges.map((range) => file.slice(...range)),
        passages,
        language,
      );
    }
    const gold = passages[hits.findIndex(({ path }) => pages.has(canonicalPath(path)))];
    const sentence = gold && sentenceWith(answers.get(id) ?? "", gold, language);
    return sentence ? [sentence] : [];
  };
}

function figuresOf(results: readonly PackingResult[], passageTokens: number): Figure[] {
  const total = totalOf(results);
  const unseen = totalOf(results.filter((_, index) => index % 2 === 1));
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
      aim: { below: RATIO_AIM, measured: total.ratio },
    },
    {
      name: `${name}: answering sentences kept`,
      unit: "",
      values: [total.goldShare],
      shown: `${percent(total.goldShare)} (${percent(unseen.goldShare)} of those not tuned on; ${percent(total.characterShare)} of characters; all in ${percent(total.wholeShare)} of questions)`,
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
