import { harmless, harmlessLine, harmlessPassage } from "../harmless.ts";
import type { ReadPiece } from "../pieces.ts";
import type { Looking, NumberedPassage, ResponderRequest, ToolCall, ToolResult } from "../responder.ts";
import { type CountTokens, cutToFit } from "./fitting.ts";
import {
  type PackedPassage,
  type PackOptions,
  packPassages,
  showPart,
  showPieces,
  wordsOf,
} from "./packing.ts";
import type { PromptMessage } from "./prompt.ts";
import { type Reading, readPlainPieces } from "./read-ahead.ts";
import { showPassage, showResult } from "./wording.ts";

/** What a model called and what came of it, as the messages behind its question. */
export interface ShownRounds {
  messages: PromptMessage[];
  tokens: number;
}

interface RoundOptions {
  /** The budget for all rounds. */
  tokens: number;
  /** How each result's passages are read. */
  readingOf: ReadonlyMap<ToolResult, Reading>;
  shown: Shown;
  count: CountTokens;
}

/** What a prompt shows already. */
interface Shown {
  /** The numbers of the passages that it shows whole. */
  whole: ReadonlySet<number>;
  /** The words of all pieces that it shows. */
  said: ReadonlySet<string>;
}

export const shownIn = (passages: readonly PackedPassage[]): Shown => ({
  whole: new Set(passages.flatMap(({ number, isWhole }) => (isWhole ? number : []))),
  said: new Set(passages.flatMap(({ said }) => said)),
});

const both = (one: Shown, other: Shown): Shown => ({
  whole: one.whole.union(other.whole),
  said: one.said.union(other.said),
});

/** What a chat template adds to every message, and to every call. */
const MESSAGE_TOKENS = 12;
const CALL_TOKENS = 12;
/** What chat templates say of tools besides their descriptions. */
const TEMPLATE_TOKENS = 200;
/** The share of the room that results may take; the rest is for what the answer begins with. */
const RESULT_SHARE = 0.5;
/** The share of what is left that one round may take, so that a later one finds some too. */
const ROUND_SHARE = 0.6;
/** A result is cut to no less: with less room, none is shown. */
const RESULT_TOKENS_MIN = 80;
const HEADING_CHARACTERS_MAX = 200;
const NO_ROOM = "There is no room for more: answer from what you have.";
const NOTHING_NEW = "This brings nothing that you do not have.";

/** The tokens that the descriptions of the tools take. */
export function toolTokens(looking: Looking | undefined, count: CountTokens): number {
  return looking === undefined ? 0 : count(JSON.stringify(looking.tools)) + TEMPLATE_TOKENS;
}

/** The budget for the results of an answer: the same in each round, so that its prompts begin alike. */
export function resultRoom(looking: Looking | undefined, roomTokens: number): number {
  return looking === undefined ? 0 : Math.min(looking.resultTokens, Math.floor(roomTokens * RESULT_SHARE));
}

/**
 * Shows the rounds in order. Each gets a share of the room that those before it have left, so that what was shown once
 * is shown alike in the next prompt. Those for which no room is left at all are left out.
 */
export function showRounds(request: ResponderRequest, options: RoundOptions): ShownRounds {
  const messages: PromptMessage[] = [];
  let { tokens: left, shown } = options;
  for (const round of request.looking?.rounds ?? []) {
    const next = showRound(round, request, { ...options, tokens: left, shown });
    if (next.tokens > left) break;
    messages.push(...next.messages);
    left -= next.tokens;
    shown = next.shown;
  }
  return { messages, tokens: options.tokens - left };
}

function showRound(
  round: readonly ToolResult[],
  request: ResponderRequest,
  options: RoundOptions,
): ShownRounds & { shown: Shown } {
  const { tokens, count } = options;
  const calls = round.map(({ call }) => call);
  const messages: PromptMessage[] = [{ role: "assistant", content: "", calls }];
  let { shown } = options;
  let used = MESSAGE_TOKENS + calls.reduce((sum, call) => sum + callTokens(call, count), 0);
  const share = Math.floor(Math.max(0, tokens - used) * ROUND_SHARE);
  for (const result of round) {
    const each = Math.floor(share / round.length) - MESSAGE_TOKENS;
    const { content, passages } = showWithin(result, request, { ...options, tokens: each, shown });
    shown = both(shown, shownIn(passages));
    messages.push({ role: "tool", content, call: result.call });
    used += count(content) + MESSAGE_TOKENS;
  }
  return { messages, tokens: used, shown };
}

