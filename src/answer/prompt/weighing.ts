import { analyze, analyzeQuestion } from "../../search/analyze.ts";
import { type Piece, rarities } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";

/** A piece of one of the passages, and how much it bears on the question. */
export interface WeighedPiece extends Piece {
  /** The place of its passage among the passages. */
  passage: number;
  /** Comparable between the pieces of one question. */
  strength: number;
}

// Measured on questions whose answers are known, word for word (scripts/bench/measure-packing.ts). Nothing much changes
// when one of them is a third more or less.
/** The share that counts of a word's weight where it stands in the heading above and not in the piece. */
const HEADING_SHARE = 0.5;
/** The share that counts where it stands there in another form: languages inflect, and only English is stemmed. */
const FORM_SHARE = 0.5;
/**
 * The share of its strength that each neighbour lends: an answer is often the sentence after the one with the
 * question's words.
 */
const LENT = [
  { distance: -1, share: 0.35 },
  { distance: 1, share: 0.3 },
  { distance: -2, share: 0.15 },
  { distance: 2, share: 0.15 },
];
/**
 * The strength that every piece has: in the best passages, what shares no word with the question may still answer it.
 */
const GROUND = 0.25;
/**
 * The power of a passage's relevance: the passages are in its order already, so that differences count only in part.
 */
const RELEVANCE_POWER = 0.4;
const RANK_SHARE = 0.96;
/** Code is explained by the sentence before it, and seldom says the question's words itself. */
const CODE_SHARE = 0.95;
const FORM_CHARACTERS_MIN = 5;

/** Weighs every piece: by the question's rare words in it and around it, and by how relevant its passage is. */
export function weighPieces(
  question: string,
  passages: readonly NumberedPassage[],
  piecesOf: readonly (readonly Piece[])[],
): WeighedPiece[][] {
  const wanted = analyzeQuestion(question);
  const terms = piecesOf.map((pieces) => pieces.map(({ markdown }) => new Set(analyze(markdown))));
  const rarity = rarities(wanted, terms.flat());
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
      strength: worth * (GROUND + withLent(own, index)),
    }));
  });
}

function ownStrengths(
  pieces: readonly Piece[],
  terms: readonly ReadonlySet<string>[],
  above: ReadonlySet<string>,
  rarity: ReadonlyMap<string, number>,
  forms: ReadonlyMap<string, readonly string[]>,
): number[] {
  const own: number[] = [];
  let heading = above;
  for (const [index, { kind }] of pieces.entries()) {
    const here = terms[index] ?? new Set();
    // A heading is read with what stands below it, and says nothing alone.
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

/** Words of the passages that begin like a word of the question, and are about as long. */
function formsOf(wanted: readonly string[], pieces: readonly ReadonlySet<string>[]): Map<string, string[]> {
  const long = wanted.filter((term) => term.length >= FORM_CHARACTERS_MIN && /^\p{L}+$/u.test(term));
  if (long.length === 0) return new Map();
  const there = [...new Set(pieces.flatMap((terms) => [...terms]))].filter((term) =>
    /^[\p{L}\p{M}]{4,}$/u.test(term),
  );
  return new Map(long.map((term) => [term, there.filter((other) => isFormOf(term, other))]));
}

function isFormOf(term: string, other: string): boolean {
  const shared = Math.max(4, Math.ceil(0.7 * Math.max(term.length, other.length)));
  return other.length >= shared && term.slice(0, shared) === other.slice(0, shared);
}
