/** Scripts that are written without spaces between words, as in a class of a pattern: of words of few letters, and of many. */
export const UNSPACED = {
  short: String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`,
  long: String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`,
};
const IS_UNSPACED = new RegExp(`[${UNSPACED.short}${UNSPACED.long}]`, "u");

/** Whether a text has any of such a script. */
export const hasUnspaced = (text: string): boolean => IS_UNSPACED.test(text);

/** What ends with a full stop and no sentence with it: the segmenter knows no abbreviations, and takes "Dr." for an end. */
const ABBREVIATED =
  /(?:^|[\s(["'])(?:al|approx|bzw|ca|cf|ch|dr|ed|eq|esp|etc|fig|fr|incl|jr|max|min|mr|mrs|ms|nr|pp|prof|resp|sec|sr|st|usw|vgl|vs?|z\.?\s?b|d\.?\s?h|e\.?g|i\.?e|p\.?\s?ex|[A-Z])\\?\.$/i;

/** Joins a piece that is too short, ends with an abbreviation, or would leave a code span open, to the next one. */
export function joinPieces(pieces: readonly string[], charactersMin: number): string[] {
  const joined: string[] = [];
  let open = "";
  for (const piece of pieces) {
    open += piece;
    const text = open.trim();
    // Where words are spaced, what goes on without a space is no end: the dots of a path in a link.
    if (!/\s$/.test(open) && !hasUnspaced(open)) continue;
    if (text.length < charactersMin || ABBREVIATED.test(text) || hasOpenCode(text)) continue;
    joined.push(open);
    open = "";
  }
  return open.trim() === "" ? joined : [...joined, open];
}

function hasOpenCode(text: string): boolean {
  let marks = 0;
  for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at + 1)) marks++;
  return marks % 2 === 1;
}

const SEGMENTERS_KEPT = 50;
/** Kept by language: making one takes longer than splitting most paragraphs. */
const segmenters = new Map<string, Intl.Segmenter>();

/** Finds the ends of sentences, as a language has them. */
export function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  if (segmenters.size >= SEGMENTERS_KEPT) segmenters.clear();
  // Some owners name a language that the runtime does not know.
  const made = new Intl.Segmenter(isLanguage(language) ? language : "en", { granularity: "sentence" });
  segmenters.set(language, made);
  return made;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.Segmenter.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
