import type { Piece, PieceReader } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { closingOf } from "./code-parts.ts";
import type { CountTokens } from "./fitting.ts";
import { readPlainPieces } from "./read-ahead.ts";
import { type Nearness, type WeighedPiece, weighForModel } from "./weigh-for-model.ts";

export interface PackOptions {
  question: string;
  /** BCP 47 tag of the passages' language. */
  language: string;
  /** Cuts the passages. One that remembers them saves most of the work. */
  readPieces?: PieceReader;
  /** How near pieces are to the question; by their words alone where it is missing. */
  nearness?: Nearness | undefined;
  /** The budget for everything kept, titles included. */
  tokens: number;
  /** The budget for the best piece where it exceeds the other one by itself. */
  bestPieceTokensMax: number;
  count: CountTokens;
  /** Writes a passage as the model sees it. */
  show: (passage: NumberedPassage) => string;
}

/** The share of the best piece's strength that a piece needs to be kept. */
const STRENGTH_MIN = 0.43;
/** How much more it would need if everything else was kept: what answers is seldom most of what was found. */
const STRENGTH_MIN_GROWTH = 0.3;
/** A passage this short is kept whole: cutting it would save little. */
const SHORT_PASSAGE_TOKENS = 60;
/** A piece this short between two kept ones is kept too. */
const SHORT_GAP_TOKENS = 30;
/** The white space before a piece, and the mark of a gap. */
const PIECE_GAP_TOKENS = 3;

/**
 * Reduces each passage to the sentences, items, rows and code blocks that bear on the question, until the
 * budget is used up. A passage of which nothing is kept is dropped; the others keep their number and order.
 */
export function packPassages(passages: readonly NumberedPassage[], options: PackOptions): NumberedPassage[] {
  const { language, readPieces: read = readPlainPieces } = options;
  const piecesOf = passages.map(({ text }) => read(text, language));
  const weighed = weighForModel(options.question, passages, piecesOf, options.nearness);
  const kept = choosePieces(passages, weighed, options);
  return passages.flatMap((passage, index) => {
    const pieces = (weighed[index] ?? []).filter((piece) => kept.has(piece));
    return pieces.length === 0 ? [] : [{ ...passage, text: showPieces(pieces) }];
  });
}

function choosePieces(
  passages: readonly NumberedPassage[],
  weighed: readonly WeighedPiece[][],
  options: PackOptions,
): ReadonlySet<WeighedPiece> {
  const basket = openBasket(passages, weighed, options);
  const { kept, keep, isSaid, sizeOf } = basket;
  const ranked = weighed
    .flat()
    .filter(({ kind }) => kind !== "heading")
    .toSorted((a, b) => b.strength - a.strength);
  const [best] = ranked;
  const begun = new Set<number>();
  for (const piece of ranked) {
    if (best === undefined || piece.strength < best.strength * STRENGTH_MIN) break;
    const share = STRENGTH_MIN + STRENGTH_MIN_GROWTH * basket.keptShare();
    // The best of each passage is held to the first measure: it may be the one row that answers.
    if (begun.has(piece.passage) && piece.strength < best.strength * share) continue;
    begun.add(piece.passage);
    if (kept.has(piece) || isSaid(piece)) continue;
    const around = weighed[piece.passage] ?? [];
    if (isShort(around, sizeOf) && keep(around.filter((each) => !isSaid(each)))) continue;
    if (!keep(withLeads(piece, around), piece === best ? options.bestPieceTokensMax : 0)) continue;
    // The pieces around the best one give its context.
    const beside = piece === best ? neighbours(piece, around) : [];
    for (const near of beside.filter((each) => each.kind !== "heading" && !isSaid(each)))
      keep(withLeads(near, around));
  }
  for (const pieces of weighed) {
    for (const piece of pieces) {
      const isGap = neighbours(piece, pieces).filter((near) => kept.has(near)).length === 2;
      if (isGap && !isSaid(piece) && sizeOf(piece) - PIECE_GAP_TOKENS <= SHORT_GAP_TOKENS) keep([piece]);
    }
  }
  return kept;
}

/** What is kept, within a budget. */
interface Basket {
  kept: ReadonlySet<WeighedPiece>;
  /** From 0 to 1: how much of all text is kept. */
  keptShare(): number;
  sizeOf(piece: WeighedPiece): number;
  /** Whether what is kept of another passage has the same words: pages repeat, and so do versions of them. */
  isSaid(piece: WeighedPiece): boolean;
  /** Keeps pieces of one passage together, or none of them; `roomMin` tokens may be taken beyond the budget. */
  keep(pieces: readonly WeighedPiece[], roomMin?: number): boolean;
}

