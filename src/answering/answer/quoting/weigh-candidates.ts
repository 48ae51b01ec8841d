import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import type { Asked } from "@docent/finding/search/search";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { cosine } from "@docent/kernel/vectors/quantize";
import { type ReadPiece, rarities } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import type { Candidate } from "./candidates.ts";
import { neededFor } from "./caveats.ts";
import { fitnessFor, namesIn } from "./fitness.ts";
import type { QuestionKind } from "./question-kind.ts";
import { isSymptom, pastesFailure } from "./symptoms.ts";
import { weighPieces } from "./weigh-words.ts";

/** A candidate with what speaks for it. */
export interface Weighed extends Candidate {
  /** Comparable between the candidates of one question. */
  strength: number;
  /** The share of the question's words, by their rarity, that it or a heading above it has. */
  covered: number;
  /** How near it is to the question in meaning, up to 1; undefined where that is not known. */
  nearness: number | undefined;
  /** For a comparison: the share of the words of each side that it or a heading above it has. */
  sides: number[];
  /** The positions of sentences around it without which it would be understood wrongly. */
  needed: number[];
  /** Whether it says what goes wrong, as the question does. */
  isSymptom: boolean;
}

interface WeighOptions {
  asked: Asked;
  /** The question as it was asked, with everything that was pasted into it. */
  question: string;
  kind: QuestionKind;
  passages: readonly NumberedPassage[];
  piecesOf: readonly (readonly ReadPiece[])[];
  /** Tells how near two texts are where no word is shared; undefined for words alone. */
  embedder: Embedder | undefined;
}

/** What nearness in meaning counts beside words, which count up to 1. */
const NEARNESS_SHARE = 0.7;
/** Search has ordered the passages: what each counts of the one before. */
const RANK_SHARE = 0.95;
/** The share of its strength that a candidate loses by having none of the question's words, in it or above it. */
const COVERED_SHARE = 0.3;
/** What a passage of another product than the one that is named counts. */
const OTHER_PRODUCT_SHARE = 0.7;
/** Who writes a name or a code wants what is said of that. */
const NAME_SHARE = 3;
/** Texts are read to here when they are compared by meaning. */
const NEARNESS_CHARACTERS = 600;

/** Weighs candidates by their words, their meaning, and whether they are of the kind that the question wants. */
export async function weighCandidates(
  candidates: readonly Candidate[],
  options: WeighOptions,
  signal: AbortSignal,
): Promise<Weighed[]> {
  const { asked, passages, piecesOf, embedder } = options;
  const byWords = weighPieces(asked, passages, piecesOf);
  const nearness = await nearnessOf(asked.near, candidates, embedder, signal);
  const best = Math.max(...passages.map(({ relevance }) => relevance), Number.MIN_VALUE);
  const sides = termsOfSides(options.kind);
  const fitness = fitnessFor(options.kind, asked.asking, passages);
  const rarity = rarities(
    analyzeQuestion(asked.near),
    piecesOf.flat().map(({ terms }) => terms),
    new Map([...(asked.shares ?? []), ...sharesOfNames(asked.near)]),
  );
  const isTrouble = options.kind.trouble || pastesFailure(options.question);
  const told = new Set(isTrouble ? analyze(options.question) : []);
  const isOther = ofOtherProduct(passages, options.question);
  const worthOf = (candidate: Candidate, covered: number) =>
    fitness(candidate) *
    bothSides(candidate, sides) *
    RANK_SHARE ** candidate.passage *
    (isOther[candidate.passage] ? OTHER_PRODUCT_SHARE : 1) *
    (1 - COVERED_SHARE + COVERED_SHARE * covered);
  return candidates.map((candidate, index) => {
    const { passage, piece } = candidate;
    const words = byWords[passage]?.[piece.position]?.strength ?? 0;
    const trust = (passages[passage]?.relevance ?? 0) / best;
    const near = NEARNESS_SHARE * Math.max(0, nearness[index] ?? 0) * trust ** 0.5;
    const covered = coveredBy(candidate, rarity);
    return {
      ...candidate,
      strength: (words + near) * worthOf(candidate, covered),
      covered,
      nearness: nearness[index],
      sides: sides.map((terms) => shareOf(terms, candidate)),
      needed: neededFor(candidate, options.kind, rarity),
      isSymptom: isTrouble && isSymptom(candidate, told),
    };
  });
}

/** What the names and codes of a question count beside its other words. */
export const sharesOfNames = (question: string): Map<string, number> =>
  new Map(namesIn(question).map((name) => [name, NAME_SHARE]));

/** The words of each side of a comparison that the other side has not. */
function termsOfSides({ sides = ["", ""] }: QuestionKind): string[][] {
  const [one, other] = sides.map((side) => new Set(analyze(side)));
  if (one === undefined || other === undefined || one.size === 0) return [];
  return [[...one.difference(other)], [...other.difference(one)]];
}

/** What a candidate that has both sides of a comparison counts more. */
const BOTH_SIDES = 1.15;

const bothSides = (candidate: Candidate, sides: readonly string[][]): number =>
  sides.length > 0 && sides.every((terms) => shareOf(terms, candidate) === 1) ? BOTH_SIDES : 1;

const shareOf = (terms: readonly string[], { piece, headingTerms }: Candidate): number =>
  terms.length === 0
    ? 1
    : terms.filter((term) => piece.terms.has(term) || headingTerms.has(term)).length / terms.length;

function coveredBy({ piece, headingTerms }: Candidate, rarity: ReadonlyMap<string, number>): number {
  let covered = 0;
  for (const [term, weight] of rarity) if (piece.terms.has(term) || headingTerms.has(term)) covered += weight;
  return covered;
}

async function nearnessOf(
  question: string,
  candidates: readonly Candidate[],
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<(number | undefined)[]> {
  if (embedder === undefined) return [];
  const texts = candidates.map(({ piece }) => piece.markdown.slice(0, NEARNESS_CHARACTERS));
  const [asked] = await embedder.embed([question], "question", signal);
  if (asked === undefined) return [];
  const vectors = await embedder.embed(texts, "passage", signal);
  return vectors.map((vector) => vector && cosine(asked, vector));
}

/**
 * For each passage, whether it is of another product than the one that the question names: of a site that has the docs of
 * `server/` and `cli/`, or of `v1/` and `v2/`, where the question names one of the two.
 */
function ofOtherProduct(passages: readonly Pick<NumberedPassage, "path">[], question: string): boolean[] {
  const folders = withoutCommon(passages.map(({ path = "" }) => path.split("/").slice(0, -1)));
  const asked = new Set(analyzeQuestion(question));
  const isNamed = (folder: string) => {
    const terms = analyze(folder.replace(/[_.-]+/g, " "));
    return terms.length > 0 && terms.every((term) => asked.has(term));
  };
  const named = new Set(folders.filter((folder) => folder !== undefined && isNamed(folder)));
  return folders.map((folder) => named.size === 1 && folder !== undefined && !named.has(folder));
}

/** The first folder of each path that is not the same for all; undefined where there is none. */
function withoutCommon(paths: readonly string[][]): (string | undefined)[] {
  const [first = []] = paths;
  const depth = first.findIndex((folder, index) => paths.some((path) => path[index] !== folder));
  return paths.map((path) => path[depth < 0 ? first.length : depth]);
}
