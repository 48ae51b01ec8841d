import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import type { Words } from "@docent/finding/search/joined-words";
import { type Piece, type ReadPiece, rarities } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { formsOf } from "../word-forms.ts";

/** A piece of a passage, weighted by how much it bears on the question. */
export interface WeighedPiece extends ReadPiece {
  /** The index of its passage. */
  passage: number;
  /** Comparable between the pieces of one question. */
  strength: number;
}

/** How near each piece of a passage is to the question in meaning: a cosine, or undefined where it is not known. */
export type Nearness = (pieces: readonly ReadPiece[]) => readonly (number | undefined)[] | undefined;

// The shares were chosen on questions with known answers, each set's figures with shares from the others; the ranks' and
// the best piece's while looking at two of the sets (scripts/bench/measure-packing.ts).

// The share of a word's weight that counts, by where the word stands. Each word counts once, where it counts most.
/** In another form: languages inflect, and only English is stemmed. */
const FORM_SHARE = 0.9;
const TABLE_HEADER_SHARE = 1;
const HEADING_SHARE = 0.8;
const TITLE_SHARE = 0.8;
/** Beside the piece: an answer is often the sentence after the one with the question's words. */
const BESIDE = [
  { distance: -1, share: 0.45 },
  { distance: 1, share: 0.3 },
  { distance: -2, share: 0.2 },
];
/** Kinds of which one piece says nothing of the next one: each row and each item is of something else. */
const SEPARATE: ReadonlySet<Piece["kind"]> = new Set(["table", "list"]);

/** The strength of every piece: in the best passages, one without the question's words may still answer it. */
const BASE_STRENGTH = 0.3;
/** What the best piece of a passage lends to the others: they are likely about the question too. */
const BEST_SHARE = 0.4;
const NEARNESS_SHARE = 0.2;
const NEARNESS_BESIDE_SHARE = 0.1;
const NEARNESS_BEST_SHARE = 0.25;
/** Any two texts on one subject are this near each other. */
const NEARNESS_MIN = 0.15;
/** The exponent of a passage's relevance. The order of the passages says more. */
const RELEVANCE_POWER = 0.1;
/** What is left of the worth at each passage, and at each page: an answer that spans passages is on one page. */
const PASSAGE_RANK_SHARE = 0.98;
const PAGE_RANK_SHARE = 0.8;

/** The question's words, and where they stand. */
interface Wanted {
  rarity: ReadonlyMap<string, number>;
  forms: ReadonlyMap<string, readonly string[]>;
}

/**
 * Weighs every piece by the question's rare words in it and around it, by its nearness in meaning, and by the rank of
 * its passage. A model is to have all that may answer, where a quote is to be what answers best.
 */
export function weighForModel(
  question: string,
  passages: readonly NumberedPassage[],
  piecesOf: readonly (readonly ReadPiece[])[],
  nearness: Nearness = () => undefined,
): WeighedPiece[][] {
  const terms = piecesOf.flatMap((pieces) => pieces.map((piece) => piece.terms));
  const asked = analyzeQuestion(question);
  const forms = formsOf(asked, terms);
  // A word that stands nowhere tells no pieces apart.
  const there = asked.filter((term) => forms.get(term)?.length || terms.some((words) => words.has(term)));
  const wanted = { rarity: rarities(there, terms), forms };
  const worths = worthsOf(passages);
  const cosines = piecesOf.map((pieces) => nearness(pieces) ?? []);
  const known = cosines.flat().filter((value) => value !== undefined);
  const usual = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return piecesOf.map((pieces, passage) => {
    const { title, headings } = passages[passage] ?? { title: "", headings: [] };
    const worth = worths[passage] ?? 0;
    const byWords = wordStrengths(pieces, analyze([title, ...headings].join("\n")), wanted);
    const byMeaning = meaningStrengths(pieces, cosines[passage] ?? [], usual);
    const bestHere = BEST_SHARE * Math.max(0, ...byWords);
    return pieces.map((piece, index) => ({
      ...piece,
      passage,
      strength: worth * (BASE_STRENGTH + bestHere + (byWords[index] ?? 0) + (byMeaning[index] ?? 0)),
    }));
  });
}

