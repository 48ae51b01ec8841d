import type { Embedder } from "../../embed/embedder.ts";
import { harmless } from "../harmless.ts";
import type { NumberedPassage, PastMessage, ReaderContext, ResponderRequest } from "../responder.ts";
import { type CountTokens, cutToFit, fitHistory } from "./fitting.ts";
import { packPassages } from "./packing.ts";
import { createReadAhead, type Reading, readPlainPieces } from "./read-ahead.ts";
import { type Material, showContext, showMaterial, showPassage, showRules } from "./wording.ts";

export type { CountTokens } from "./fitting.ts";

/** The prompt for a chat model. */
export interface Prompt {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** An estimate, rather too high. */
  tokensEstimated: number;
}

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
const NOTHING: Material = { passages: [], contexts: [], currentPath: undefined, question: "" };
/** How often a prompt that is still too long is shrunk: parts may be more tokens together than separately. */
const ATTEMPTS_MAX = 6;

/**
 * Builds the prompt: rules and site text first, then the conversation, so that it begins like the previous
 * call's and the model server can reuse its cache; then the passages, and the question last. Leaves out what
 * does not fit: the oldest messages, and what bears least on the question.
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
    return build(request, budget, await readAhead(whatIsAsked(request), texts, request.language));
  };
}

const whatIsAsked = ({ question, searched }: ResponderRequest): string => searched ?? question;

function build(request: ResponderRequest, budget: PromptBudget, reading: Reading): Prompt {
  const { tokens, count } = budget;
  const rules = countedRules(showRules(request), count);
  const room = Math.max(0, tokens - measure(rules, [showMaterial(NOTHING)], count));
  // A share of the room that is the same for every question of the site, so that what is kept does not change
  // from turn to turn.
  const past = fitHistory(request.history, Math.floor(room * HISTORY_SHARE), MESSAGE_TOKENS, count);
  const pastTokens = past.reduce((sum, { text }) => sum + count(text) + MESSAGE_TOKENS, 0);
  let spare = room - pastTokens;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const material = fitMaterial(request, { ...budget, ...reading }, room, spare);
    const prompt = toPrompt(rules, past, material, count);
    if (prompt.tokensEstimated <= tokens) return prompt;
    spare -= prompt.tokensEstimated - tokens + attempt * MESSAGE_TOKENS;
  }
  return questionAlone(rules, request.question, room, budget);
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
  const messages: Prompt["messages"] = [
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
): Material {
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
  const passages = packPassages(request.passages.map(harmlessPassage), {
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

/** Done before cutting and counting, because escaping may add tokens. */
const harmlessPassage = (passage: NumberedPassage): NumberedPassage => ({
  ...passage,
  text: harmless(passage.text),
});

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
