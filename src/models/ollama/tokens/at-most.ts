import type { CountTokens } from "@docent/answering/answer/prompt/prompt";

// Runs of one kind of character, as tokenizers see them: words, numbers, other scripts, single marks. A space
// belongs to the word after it, but not to a number.
const RUN =
  /[A-Z]?[a-z]+|[A-Z]+| ?[0-9]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+|\s+|[^\sA-Za-z0-9]/gu;

/** A text with more characters than this for each token is counted as too many, whatever it contains. */
export const CHARACTERS_PER_TOKEN_MAX = 5;

/**
 * An upper bound for a text's tokens with an unknown tokenizer. Meant to be too high: Ollama truncates a long
 * prompt silently.
 */
export const tokensAtMost: CountTokens = (text) => {
  let tokens = 0;
  for (const run of text.match(RUN) ?? []) tokens += tokensOfRun(run);
  return Math.ceil(tokens);
};

function tokensOfRun(run: string): number {
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / 4);
  if (/^ ?[0-9]/.test(run)) return run.length;
  if (/^\s/.test(run)) return run === " " ? 0.1 : Math.ceil(run.length / 2);
  if (run.charCodeAt(0) < 0x80) return 1;
  let tokens = 0;
  for (const character of run) tokens += tokensOfCharacter(character.codePointAt(0) ?? 0);
  return Math.ceil(tokens);
}

/** Small vocabularies split other scripts into bytes, of which a character has two, three or four. */
function tokensOfCharacter(codePoint: number): number {
  if (codePoint < 0x800) return 1.5;
  return codePoint < 0x10000 ? 3 : 4;
}
