import type { CountTokens } from "../../answer/prompt/prompt.ts";

// Runs of one kind of character, as tokenizers see them: words, numbers, other scripts, single marks. A space before a
// number is not a part of it, as one before a word is.
const RUN =
  /[A-Z]?[a-z]+|[A-Z]+| ?[0-9]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+|\s+|[^\sA-Za-z0-9]/gu;

/** No text of more characters than these for each token is at most so many tokens, whatever is in it. */
export const CHARACTERS_PER_TOKEN_MAX = 5;

/**
 * How many tokens a text is at most, for a model whose tokenizer is not known. Meant to be too high: Ollama cuts a
 * prompt that is too long without a word.
 */
export const tokensAtMost: CountTokens = (text) => {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) tokens += tokensOfRun(run);
  return Math.ceil(tokens);
};

function tokensOfRun(run: string): number {
  const first = run.charCodeAt(0);
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / 4);
  if (/^ ?[0-9]/.test(run)) return run.length;
  if (/^\s/.test(run)) return run === " " ? 0.1 : Math.ceil(run.length / 2);
  // Small vocabularies fall back to the bytes of other scripts: two, three or four of them.
  if (first < 0x80) return 1;
  if (first < 0x800) return Math.ceil(run.length * 1.5);
  return run.length === 1 ? 3 : 4;
}
