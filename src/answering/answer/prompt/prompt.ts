import { askedIn } from "@docent/finding/search/search";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { harmless, harmlessPassage } from "../harmless.ts";
import type {
  Looking,
  NumberedPassage,
  PastMessage,
  ReaderContext,
  ResponderRequest,
  Tool,
  ToolCall,
  ToolResult,
} from "../responder.ts";
import { type CountTokens, cutToFit, fitHistory } from "./fitting.ts";
import { type PackedPassage, packPassages } from "./packing.ts";
import { createReadAhead, type ReadAhead, type Reading, readPlainPieces } from "./read-ahead.ts";
import { resultRoom, type ShownRounds, shownIn, showRounds, toolTokens } from "./rounds.ts";
import { type Material, showContext, showMaterial, showPassage, showRules } from "./wording.ts";

export type { CountTokens } from "./fitting.ts";

/** The prompt for a chat model. */
export interface Prompt {
  system: string;
  messages: PromptMessage[];
  /** What the model may call; undefined where it may call nothing. */
  tools?: readonly Tool[];
  /** An estimate, rather too high. */
  tokensEstimated: number;
}

export type PromptMessage =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; calls?: ToolCall[] }
  /** What came of a call. */
  | { role: "tool"; content: string; call: ToolCall };

export interface PromptBudget {
  /** The budget of the whole prompt. */
  tokens: number;
  /** The budget of its passages. */
  passageTokens: number;
  count: CountTokens;
}

/** Makes a prompt within the budget. */
export type PromptBuilder = (request: ResponderRequest, budget: PromptBudget) => Prompt | Promise<Prompt>;

/** What a chat template adds to every message. */
const MESSAGE_TOKENS = 12;
const HISTORY_SHARE = 0.25;
const CONTEXT_SHARE = 0.25;
const QUESTION_SHARE = 0.25;
/** The white space between two parts. */
const PART_GAP_TOKENS = 2;
const NOTHING: Material<PackedPassage> = { passages: [], contexts: [], currentPath: undefined, question: "" };
/** How often a prompt that is still too long is shrunk: parts may be more tokens together than separately. */
const ATTEMPTS_MAX = 6;

/**
 * Builds the prompt: rules and site text first, then the conversation, so that it begins like the previous
 * call's and the model server can reuse its cache; then the passages, and the question last. A model that
 * looks for itself has its calls and their results behind it. Leaves out what does not fit: the oldest
 * messages, and what bears least on the question.
 */
export const buildPrompt = (request: ResponderRequest, budget: PromptBudget): Prompt =>
  build(request, budget, { readPieces: readPlainPieces });

/**
 * Builds prompts, and chooses by meaning as well as by words what of a passage bears on the question. The embedder has
 * to be instant.
 */
export function createPromptBuilder(embedder: Pick<Embedder, "embed">) {
  const readAhead = createReadAhead(embedder);
  return async (request: ResponderRequest, budget: PromptBudget): Promise<Prompt> => {
    const texts = request.passages.map((passage) => harmlessPassage(passage).text);
    const reading = await readAhead(whatIsAsked(request), texts, request.language);
    return build(request, budget, reading, await readResults(request, readAhead));
  };
}

/** What parts of passages are chosen by: the log that a reader pasted says little of it. */
const whatIsAsked = ({ question, searched }: ResponderRequest): string => askedIn(searched ?? question).text;

/** Reads what a model has found by itself, each result for what it was asked for. */
async function readResults(
  { looking, language }: ResponderRequest,
  readAhead: ReadAhead,
): Promise<Map<ToolResult, Reading>> {
  const readings = new Map<ToolResult, Reading>();
  for (const result of looking?.rounds.flat() ?? []) {
    const texts = result.passages.map((passage) => harmlessPassage(passage).text);
    if (texts.length > 0) readings.set(result, await readAhead(result.about, texts, language));
  }
  return readings;
}

function build(
  request: ResponderRequest,
  budget: PromptBudget,
  reading: Reading,
  readingOf: ReadonlyMap<ToolResult, Reading> = new Map(),
): Prompt {
  const { count } = budget;
  const { looking } = request;
  // The tools stand in every prompt of the answer, so that all of them begin alike.
  const tokens = budget.tokens - toolTokens(looking, count);
  const rules = countedRules(showRules(request), count);
  const roomOfAll = Math.max(0, tokens - measure(rules, [showMaterial(NOTHING)], count));
  const resultTokens = resultRoom(looking, roomOfAll);
  const room = roomOfAll - resultTokens;
  // A share of the room that is the same for every question of the site, so that what is kept does not change
  // from turn to turn.
  const past = fitHistory(request.history, Math.floor(room * HISTORY_SHARE), MESSAGE_TOKENS, count);
  const pastTokens = past.reduce((sum, { text }) => sum + count(text) + MESSAGE_TOKENS, 0);
  let spare = room - pastTokens;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const material = fitMaterial(request, { ...budget, ...reading }, room, spare);
    const prompt = toPrompt(rules, past, material, count);
    const overTokens = prompt.tokensEstimated - (tokens - resultTokens);
    const rounds = () =>
      showRounds(request, { count, readingOf, tokens: resultTokens, shown: shownIn(material.passages) });
    if (overTokens <= 0) return withRounds(prompt, rounds(), looking, count);
    spare -= overTokens + attempt * MESSAGE_TOKENS;
  }
  return questionAlone(rules, request.question, room, budget);
}

