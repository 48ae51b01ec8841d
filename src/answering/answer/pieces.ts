import { analyze } from "@docent/finding/search/analyze";
import { JoinedWords, type Words } from "@docent/finding/search/joined-words";
import { remembering } from "@docent/kernel/lib/remember";
import { hasUnspaced, joinPieces, segmenterFor } from "@docent/kernel/text/sentences/sentences";
import { type Block, listItems, scanBlocks } from "@docent/reading/markdown/md/md";

/** A part of a passage that is meaningful by itself: a sentence, list item, table row or code block. */
export interface Piece {
  kind: Block["kind"];
  markdown: string;
  /** The number of its block within the passage. */
  blockIndex: number;
  /** Its position among the passage's pieces. */
  position: number;
  /** Where its block begins in the passage's Markdown. */
  offset: number;
  /** For a table row: the lines that name the columns. */
  header: string | undefined;
}

/** Kinds of blocks that say nothing about a question. */
const WORDLESS: ReadonlySet<Block["kind"]> = new Set(["comment", "definition", "directive", "label", "rule"]);
/** Shorter pieces are "e.g." or "Mr.", not sentences. */
const SENTENCE_CHARACTERS_MIN = 20;
/**
 * Longer pieces have ends that the segmenter does not know: no capital after the mark, or no mark at all, as
 * in Thai.
 */
