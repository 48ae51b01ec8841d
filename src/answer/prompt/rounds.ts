import { harmlessPassage } from "../harmless.ts";
import type { Looking, ResponderRequest, ToolCall, ToolResult } from "../responder.ts";
import { type CountTokens, cutToFit } from "./fitting.ts";
import { packPassages } from "./packing.ts";
import type { PromptMessage } from "./prompt.ts";
import type { Reading } from "./read-ahead.ts";
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
  count: CountTokens;
}

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
const NO_ROOM = "There is no room for more: answer from what you have.";

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
  let left = options.tokens;
  for (const round of request.looking?.rounds ?? []) {
    const shown = showRound(round, request, { ...options, tokens: left });
    if (shown.tokens > left) break;
    messages.push(...shown.messages);
    left -= shown.tokens;
  }
  return { messages, tokens: options.tokens - left };
}

function showRound(
  round: readonly ToolResult[],
  request: ResponderRequest,
  { tokens, readingOf, count }: RoundOptions,
): ShownRounds {
  const calls = round.map(({ call }) => call);
  const shown: PromptMessage[] = [{ role: "assistant", content: "", calls }];
  let used = MESSAGE_TOKENS + calls.reduce((sum, call) => sum + callTokens(call, count), 0);
  const share = Math.floor(Math.max(0, tokens - used) * ROUND_SHARE);
  for (const result of round) {
    const each = Math.floor(share / round.length) - MESSAGE_TOKENS;
    const content = showWithin(result, request, { tokens: each, readingOf, count });
    shown.push({ role: "tool", content, call: result.call });
    used += count(content) + MESSAGE_TOKENS;
  }
  return { messages: shown, tokens: used };
}

function showWithin(
  result: ToolResult,
  request: ResponderRequest,
  { tokens, readingOf, count }: RoundOptions,
): string {
  const { passages, note, about } = result;
  const bare = count(showResult({ passages: [], note }));
  if (passages.length === 0)
    return showResult({ passages, note: cutToFit(note, Math.max(tokens, bare), count) });
  // Some tokens more are counted for parts together than for each by itself.
  for (let room = tokens - bare; room >= RESULT_TOKENS_MIN; room = Math.floor(room * 0.8)) {
    const packed = packPassages(passages.map(harmlessPassage), {
      question: about,
      language: request.language,
      ...readingOf.get(result),
      tokens: room,
      bestPieceTokensMax: room,
      count,
      show: showPassage,
    });
    const content = showResult({ passages: packed, note });
    if (packed.length > 0 && count(content) <= tokens) return content;
  }
  return showResult({ passages: [], note: NO_ROOM });
}

const callTokens = ({ name, input }: ToolCall, count: CountTokens) =>
  count(name) + count(JSON.stringify(input) ?? "") + CALL_TOKENS;
