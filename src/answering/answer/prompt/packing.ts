import type { Piece, PieceReader, ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { type ChooseOptions, choosePieces } from "./choose-pieces.ts";
import { closingOf } from "./code-parts.ts";
import { readPlainPieces } from "./read-ahead.ts";
import { type Nearness, weighForModel } from "./weigh-for-model.ts";

export interface PackOptions extends ChooseOptions {
  question: string;
  /** BCP 47 tag of the passages' language. */
  language: string;
  /** Cuts the passages. One that remembers them saves most of the work. */
  readPieces?: PieceReader;
  /** How near pieces are to the question; by their words alone where it is missing. */
  nearness?: Nearness | undefined;
}

/** A passage as a prompt shows it. */
export interface PackedPassage extends NumberedPassage {
  isWhole: boolean;
  /** The words of the pieces that it shows. */
  said: readonly string[];
}

/** The share of the budget for whole sections where not all of them fit; the rest is for parts of the others. */
const WHOLE_SHARE = 0.7;

/**
 * Shows sections whole, the first ones first, as long as they fit: what answers may stand in any sentence. The others are
 * reduced to the sentences, items, rows and blocks of code that bear on the question, until the budget is used up. One of
 * which nothing is kept, or that says what another one says in the same words, is left out; all keep their number and order.
 */
export function packPassages(passages: readonly NumberedPassage[], options: PackOptions): PackedPassage[] {
  const { question, language, readPieces: read = readPlainPieces, nearness, tokens } = options;
  const piecesOf = passages.map(({ text }) => read(text, language));
  const wholes = passages.map((passage, index) => ({ ...passage, text: showPieces(piecesOf[index] ?? []) }));
  const whole = chooseWhole(wholes, piecesOf, options);
  const shownWhole = (passage: NumberedPassage, index: number) =>
    whole.kept.has(index) ? [{ ...passage, isWhole: true, said: wordsOf(piecesOf[index] ?? []) }] : [];
  if (whole.isAll) return wholes.flatMap(shownWhole);
  const weighed = weighForModel(question, passages, piecesOf, nearness).map((pieces, index) =>
    whole.kept.has(index) ? [] : pieces,
  );
  const rest = { ...options, tokens: tokens - whole.tokens, said: whole.said };
  const parts = choosePieces(passages, weighed, rest);
  return wholes.flatMap((passage, index) => {
    const pieces = (weighed[index] ?? []).filter((piece) => parts.has(piece));
    if (pieces.length === 0) return shownWhole(passage, index);
    const text = showPart(pieces, weighed[index] ?? []);
    return [{ ...passage, text, isWhole: false, said: wordsOf(pieces) }];
  });
}

/** What is shown whole. */
interface Whole {
  /** The passages, by their index. */
  kept: ReadonlySet<number>;
  /** Whether nothing is left that they do not say. */
  isAll: boolean;
  tokens: number;
  /** The words of their pieces, and of what was shown before. */
  said: ReadonlySet<string>;
}

function chooseWhole(
  wholes: readonly NumberedPassage[],
  piecesOf: readonly (readonly ReadPiece[])[],
  { tokens, count, show, said: before = new Set() }: ChooseOptions,
): Whole {
  const said = new Set(before);
  const told = wholes.map((passage, index) => {
    const words = wordsOf(piecesOf[index] ?? []);
    const isNew = words.some((each) => !said.has(each));
    for (const each of words) said.add(each);
    return { index, words, cost: isNew ? count(show(passage)) : 0 };
  });
  const fresh = told.filter(({ cost }) => cost > 0);
  const isAll = fresh.reduce((sum, { cost }) => sum + cost, 0) <= tokens;
  let left = isAll ? tokens : Math.floor(tokens * WHOLE_SHARE);
  const kept = fresh.filter(({ cost }) => {
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  return {
    kept: new Set(kept.map(({ index }) => index)),
    isAll,
    tokens: kept.reduce((sum, { cost }) => sum + cost, 0),
    said: new Set([...before, ...kept.flatMap(({ words }) => words)]),
  };
}

/** What pieces say, as far as words tell. Headings only announce it. */
export const wordsOf = (pieces: readonly ReadPiece[]): string[] =>
  pieces.filter(({ kind }) => kind !== "heading").map(({ terms }) => terms.joined);

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
export function showPieces(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const closing = closingAfter(piece, pieces[index + 1]);
      return `${jointBefore(piece, pieces[index - 1])}${piece.markdown}${closing}`;
    })
    .join("");
}

/** Some of a passage's pieces, with a mark where it begins earlier or goes on. */
export function showPart(pieces: readonly Piece[], all: readonly Piece[]): string {
  const begins = pieces[0]?.position === all[0]?.position;
  const ends = pieces.at(-1)?.position === all.at(-1)?.position;
  return `${begins ? "" : "…\n\n"}${showPieces(pieces)}${ends ? "" : "\n\n…"}`;
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