/** What each passage is worth: the first ones most, and those of the first pages. */
function worthsOf(passages: readonly NumberedPassage[]): number[] {
  const best = Math.max(...passages.map(({ relevance }) => relevance), Number.MIN_VALUE);
  const pages = [...new Set(passages.map(pageOf))];
  return passages.map((passage, index) => {
    const relevance = (Math.max(passage.relevance, 0) / best) ** RELEVANCE_POWER;
    const page = pages.indexOf(pageOf(passage));
    return relevance * PASSAGE_RANK_SHARE ** index * PAGE_RANK_SHARE ** page;
  });
}

const pageOf = ({ url }: NumberedPassage): string => url.split("#", 1)[0] ?? "";

/** From 0 to 1: the share of the question's words, by weight, that stand in a piece or near it. */
function wordStrengths(
  pieces: readonly ReadPiece[],
  placeTerms: readonly string[],
  { rarity, forms }: Wanted,
): number[] {
  const title = new Set(placeTerms);
  const strengths = new Array<number>(pieces.length).fill(0);
  const headings = headingTerms(pieces);
  const headers = pieces.map(({ header }, index) =>
    header === undefined || header === pieces[index - 1]?.header ? undefined : new Set(analyze(header)),
  );
  for (const [term, weight] of rarity) {
    const others = forms.get(term) ?? [];
    const within = pieces.map(({ kind, terms }) => {
      if (kind === "heading") return 0;
      if (terms.has(term)) return 1;
      return others.some((form) => terms.has(form)) ? FORM_SHARE : 0;
    });
    const inTitle = title.has(term) ? TITLE_SHARE : 0;
    let header: ReadonlySet<string> | undefined;
    for (const [index, piece] of pieces.entries()) {
      header = piece.header === undefined ? undefined : (headers[index] ?? header);
      if (piece.kind === "heading") continue;
      const credit = Math.max(
        within[index] ?? 0,
        inTitle,
        header?.has(term) ? TABLE_HEADER_SHARE : 0,
        headings[index]?.has(term) ? HEADING_SHARE : 0,
        besideOf(pieces, within, index),
      );
      strengths[index] = (strengths[index] ?? 0) + weight * credit;
    }
  }
  return strengths;
}

/** The words of the heading in the passage below which each piece stands. */
function headingTerms(pieces: readonly ReadPiece[]): (Words | undefined)[] {
  let heading: Words | undefined;
  return pieces.map(({ kind, terms }) => {
    if (kind === "heading") heading = terms;
    return heading;
  });
}

/** The share in which a word beside a piece counts for the piece. */
function besideOf(pieces: readonly ReadPiece[], within: readonly number[], index: number): number {
  const here = pieces[index];
  let most = 0;
  for (const { distance, share } of BESIDE) {
    const other = pieces[index + distance];
    if (here === undefined || other === undefined) continue;
    if (SEPARATE.has(here.kind) && other.blockIndex === here.blockIndex) continue;
    most = Math.max(most, share * (within[index + distance] ?? 0));
  }
  return most;
}

/**
 * What a piece's meaning adds, and that of those around it. One without a meaning of its own, such as a row of numbers,
 * is taken to be like the others.
 */
function meaningStrengths(
  pieces: readonly Piece[],
  cosines: readonly (number | undefined)[],
  usual: number,
): number[] {
  const near = pieces.map(({ kind }, index) =>
    kind === "heading" ? 0 : Math.max(0, (cosines[index] ?? usual) - NEARNESS_MIN),
  );
  const best = NEARNESS_BEST_SHARE * Math.max(0, ...near);
  return near.map(
    (value, index) =>
      best +
      NEARNESS_SHARE * value +
      NEARNESS_BESIDE_SHARE * ((near[index - 1] ?? 0) + (near[index + 1] ?? 0)),
  );
}
