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

/** Longer than any abbreviation, with what stands before it. */
const ABBREVIATED_CHARACTERS_MAX = 20;

/**
 * Pieces that are being joined, and what is asked of their text. To read all of it again with each piece would take time that
 * grows with its square.
 */
interface Joining {
  text: string;
  /** How long it is without the spaces around it, and how many of them are at its end. */
  characters: number;
  spacesAtEnd: number;
  /** Its end without them; spaces in a row are two at most. */
  end: string;
  hasUnspaced: boolean;
  hasOpenCode: boolean;
}

const NOTHING: Joining = {
  text: "",
  characters: 0,
  spacesAtEnd: 0,
  end: "",
  hasUnspaced: false,
  hasOpenCode: false,
};

/** Joins a piece that is too short, ends with an abbreviation, or would leave a code span open, to the next one. */
export function joinPieces(pieces: readonly string[], charactersMin: number): string[] {
  const joined: string[] = [];
  let open = NOTHING;
  for (const piece of pieces) {
    open = joinedWith(open, piece);
    // Where words are spaced, what goes on without a space is no end: the dots of a path in a link.
    if (open.spacesAtEnd === 0 && !open.hasUnspaced) continue;
    if (open.characters < charactersMin || open.hasOpenCode || ABBREVIATED.test(open.end)) continue;
    joined.push(open.text);
    open = NOTHING;
  }
  return open.characters === 0 ? joined : [...joined, open.text];
}

function joinedWith(open: Joining, piece: string): Joining {
  const text = open.text + piece;
  const words = open.characters === 0 ? piece.trim() : piece.trimEnd();
  if (words === "") return { ...open, text, spacesAtEnd: open.spacesAtEnd + piece.length };
  const between = open.characters === 0 ? 0 : open.spacesAtEnd;
  return {
    text,
    characters: open.characters + between + words.length,
    spacesAtEnd: piece.length - piece.trimEnd().length,
    end: (open.end + " ".repeat(Math.min(between, 2)) + words).slice(-ABBREVIATED_CHARACTERS_MAX),
    hasUnspaced: open.hasUnspaced || hasUnspaced(piece),
    hasOpenCode: open.hasOpenCode !== hasOddMarks(piece),
  };
}

function hasOddMarks(text: string): boolean {
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