function openBasket(
  passages: readonly NumberedPassage[],
  weighed: readonly WeighedPiece[][],
  { tokens, count, show }: PackOptions,
): Basket {
  const kept = new Set<WeighedPiece>();
  const sizeOf = createSizes(count);
  const saidIn = new Map<string, number>();
  const charactersOfAll = weighed.flat().reduce((sum, { markdown }) => sum + markdown.length, 1);
  let keptCharacters = 0;
  let left = tokens;

  /** The additional tokens it takes to keep these pieces. */
  function costOf(pieces: readonly WeighedPiece[]): number {
    const [first] = pieces;
    const passage = first && passages[first.passage];
    if (first === undefined || passage === undefined) return 0;
    const here = (weighed[first.passage] ?? []).filter((piece) => kept.has(piece));
    const header = pieces.find((piece) => piece.header !== undefined)?.header;
    const hasHeader = header === undefined || here.some((piece) => piece.header === header);
    return (
      pieces.reduce((sum, piece) => sum + sizeOf(piece), 0) +
      (here.length > 0 ? 0 : count(show({ ...passage, text: "" })) + PIECE_GAP_TOKENS) +
      (hasHeader ? 0 : count(header) + PIECE_GAP_TOKENS)
    );
  }

  return {
    kept,
    sizeOf,
    isSaid: (piece) => (saidIn.get(wordsOf(piece)) ?? piece.passage) !== piece.passage,
    keptShare: () => keptCharacters / charactersOfAll,
    keep(pieces, roomMin = 0) {
      const missing = pieces.filter((piece) => !kept.has(piece));
      const cost = costOf(missing);
      if (cost > Math.max(left, roomMin)) return false;
      for (const piece of missing) {
        kept.add(piece);
        saidIn.set(wordsOf(piece), piece.passage);
        keptCharacters += piece.markdown.length;
      }
      left -= cost;
      return true;
    },
  };
}

const wordsOf = ({ terms }: WeighedPiece): string => terms.joined;

/** Whether a passage is short. A long one is not counted to its end. */
function isShort(pieces: readonly WeighedPiece[], sizeOf: (piece: WeighedPiece) => number): boolean {
  let tokens = 0;
  return pieces.every((piece) => {
    tokens += sizeOf(piece);
    return tokens <= SHORT_PASSAGE_TOKENS;
  });
}

/** The tokens of a piece, counted when they are first asked for. */
function createSizes(count: PackOptions["count"]): (piece: WeighedPiece) => number {
  const sizes = new Map<WeighedPiece, number>();
  return (piece) => {
    const size = sizes.get(piece) ?? count(piece.markdown) + PIECE_GAP_TOKENS;
    sizes.set(piece, size);
    return size;
  };
}

/** The previous and the next piece. */
const neighbours = ({ position }: WeighedPiece, pieces: readonly WeighedPiece[]): WeighedPiece[] =>
  [pieces[position - 1], pieces[position + 1]].filter((piece) => piece !== undefined);

/** A piece with the heading above it and the sentence that introduces it. */
function withLeads(piece: WeighedPiece, pieces: readonly WeighedPiece[]): WeighedPiece[] {
  const before = pieces.slice(0, piece.position);
  const heading = before.findLast(({ kind }) => kind === "heading");
  const lead = before.findLast(({ blockIndex }) => blockIndex !== piece.blockIndex);
  const introduces =
    lead?.kind === "paragraph" &&
    (piece.kind === "code" || (piece.kind !== "paragraph" && /[:：]\s*$/.test(lead.markdown)));
  return [...(heading ? [heading] : []), ...(introduces ? [lead] : []), piece];
}

/** The separator of two consecutive pieces of one block. */
const JOINTS: Partial<Record<Piece["kind"], string>> = {
  paragraph: " ",
  list: "\n",
  table: "\n",
  quote: "\n>\n",
  code: "\n\n",
};
/** The separator where something between them was left out. */
const GAPS: Partial<Record<Piece["kind"], string>> = {
  paragraph: " … ",
  list: "\n…\n",
  table: "\n| … |\n",
  quote: "\n> …\n",
  code: "\n\n…\n\n",
};

/** Pieces of one passage, in order, as Markdown that shows the gaps. */
function showPieces(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const closing = closingAfter(piece, pieces[index + 1]);
      return `${jointBefore(piece, pieces[index - 1])}${piece.markdown}${closing}`;
    })
    .join("");
}

function jointBefore(piece: Piece, before: Piece | undefined): string {
  const isSameBlock = before?.blockIndex === piece.blockIndex;
  const header =
    isSameBlock || piece.header === undefined || piece.header === piece.markdown ? "" : `${piece.header}\n`;
  if (before === undefined) return header;
  if (before.position === piece.position - 1) return (isSameBlock && JOINTS[piece.kind]) || `\n\n${header}`;
  return (isSameBlock && GAPS[piece.kind]) || `\n\n…\n\n${header}`;
}

/** The line that closes code of which parts are shown. */
function closingAfter({ kind, header, blockIndex }: Piece, next: Piece | undefined): string {
  if (kind !== "code" || header === undefined || next?.blockIndex === blockIndex) return "";
  return `\n${closingOf(header)}`;
}