/** A result as the model sees it. */
interface ShownResult {
  content: string;
  passages: readonly PackedPassage[];
}

/** Shows of a result what the prompt does not show yet, and names what it does. */
function showWithin(
  result: ToolResult,
  request: ResponderRequest,
  { tokens, readingOf, count, shown }: RoundOptions,
): ShownResult {
  const { whole, said } = shown;
  const read = readingOf.get(result)?.readPieces ?? readPlainPieces;
  const isNew = ({ text }: NumberedPassage) =>
    wordsOf(read(harmless(text), request.language)).some((words) => !said.has(words));
  const known = result.passages.filter(({ number }) => whole.has(number));
  const rest = result.passages.filter(({ number }) => !whole.has(number));
  const fresh = rest.some(isNew) ? rest : [];
  const notes = [result.note, alreadyThere(known) || (rest.length > fresh.length ? NOTHING_NEW : "")];
  const noteOf = (...more: string[]) => [...notes, ...more].filter((each) => each !== "").join("\n");
  const bare = count(showResult({ passages: [], note: noteOf() }));
  if (fresh.length === 0) {
    const note = cutToFit(noteOf(), Math.max(tokens, bare), count);
    return { content: showResult({ passages: [], note }), passages: [] };
  }
  // Some tokens more are counted for parts together than for each by itself.
  for (let room = tokens - bare; room >= RESULT_TOKENS_MIN; room = Math.floor(room * 0.8)) {
    const options = {
      question: result.about,
      language: request.language,
      ...readingOf.get(result),
      tokens: room,
      bestPieceTokensMax: room,
      count,
      show: showPassage,
      said,
    };
    const { passages, goesOnAt } = packResult(result, fresh.map(harmlessPassage), options);
    const note = goesOnAt === undefined ? noteOf() : noteOf(goesOn(goesOnAt));
    const content = showResult({ passages, note });
    if (passages.length > 0 && count(content) <= tokens) return { content, passages };
  }
  return { content: showResult({ passages: [], note: NO_ROOM }), passages: [] };
}

const packResult = ({ isPage }: ToolResult, passages: NumberedPassage[], options: PackOptions): PackedPage =>
  isPage ? packPage(passages, options) : { passages: packPassages(passages, options), goesOnAt: undefined };

function alreadyThere(known: readonly NumberedPassage[]): string {
  const numbers = known.map(({ number }) => number).toSorted((one, other) => one - other);
  return numbers.length === 0
    ? ""
    : `You have these already: ${numbers.map((each) => `[${each}]`).join(", ")}`;
}

const goesOn = (heading: string) =>
  `The page goes on: call read_page with the heading "${harmlessLine(heading, HEADING_CHARACTERS_MAX)}".`;

const callTokens = ({ name, input }: ToolCall, count: CountTokens) =>
  count(name) + count(JSON.stringify(input) ?? "") + CALL_TOKENS;

/** A part of a page, and the heading at which it goes on; undefined where all of it is shown. */
interface PackedPage {
  passages: PackedPassage[];
  goesOnAt: string | undefined;
}

/** Shows a page from its top on, whole, as far as there is room: what is left away comes behind what is shown. */
function packPage(
  passages: readonly NumberedPassage[],
  { language, readPieces = readPlainPieces, tokens, count, show }: PackOptions,
): PackedPage {
  const shown: PackedPassage[] = [];
  let left = tokens;
  for (const passage of passages) {
    const pieces = readPieces(passage.text, language);
    const whole = { ...passage, text: showPieces(pieces), isWhole: true, said: wordsOf(pieces) };
    const cost = count(show(whole));
    if (cost <= left) {
      shown.push(whole);
      left -= cost;
      continue;
    }
    // The beginning of a section is only shown where nothing else is.
    const begun = shown.length > 0 ? undefined : beginningOf(passage, pieces, { left, count, show });
    return { passages: begun === undefined ? shown : [begun], goesOnAt: placeOf(passage) };
  }
  return { passages: shown, goesOnAt: undefined };
}

function beginningOf(
  passage: NumberedPassage,
  pieces: readonly ReadPiece[],
  { left, count, show }: Pick<PackOptions, "count" | "show"> & { left: number },
): PackedPassage | undefined {
  for (let length = pieces.length - 1; length > 0; length--) {
    const first = pieces.slice(0, length);
    const begun = { ...passage, text: showPart(first, pieces), isWhole: false, said: wordsOf(first) };
    if (count(show(begun)) <= left) return begun;
  }
  return undefined;
}

const placeOf = ({ headings, title }: NumberedPassage): string => headings.at(-1) ?? title;
