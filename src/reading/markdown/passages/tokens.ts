/** Weights are integers, so that sums are exact: this many make a token. */
const UNITS_PER_TOKEN = 70;
const LETTER = 20;
const DIGIT_OR_SIGN = 35;
const OTHER_SCRIPT = 42;
const IDEOGRAPH = 70;

/**
 * Estimates a text's tokens, rather too high: Latin words at 3.5 characters a token, code near 3 because of
 * its marks, a token for each Chinese, Japanese or Korean character.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenWeight(text));
}

/** The same before rounding: the weights of pieces add up to that of the whole. */
export function tokenWeight(text: string): number {
  let units = 0;
  for (let index = 0; index < text.length; index++) units += WEIGHTS[text.charCodeAt(index)] ?? IDEOGRAPH;
  return units / UNITS_PER_TOKEN;
}

function weight(code: number): number {
  if (code < 0x80) return isLetterOrSpace(code) ? LETTER : DIGIT_OR_SIGN;
  return code < 0x250 ? DIGIT_OR_SIGN : OTHER_SCRIPT;
}

function isLetterOrSpace(code: number): boolean {
  return code <= 0x20 || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** The weights of all characters before those that are ideographs, or weigh as much. */
const WEIGHTS = Uint8Array.from({ length: 0x1100 }, (_, code) => weight(code));