/** The prompt with what the model called and what came of it. */
function withRounds(
  prompt: Prompt,
  { messages, tokens }: ShownRounds,
  looking: Looking | undefined,
  count: CountTokens,
): Prompt {
  if (looking === undefined) return prompt;
  return {
    ...prompt,
    messages: [...prompt.messages, ...messages],
    tools: looking.tools,
    tokensEstimated: prompt.tokensEstimated + tokens + toolTokens(looking, count),
  };
}

/** The prompt with nothing but the question, for when nothing else fits. */
function questionAlone(
  rules: Rules,
  question: string,
  room: number,
  { tokens, count }: PromptBudget,
): Prompt {
  for (let left = Math.floor(room * QUESTION_SHARE); left > 0; left = Math.floor(left / 2)) {
    const prompt = toPrompt(
      rules,
      [],
      { ...NOTHING, question: cutToFit(question, left, countHarmless(count)) },
      count,
    );
    if (prompt.tokensEstimated <= tokens) return prompt;
  }
  return toPrompt(rules, [], NOTHING, count);
}

function toPrompt(rules: Rules, past: PastMessage[], material: Material, count: CountTokens): Prompt {
  const messages: PromptMessage[] = [
    ...past.map(({ role, text }) => ({ role, content: text })),
    { role: "user", content: showMaterial(material) },
  ];
  const contents = messages.map(({ content }) => content);
  return { system: rules.text, messages, tokensEstimated: measure(rules, contents, count) };
}

/** The rules and the site's text, counted once for all that is measured with them. */
interface Rules {
  text: string;
  tokens: number;
}

const countedRules = (text: string, count: CountTokens): Rules => ({ text, tokens: count(text) });

function measure({ tokens }: Rules, contents: readonly string[], count: CountTokens): number {
  return contents.reduce((sum, content) => sum + count(content) + MESSAGE_TOKENS, tokens + MESSAGE_TOKENS);
}

/**
 * Chooses the reading material that fits: a share for the question and the attachments, then passages in what
 * is left.
 */
function fitMaterial(
  request: ResponderRequest,
  budget: PromptBudget & Reading,
  room: number,
  spare: number,
): Material<PackedPassage> {
  const { count } = budget;
  const question = cutToFit(
    request.question,
    Math.floor(Math.min(room, spare) * QUESTION_SHARE),
    countHarmless(count),
  );
  let left = spare - countHarmless(count)(question);
  const contexts = fitContexts(request.contexts, Math.floor(Math.min(room * CONTEXT_SHARE, left)), count);
  left -= contexts.reduce((sum, context) => sum + count(showContext(context)) + PART_GAP_TOKENS, 0);
  const path = showMaterial({ ...NOTHING, currentPath: request.currentPath });
  const pathTokens = count(path) - count(showMaterial(NOTHING)) + PART_GAP_TOKENS;
  const currentPath = pathTokens <= left ? request.currentPath : undefined;
  if (currentPath !== undefined) left -= pathTokens;
  const passages = packPassages(readable(request).map(harmlessPassage), {
    question: whatIsAsked(request),
    language: request.language,
    readPieces: budget.readPieces,
    nearness: budget.nearness,
    tokens: Math.min(budget.passageTokens, left),
    bestPieceTokensMax: left,
    count,
    show: showPassage,
  });
  return { passages, contexts, currentPath, question };
}

/** Paths are for models that can read more of a page. */
const readable = ({ passages, looking }: ResponderRequest): NumberedPassage[] =>
  looking === undefined ? passages.map(({ path: _, ...passage }) => passage) : passages;

const countHarmless =
  (count: CountTokens): CountTokens =>
  (text) =>
    count(harmless(text));

function fitContexts(
  contexts: readonly ReaderContext[],
  tokens: number,
  count: CountTokens,
): ReaderContext[] {
  const kept: ReaderContext[] = [];
  let left = tokens;
  for (const context of contexts.filter(({ text }) => text !== "")) {
    const overhead = count(showContext({ ...context, text: "" })) + PART_GAP_TOKENS;
    const text = cutToFit(context.text, left - overhead, countHarmless(count));
    if (text === "") break;
    left -= overhead + countHarmless(count)(text);
    kept.push({ ...context, text });
  }
  return kept;
}
