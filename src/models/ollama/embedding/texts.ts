import { CHARACTERS_PER_TOKEN_MAX, tokensAtMost } from "../tokens/tokens.ts";

/** The most texts in a request. Ollama embeds one text after the other, so larger requests gain nothing. */
const BATCH_TEXTS_MAX = 16;
/** Keeps requests short: a question that arrives waits for the request under way. */
const BATCH_CHARACTERS_MAX = 24_000;

/** Groups texts, in order, so that each group fits into one request. */
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

/** The beginning of a text, at most this many tokens whatever the tokenizer. */
export function cutToTokens(whole: string, tokens: number): string {
  // Avoids counting a far too long text to its end: one character beyond the limit is enough to see that it does not fit.
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

/** Drops a surrogate pair that the cut would split. */
function cutAt(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}
