import { join } from "node:path";
import { z } from "zod";
import { harmless } from "../../src/answering/answer/harmless.ts";
import { cutSentences } from "../../src/answering/answer/pieces.ts";
import type { CountTokens } from "../../src/answering/answer/prompt/fitting.ts";
import { buildPrompt, type PromptBuilder } from "../../src/answering/answer/prompt/prompt.ts";
import { plainText } from "../../src/answering/answer/prompt/read-ahead.ts";
import { showPassage } from "../../src/answering/answer/prompt/wording.ts";
import type { NumberedPassage, ResponderRequest } from "../../src/answering/answer/responder.ts";
import { analyze, analyzeQuestion } from "../../src/finding/search/analyze.ts";
import { parseJsonLines } from "../../src/measuring/eval/json-lines.ts";

/** A sentence that answers a question, and the numbers of the passages that contain it. */
export interface GoldSentence {
  text: string;
  passages: readonly number[];
}

/** A question with its passages, and the answering sentences in them. */
export interface PackingCase {
  request: ResponderRequest;
  golds: readonly GoldSentence[];
  /** In the place of sentences: an answer in words of its own, which the passages hold. */
  answer?: string;
}

/** What packing saved and lost for one question. */
export interface PackingResult {
  /** The tokens of the prompt with whole passages, and of the prompt as built. */
  naiveTokens: number;
  packedTokens: number;
  /** The answering sentences in the whole passages, and in the prompt. */
  golds: number;
  kept: number;
  /** Their characters, without white space. */
  goldCharacters: number;
  keptCharacters: number;
}

/** What packing saved and lost over many questions. */
export interface PackingTotal {
  questions: number;
  /** The mean ratio of packed to naive tokens over the questions. */
  ratio: number;
  goldShare: number;
  /** The mean over the questions of the share that each kept. */
  questionShare: number;
  characterShare: number;
  /** The share of questions that kept everything that answers them. */
  wholeShare: number;
}

interface PackingBudget {
  tokens: number;
  passageTokens: number;
  count: CountTokens;
}

/**
 * The sentences of answering stretches, as far as the passages contain them: what is not found cannot be
 * lost.
 */
export function goldsInPassages(
  stretches: readonly string[],
  passages: readonly NumberedPassage[],
  language: string,
): GoldSentence[] {
  return stretches
    .flatMap((stretch) => cutSentences(stretch, language))
    .map((text) => ({
      text,
      passages: passages.filter((passage) => holds(passage.text, text)).map(({ number }) => number),
    }))
    .filter(({ text, passages: having }) => bare(text) !== "" && having.length > 0);
}

/** The sentence of a passage that contains an answer; undefined where several do. */
export function sentenceWith(
  answer: string,
  { number, text }: NumberedPassage,
  language: string,
): GoldSentence | undefined {
  const having = cutSentences(text, language).filter((sentence) => sentence.includes(answer));
  const [only] = having;
  return answer === "" || only === undefined || having.length > 1
    ? undefined
    : { text: only, passages: [number] };
}

/** The share of an answer's words that a text must have to hold the answer. */
const ANSWER_RECALL_MIN = 0.8;

/** Whether texts together have nearly all words of an answer. */
export function holdAnswer(texts: readonly string[], answer: string): boolean {
  const wanted = new Set(analyzeQuestion(answer));
  const there = new Set(texts.flatMap(analyze));
  return wanted.size > 0 && wanted.intersection(there).size >= ANSWER_RECALL_MIN * wanted.size;
}

/** Builds the prompt of one question, and compares it with the same prompt with whole passages. */
export async function measurePacking(
  { request, golds, answer }: PackingCase,
  budget: PackingBudget,
  build: PromptBuilder = buildPrompt,
): Promise<PackingResult> {
  const { messages, tokensEstimated } = await build(request, budget);
  const shown = passagesIn(messages.at(-1)?.content ?? "");
  const packed = [...shown.values()].reduce((sum, passage) => sum + budget.count(passage), 0);
  const whole = request.passages.reduce((sum, passage) => sum + budget.count(showPassage(passage)), 0);
  const tokens = { naiveTokens: tokensEstimated - packed + whole, packedTokens: tokensEstimated };
  if (answer !== undefined) {
    const kept = holdAnswer([...shown.values()], answer) ? 1 : 0;
    return {
      ...tokens,
      golds: 1,
      kept,
      goldCharacters: answer.length,
      keptCharacters: kept * answer.length,
    };
  }
  const kept = golds.filter(({ text, passages }) =>
    passages.some((number) => holds(shown.get(number) ?? "", harmless(plainText(text)))),
  );
  return {
    ...tokens,
    golds: golds.length,
    kept: kept.length,
    goldCharacters: characters(golds),
    keptCharacters: characters(kept),
  };
}

/** Sums up the results of many questions. */
export function totalOf(results: readonly PackingResult[]): PackingTotal {
  const sum = (value: (result: PackingResult) => number) =>
    results.reduce((total, result) => total + value(result), 0);
  const share = (part: number, all: number) => part / Math.max(1, all);
  return {
    questions: results.length,
    ratio: share(
      sum(({ packedTokens, naiveTokens }) => packedTokens / naiveTokens),
      results.length,
    ),
    goldShare: share(
      sum(({ kept }) => kept),
      sum(({ golds }) => golds),
    ),
    questionShare: share(
      sum(({ kept, golds }) => kept / Math.max(1, golds)),
      results.length,
    ),
    characterShare: share(
      sum(({ keptCharacters }) => keptCharacters),
      sum(({ goldCharacters }) => goldCharacters),
    ),
    wholeShare: share(
      sum(({ kept, golds }) => (kept === golds ? 1 : 0)),
      results.length,
    ),
  };
}

/** The passages in a prompt, by number. */
function passagesIn(content: string): Map<number, string> {
  const found = content.matchAll(/<passage number="(\d+)">\n[\s\S]*?\n<\/passage>/g);
  return new Map([...found].map(([whole, number]) => [Number(number), whole]));
}

const characters = (golds: readonly GoldSentence[]): number =>
  golds.reduce((sum, { text }) => sum + bare(text).length, 0);

const holds = (text: string, sentence: string): boolean => bare(text).includes(bare(sentence));

/** White space changes when sentences are joined. */
const bare = (text: string): string => text.replace(/\s+/g, "");

const answerSchema = z.object({ _id: z.string().min(1), answer: z.string().default("") });

/** The answering words for each question of a set, by id; "" where the set does not say. */
export async function readAnswers(folder: string): Promise<Map<string, string>> {
  const file = join(folder, "queries.jsonl");
  const lines = parseJsonLines(await Bun.file(file).text(), answerSchema, file);
  return new Map(lines.map(({ _id, answer }) => [_id, answer]));
}
