import { CHARACTERS_PER_TOKEN_MAX, tokensAtMost } from "../tokens/tokens.ts";

/** What one request may hold. Ollama embeds one text after the other, so a large request gains nothing. */
const BATCH_TEXTS_MAX = 16;
/** A question that comes in between waits for the request that is on its way. */
const BATCH_CHARACTERS_MAX = 24_000;

/** The texts in groups of which each fits into one request, in their order. */
export function batchesOf<T extends { text: string }>(items: T[]): T[][] {
  const batches: T[][] = [];
  let characters = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    characters += item.text.length;
    if (batch === undefined || batch.length >= BATCH_TEXTS_MAX || characters > BATCH_CHARACTERS_MAX) {
      batches.push([item]);
      characters = item.text.length;
    } else batch.push(item);
  }
  return batches;
}

/** The beginning of a text that is at most so many tokens, whatever the model's tokenizer. */
export function cutToTokens(whole: string, tokens: number): string {
  // What is far too long is not counted through: one character more than can fit shows that it does not.
  const text = whole.slice(0, Math.max(0, tokens) * CHARACTERS_PER_TOKEN_MAX + 1);
  if (text.length === whole.length && tokensAtMost(text) <= tokens) return text.toWellFormed();
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensAtMost(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return cutAt(text, low);
}

/** The first half of a text. */
export function firstHalf(text: string): string {
  return cutAt(text, Math.floor(text.length / 2));
}

/** A character of two units that the cut would go through is left out. */
function cutAt(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}
