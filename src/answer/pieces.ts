import { type Block, listItems, scanBlocks } from "../markdown/md/md.ts";
import { hasUnspaced } from "../search/analyze.ts";

/**
 * A part of a passage that means something by itself: a sentence, an item of a list, a row of a table, a block of code.
 */
export interface Piece {
  kind: Block["kind"];
  markdown: string;
  /** Which block of its passage it is, or is a piece of. */
  block: number;
  /** Its place among its passage's pieces. */
  position: number;
  /** Of a row of a table: the lines that say what its columns are. */
  header: string | undefined;
}

/** Blocks that are machinery of a page, and say nothing about what is asked. */
const WORDLESS: ReadonlySet<Block["kind"]> = new Set(["comment", "definition", "directive", "label", "rule"]);
/** Shorter pieces are "e.g." or "Mr.", and not sentences. */
const SENTENCE_CHARACTERS_MIN = 20;
/**
 * Longer pieces have ends that the segmenter does not know: no capital behind the mark, or no mark at all, as in Thai.
 */
const SENTENCE_CHARACTERS_MAX = 400;
const PHRASE_CHARACTERS_MIN = 100;
const AFTER_SPACE = /(?<=\s)/;
const AFTER_MARK = /(?<=[.!?;]["')\]]?\s)/;

/** Cuts a passage into its pieces, in their order. */
export function cutPieces(markdown: string, language: string): Piece[] {
  const segmenter = segmenterFor(language);
  return scanBlocks(markdown)
    .filter(({ kind }) => !WORDLESS.has(kind))
    .flatMap((block, index) => {
      const header = block.kind === "table" ? cutTable(block.text).header : undefined;
      return piecesOf(block, segmenter).map((text) => ({
        kind: block.kind,
        markdown: text,
        block: index,
        header,
      }));
    })
    .filter((piece) => piece.markdown.trim() !== "")
    .map((piece, position) => ({ ...piece, position }));
}

/** The weight of each wanted word, 1 for all of them together: a word that few pieces have tells them apart. */
export function rarities(
  wanted: readonly string[],
  pieces: readonly ReadonlySet<string>[],
): Map<string, number> {
  const weights = wanted.map((term) => {
    const having = pieces.filter((terms) => terms.has(term)).length;
    return Math.log(1 + pieces.length / (1 + having));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return new Map(wanted.map((term, index) => [term, (weights[index] ?? 0) / (total || 1)]));
}

function piecesOf({ kind, text, level }: Block, segmenter: Intl.Segmenter): string[] {
  if (kind === "paragraph") return sentencesOf(text, segmenter);
  if (kind === "list") return listItems(text);
  if (kind === "quote") return cutQuote(text);
  if (kind === "heading") return [`${"#".repeat(level ?? 1)} ${text}`];
  if (kind !== "table") return [text];
  const { header, rows } = cutTable(text);
  // A table without rows still says which columns there are.
  return rows.length > 0 ? rows : [header];
}

/** A table's head with the line below it, and its rows. */
export function cutTable(text: string): { header: string; rows: string[] } {
  const [names = "", rule = "", ...rows] = text.split("\n");
  return { header: `${names}\n${rule}`, rows };
}

/** A quote's paragraphs. A quote that holds code stays whole: blank lines in code end nothing. */
function cutQuote(quote: string): string[] {
  return /^[> \t]*(?:```|~~~)/m.test(quote) ? [quote] : quote.split(/\n[ \t]*>[ \t]*(?:\n[ \t]*>[ \t]*)*\n/);
}

/** A paragraph's sentences, each on one line; never the half of a code span. */
export function cutSentences(paragraph: string, language: string): string[] {
  return sentencesOf(paragraph, segmenterFor(language));
}

function sentencesOf(paragraph: string, segmenter: Intl.Segmenter): string[] {
  const segments = [...segmenter.segment(paragraph.replace(/\s*\n\s*/g, " "))];
  return joinPieces(
    segments.map(({ segment }) => segment),
    SENTENCE_CHARACTERS_MIN,
  )
    .flatMap(cutLong)
    .map((sentence) => sentence.trim());
}

/** Cuts what the segmenter took for one sentence, and is too long for one, where it is likely to end. */
function cutLong(sentence: string): string[] {
  if (sentence.length <= SENTENCE_CHARACTERS_MAX) return [sentence];
  if (hasUnspaced(sentence)) return joinPieces(sentence.split(AFTER_SPACE), PHRASE_CHARACTERS_MIN);
  return joinPieces(sentence.split(AFTER_MARK), PHRASE_CHARACTERS_MIN).flatMap((phrase) =>
    phrase.length <= 2 * SENTENCE_CHARACTERS_MAX
      ? [phrase]
      : joinPieces(phrase.split(AFTER_SPACE), SENTENCE_CHARACTERS_MAX),
  );
}

/** Joins what is too short to stand alone, or would leave a code span open, to what follows it. */
function joinPieces(pieces: readonly string[], charactersMin: number): string[] {
  const joined: string[] = [];
  let open = "";
  for (const piece of pieces) {
    open += piece;
    if (open.trim().length < charactersMin || hasOpenCode(open)) continue;
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
/** Kept by language: making one takes longer than cutting most paragraphs. */
const segmenters = new Map<string, Intl.Segmenter>();

function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  if (segmenters.size >= SEGMENTERS_KEPT) segmenters.clear();
  // Some owners write a language that the runtime does not know.
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
