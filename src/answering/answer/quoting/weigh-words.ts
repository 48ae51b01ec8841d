import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import type { Words } from "@docent/finding/search/joined-words";
import type { Asked } from "@docent/finding/search/search";
import { type Piece, type ReadPiece, rarities } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { formsOf } from "../word-forms.ts";

/** A piece of a passage, weighted by how much it bears on the question. */
interface WeighedPiece extends Piece {
  /** The index of its passage. */
  passage: number;
  /** Comparable between the pieces of one question. */
  strength: number;
}

// The constants were chosen on questions with known answers, for what a model reads; quotes gain nothing by others.
/** The share of a word's weight that counts where it stands only in the heading above the piece. */
const HEADING_SHARE = 0.5;
/** The share that counts for another form of the word: here the endings of few languages are cut. */
const FORM_SHARE = 0.5;
/**
 * The share of strength that each neighbour lends: an answer is often the sentence after the one with the
 * question's words.
 */
const LENT = [
  { distance: -1, share: 0.35 },
  { distance: 1, share: 0.3 },
  { distance: -2, share: 0.15 },
  { distance: 2, share: 0.15 },
];
/**
 * The base strength of every piece: in the best passages, a piece without the question's words may still
 * answer it.
 */
const BASE_STRENGTH = 0.25;
/**
 * The exponent of a passage's relevance: the passages are ordered by it already, so differences count only in
 * part.
 */
const RELEVANCE_POWER = 0.4;
const RANK_SHARE = 0.96;
/** Code is explained by the sentence before it, and seldom contains the question's words itself. */
const CODE_SHARE = 0.95;

/** Weighs every piece by the question's rare words in and around it, and by its passage's relevance. */
export function weighPieces(
  { text, shares }: Pick<Asked, "text" | "shares">,
  passages: readonly NumberedPassage[],
  piecesOf: readonly (readonly ReadPiece[])[],
): WeighedPiece[][] {
  const wanted = analyzeQuestion(text);
  const terms = piecesOf.map((pieces) => pieces.map((piece) => piece.terms));
  const rarity = rarities(wanted, terms.flat(), shares);
  const forms = formsOf(wanted, terms.flat());
  const best = Math.max(...passages.map(({ relevance }) => relevance), Number.MIN_VALUE);
  return piecesOf.map((pieces, passage) => {
    const { title, headings, relevance } = passages[passage] ?? { title: "", headings: [], relevance: 0 };
    const above = new Set(analyze([title, ...headings].join("\n")));
    const own = ownStrengths(pieces, terms[passage] ?? [], above, rarity, forms);
    const worth = (Math.max(relevance, 0) / best) ** RELEVANCE_POWER * RANK_SHARE ** passage;
    return pieces.map((piece, index) => ({
      ...piece,
      passage,
      strength: worth * (BASE_STRENGTH + withLent(own, index)),
    }));
  });
}

function ownStrengths(
  pieces: readonly Piece[],
  terms: readonly Words[],
  above: ReadonlySet<string>,
  rarity: ReadonlyMap<string, number>,
  forms: ReadonlyMap<string, readonly string[]>,
): number[] {
  const own: number[] = [];
  let heading = above;
  for (const [index, { kind }] of pieces.entries()) {
    const here = terms[index] ?? new Set<string>();
    // A heading counts for what stands below it, and nothing by itself.
    if (kind === "heading") heading = new Set([...above, ...here]);
    let strength = 0;
    for (const [term, weight] of kind === "heading" ? [] : rarity) {
      if (here.has(term)) strength += weight;
      else if (forms.get(term)?.some((form) => here.has(form))) strength += weight * FORM_SHARE;
      else if (heading.has(term)) strength += weight * HEADING_SHARE;
    }
    own.push(kind === "code" ? Math.max(strength, (own[index - 1] ?? 0) * CODE_SHARE) : strength);
  }
  return own;
}

const withLent = (own: readonly number[], index: number): number =>
  LENT.reduce((sum, { distance, share }) => sum + share * (own[index + distance] ?? 0), own[index] ?? 0);
