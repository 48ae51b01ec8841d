/** How many tokens a text is for a model, rather too many than too few. */
export type CountTokens = (text: string) => number;

/** No tokenizer makes fewer tokens of a text than one for so many characters, long runs of spaces aside. */
const CHARACTERS_PER_TOKEN_MAX = 8;

/** The beginning of a text that is no more than so many tokens, at the end of a character. */
export function cutToFit(whole: string, tokens: number, count: CountTokens): string {
  if (tokens <= 0) return "";
  // A file of megabytes is not counted through: what can't fit is not looked at.
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
