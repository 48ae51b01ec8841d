import { harmless } from "../harmless.ts";
import type { PastMessage } from "../responder.ts";

/** Counts a text's tokens for a model, rather too high than too low. */
export type CountTokens = (text: string) => number;

/** No tokenizer makes fewer than one token from this many characters, long runs of spaces aside. */
const CHARACTERS_PER_TOKEN_MAX = 8;

/** The beginning of a text within `tokens`, cut between characters. */
export function cutToFit(whole: string, tokens: number, count: CountTokens): string {
  if (tokens <= 0) return "";
  // Avoids counting a file of megabytes: what cannot fit is not looked at.
  const text = whole.slice(0, tokens * CHARACTERS_PER_TOKEN_MAX).toWellFormed();
  if (count(text) <= tokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed();
}

/** The share of the room to fill again when messages have to go. */
const KEPT_SHARE = 0.5;

/**
 * The newest part of a conversation that fits. When it no longer fits, the oldest half goes at once: dropping
 * message by message would change the prompt's beginning at every turn, and the model server would have to
 * read all of it again. The result is the same for the same beginning of a conversation, so nothing has to be
 * remembered.
 */
export function fitHistory(
  history: readonly PastMessage[],
  tokens: number,
  messageTokens: number,
  count: CountTokens,
): PastMessage[] {
  const room = Math.floor(tokens * KEPT_SHARE) - messageTokens;
  if (room <= 0) return [];
  const messages = history.map(({ role, text: whole }) => {
    const text = harmless(cutToFit(whole, room, (part) => count(harmless(part))));
    return { message: { role, text }, tokens: count(text) + messageTokens };
  });
  let first = 0;
  let used = 0;
  for (const [index, { tokens: more }] of messages.entries()) {
    used += more;
    if (used <= tokens) continue;
    while (first < index && used > tokens * KEPT_SHARE) used -= messages[first++]?.tokens ?? 0;
  }
  const kept = messages.slice(first).map(({ message }) => message);
  // A conversation that begins with an answer confuses chat templates that expect roles to alternate.
  return kept[0]?.role === "assistant" ? kept.slice(1) : kept;
}