const SENTENCE_CHARACTERS_MAX = 400;
const PHRASE_CHARACTERS_MIN = 100;
const AFTER_SPACE = /(?<=\s)/;
const AFTER_MARK = /(?<=[.!?;]["')\]]?\s)/;

/** Splits a passage into pieces, in order. */
export function cutPieces(markdown: string, language: string): Piece[] {
  const segmenter = segmenterFor(language);
  const starts = lineStarts(markdown);
  return scanBlocks(markdown)
    .filter(({ kind }) => !WORDLESS.has(kind))
    .flatMap((block, index) => {
      const header = block.kind === "table" ? cutTable(block.text).header : undefined;
      return piecesOf(block, segmenter).map((text) => ({
        kind: block.kind,
        markdown: text,
        blockIndex: index,
        offset: starts[block.startLine - 1] ?? 0,
        header,
      }));
    })
    .filter((piece) => piece.markdown.trim() !== "")
    .map((piece, position) => ({ ...piece, position }));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const ENDS_OPEN = /[:：]\s*[*_]*\s*$/;
/** Says that something follows, as "Here is an example." does, and the same in other languages. */
const ANNOUNCES =
  /^(?:so )?(?:here(?:['’]s| is| are)|below (?:is|are)|hier (?:ist|sind|folg)|voici|voilà|ecco|aquí (?:está|tiene|hay)|eis|以下|下面|次の)|(?<!\p{L})(?:as follows|(?:the|these) following|like this|(?:shown|listed|given|see|example|command|code|line) below|wie folgt|folgende[nmrs]?|ci-dessous|comme suit|suivante?s?|a continuación|siguientes?|seguent[ei]|a seguir|seguintes?)(?!\p{L})|如下|以下の|下記/iu;
/** A sentence that no mark ends goes on in the code below it: "find the line that says". */
const GOES_ON = /\p{L}\s+\S+\s+\S+\s+[^\s*_[\]]*[\p{L}\p{N}`]$/u;

/** Whether a piece ends with a colon. */
export const endsOpen = (piece: Piece | undefined): boolean => ENDS_OPEN.test(piece?.markdown ?? "");

/** Whether a piece says what comes after it: by a colon, or by its words where that is the next block. */
export function introduces(piece: Piece | undefined, around: readonly Piece[]): boolean {
  if (piece === undefined) return false;
  if (endsOpen(piece)) return true;
  const next = piece.kind === "paragraph" ? around[piece.position + 1] : undefined;
  if (next?.kind !== "code" && next?.kind !== "list") return false;
  const said = piece.markdown.trim();
  return ANNOUNCES.test(said) || (next.kind === "code" && GOES_ON.test(said));
}

/** A piece with the terms of its words. */
export interface ReadPiece extends Piece {
  terms: JoinedWords;
}

/** Cuts a passage into pieces, and reads their words. */
export type PieceReader = (markdown: string, language: string) => readonly ReadPiece[];

export const readPieces: PieceReader = (markdown, language) =>
  cutPieces(markdown, language).map((piece) => ({
    ...piece,
    terms: new JoinedWords(analyze(piece.markdown)),
  }));

/** How many passages stay cut. */
const PASSAGES_KEPT = 500;

/** Reads pieces, and remembers those of the passages that were read last. */
export const createPieceReader = (read = readPieces): PieceReader => remembering(read, PASSAGES_KEPT);

/**
 * The weight of each wanted word, which add up to 1: a word in few pieces distinguishes them. `shares` says how much
 * each counts, where not all count alike.
 */
export function rarities(
  wanted: readonly string[],
  pieces: readonly Words[],
  shares?: ReadonlyMap<string, number>,
): Map<string, number> {
  const weights = wanted.map((term) => {
    const having = pieces.filter((terms) => terms.has(term)).length;
    return Math.log(1 + pieces.length / (1 + having)) * (shares?.get(term) ?? 1);
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
  // A table without rows still names its columns.
  return rows.length > 0 ? rows : [header];
}

/** A table's head with its delimiter row, and its rows. */
export function cutTable(text: string): { header: string; rows: string[] } {
  const [names = "", rule = "", ...rows] = text.split("\n");
  return { header: `${names}\n${rule}`, rows };
}

/** A quote's paragraphs. A quote with code stays whole: blank lines inside code separate nothing. */
function cutQuote(quote: string): string[] {
  return /^[> \t]*(?:```|~~~)/m.test(quote) ? [quote] : quote.split(/\n[ \t]*>[ \t]*(?:\n[ \t]*>[ \t]*)*\n/);
}

/** A paragraph's sentences, each on one line; a code span is never split. */
export function cutSentences(paragraph: string, language: string): string[] {
  return sentencesOf(paragraph, segmenterFor(language));
}

/** A parameter in the description of a function, as docstrings have it: indented, and its name before a colon. */
const BEFORE_PARAMETER = /\n(?=[ \t]+\*{0,2}`?[A-Za-z_][\w.]*`?(?: \([^)\n]*\))?: \S)/;

function sentencesOf(paragraph: string, segmenter: Intl.Segmenter): string[] {
  const entries = paragraph.split(BEFORE_PARAMETER);
  return entries.flatMap((entry, index) => {
    const line = entry.replace(/(?<!\s)\s*\n\s*/g, " ").trim();
    return index > 0 && line.length <= SENTENCE_CHARACTERS_MAX ? [line] : sentencesOfText(line, segmenter);
  });
}

function sentencesOfText(paragraph: string, segmenter: Intl.Segmenter): string[] {
  const segments = [...segmenter.segment(paragraph)];
  return joinPieces(
    segments.map(({ segment }) => segment),
    SENTENCE_CHARACTERS_MIN,
  )
    .flatMap(cutLong)
    .map((sentence) => sentence.trim());
}

/** Splits an overlong sentence of the segmenter where it is likely to end. */
function cutLong(sentence: string): string[] {
  if (sentence.length <= SENTENCE_CHARACTERS_MAX) return [sentence];
  if (hasUnspaced(sentence)) return joinPieces(sentence.split(AFTER_SPACE), PHRASE_CHARACTERS_MIN);
  return joinPieces(sentence.split(AFTER_MARK), PHRASE_CHARACTERS_MIN).flatMap((phrase) =>
    phrase.length <= 2 * SENTENCE_CHARACTERS_MAX
      ? [phrase]
      : joinPieces(phrase.split(AFTER_SPACE), SENTENCE_CHARACTERS_MAX),
  );
}
