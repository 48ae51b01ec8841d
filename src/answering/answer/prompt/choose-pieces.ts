import { introduces } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import type { CountTokens } from "./fitting.ts";
import type { WeighedPiece } from "./weigh-for-model.ts";

export interface ChooseOptions {
  /** The budget for everything kept, titles included. */
  tokens: number;
  /** The budget for the best piece where it exceeds the other one by itself. */
  bestPieceTokensMax: number;
  count: CountTokens;
  /** Writes a passage as the model sees it. */
  show: (passage: NumberedPassage) => string;
  /** The words of pieces that are shown already. */
  said?: ReadonlySet<string>;
}

/** A piece this short between two kept ones is kept too. */
const SHORT_GAP_TOKENS = 30;
/** The white space before a piece, and the mark of a gap. */
const PIECE_GAP_TOKENS = 3;
/** The same, with the marks before the first piece and behind the last. */
const PASSAGE_GAP_TOKENS = 9;

/** Chooses the pieces that bear most on the question, until the budget is used up. */
export function choosePieces(
  passages: readonly NumberedPassage[],
  weighed: readonly WeighedPiece[][],
  options: ChooseOptions,
): ReadonlySet<WeighedPiece> {
  const basket = openBasket(passages, weighed, options);
  const { kept, keep, isSaid, sizeOf } = basket;
  const ranked = weighed
    .flat()
    .filter(({ kind }) => kind !== "heading")
    .toSorted((a, b) => b.strength - a.strength);
  const [best] = ranked;
  for (const piece of ranked) {
    if (kept.has(piece) || isSaid(piece)) continue;
    const around = weighed[piece.passage] ?? [];
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
  sizeOf(piece: WeighedPiece): number;
  /** Whether what is kept of another passage has the same words: pages repeat, and so do versions of them. */
  isSaid(piece: WeighedPiece): boolean;
  /** Keeps pieces of one passage together, or none of them; `roomMin` tokens may be taken beyond the budget. */
  keep(pieces: readonly WeighedPiece[], roomMin?: number): boolean;
}

function openBasket(
  passages: readonly NumberedPassage[],
  weighed: readonly WeighedPiece[][],
  { tokens, count, show, said = new Set() }: ChooseOptions,
): Basket {
  const kept = new Set<WeighedPiece>();
  const sizeOf = createSizes(count);
  const saidIn = new Map<string, number>();
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
      (here.length > 0 ? 0 : count(show({ ...passage, text: "" })) + PASSAGE_GAP_TOKENS) +
      (hasHeader ? 0 : count(header) + PIECE_GAP_TOKENS)
    );
  }

  return {
    kept,
    sizeOf,
    isSaid: ({ terms, passage }) =>
      said.has(terms.joined) || (saidIn.get(terms.joined) ?? passage) !== passage,
    keep(pieces, roomMin = 0) {
      const missing = pieces.filter((piece) => !kept.has(piece));
      const cost = costOf(missing);
      if (cost > Math.max(left, roomMin)) return false;
      for (const piece of missing) {
        kept.add(piece);
        saidIn.set(piece.terms.joined, piece.passage);
      }
      left -= cost;
      return true;
    },
  };
}

/** The tokens of a piece, counted when they are first asked for. */
function createSizes(count: CountTokens): (piece: WeighedPiece) => number {
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

/** A piece with the heading above it, the sentence that introduces it, and what it introduces itself. */
function withLeads(piece: WeighedPiece, pieces: readonly WeighedPiece[]): WeighedPiece[] {
  const before = pieces.slice(0, piece.position);
  const heading = before.findLast(({ kind }) => kind === "heading");
  const lead = before.findLast(({ blockIndex }) => blockIndex !== piece.blockIndex);
  const isLed =
    lead?.kind === "paragraph" &&
    (piece.kind === "code" || (piece.kind !== "paragraph" && introduces(lead, pieces)));
  const next = pieces[piece.position + 1];
  const leads = piece.kind !== "code" && next?.kind !== "heading" && introduces(piece, pieces);
  const all = [heading, isLed ? lead : undefined, piece, leads ? next : undefined];
  return all.filter((each) => each !== undefined);
}
