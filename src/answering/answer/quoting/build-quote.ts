import { introduces, type ReadPiece } from "../pieces.ts";
import { isCodeAsText } from "./candidates.ts";
import { warningsOf } from "./counterexamples.ts";
import { isNameAlone, leansBack, saysSomething } from "./saying.ts";
import { whatFollows, withShortOutput } from "./symptoms.ts";
import type { Weighed } from "./weigh-candidates.ts";

/** Pieces of one passage that belong together: an answer, and what it needs to be understood. */
export interface Quote {
  /** The index of its passage. */
  passage: number;
  /** The pieces, by their position in the passage, in order. */
  positions: number[];
  characters: number;
  strength: number;
  /** The piece that it was built around. */
  core: Weighed;
}

/** A paragraph or callout this short is quoted whole: its sentences explain each other. */
const WHOLE_PARAGRAPH_CHARACTERS = 300;
const WHOLE_LIST_CHARACTERS = 420;
/** Steps are of use only together. */
const WHOLE_STEPS_CHARACTERS = 800;
const WHOLE_TABLE_CHARACTERS = 360;
const TABLE_ROWS_MAX = 4;
/** The share of the best item's strength that another one needs beside it. */
const BESIDE_STRENGTH = 0.85;
/** What says what goes wrong is quoted with what follows, up to here. */
const SYMPTOM_CHARACTERS = 620;
/** The least room for what follows output. */
const REMEDY_CHARACTERS = 420;
/** What a sentence introduces is quoted up to here. */
const INTRODUCED_CHARACTERS = 700;

/** A sentence of another paragraph is quoted before one that leans on it up to here. */
const LEAD_CHARACTERS = 200;

const IS_STEP = /^\s*\d{1,3}[.)]\s/;

/** The quote around a piece: whole where it is short, otherwise with what its words lean on. */
export function buildQuote(found: Weighed, strengths: ReadonlyMap<ReadPiece, number>): Quote {
  const core = withShortOutput(found);
  const positions = withNeeded(core, positionsAround(core, strengths));
  const { passage, around, strength } = core;
  return { passage, positions, strength, core, characters: charactersOf(positions, around) };
}

/** Positions in order, with those of the sentences without which a piece, or code among them, would be understood wrongly. */
export function withNeeded({ needed, around }: Weighed, positions: Iterable<number>): number[] {
  const own = [...positions];
  const warnings = own.flatMap((position) => {
    const piece = around[position];
    return piece?.kind === "code" ? warningsOf(piece, around) : [];
  });
  return [...new Set([...needed, ...own, ...warnings])].toSorted((a, b) => a - b);
}

export const charactersOf = (positions: readonly number[], around: readonly ReadPiece[]): number =>
  positions.reduce((sum, position) => sum + (around[position]?.markdown.length ?? 0) + 1, 0);

function positionsAround(core: Weighed, strengths: ReadonlyMap<ReadPiece, number>): Set<number> {
  const { piece, around } = core;
  const own = ownPositions(core, strengths);
  const last = Math.max(...own);
  const first = Math.min(...own);
  const lead = around[first - 1];
  if (piece.kind === "paragraph") {
    if (introduces(around[last], around)) for (const next of introduced(last, around)) own.add(next);
    if (isLeantOn(lead, around[first])) own.add(first - 1);
  } else if (
    lead?.kind === "paragraph" &&
    !isCodeAsText(lead, around) &&
    (needsLead(piece) || introduces(lead, around))
  ) {
    own.add(first - 1);
  }
  if (core.isSymptom) {
    const left = SYMPTOM_CHARACTERS - charactersOf([...own], around);
    const hasOutput = [...own].some((position) => around[position]?.kind === "code");
    const room = hasOutput ? Math.max(left, REMEDY_CHARACTERS) : left;
    for (const next of whatFollows(Math.max(...own), around, room)) own.add(next);
  }
  return own;
}

/** Whether a sentence begins with a word that stands for what the one before it says: in its paragraph, or in a short one above. */
export function isLeantOn(lead: ReadPiece | undefined, piece: ReadPiece | undefined): boolean {
  if (lead === undefined || piece === undefined || lead.kind !== "paragraph" || piece.kind !== "paragraph")
    return false;
  const isNear = lead.blockIndex === piece.blockIndex || lead.markdown.length <= LEAD_CHARACTERS;
  return isNear && leansBack(piece.markdown);
}

/** Code does not say what it is for, nor a name what it names. */
const needsLead = ({ kind, markdown }: ReadPiece): boolean =>
  kind === "code" || (kind === "list" && isNameAlone(markdown));

/** The positions of a piece's block that are quoted. */
function ownPositions(core: Weighed, strengths: ReadonlyMap<ReadPiece, number>): Set<number> {
  const { piece, around } = core;
  const block = around.filter(({ blockIndex }) => blockIndex === piece.blockIndex);
  const whole = new Set(block.map(({ position }) => position));
  const characters = charactersOf([...whole], around);
  if (characters <= wholeCharacters(piece)) return whole;
  if (piece.kind === "list" || piece.kind === "table") {
    const least = (strengths.get(piece) ?? 0) * BESIDE_STRENGTH;
    const strong = block
      .filter((other) => other === piece || (strengths.get(other) ?? 0) >= least)
      .toSorted((a, b) => (strengths.get(b) ?? 0) - (strengths.get(a) ?? 0))
      .slice(0, TABLE_ROWS_MAX);
    return fitting(piece, strong, around);
  }
  return new Set([piece.position]);
}

function wholeCharacters({ kind, markdown }: ReadPiece): number {
  if (kind === "list") return IS_STEP.test(markdown) ? WHOLE_STEPS_CHARACTERS : WHOLE_LIST_CHARACTERS;
  return kind === "table" ? WHOLE_TABLE_CHARACTERS : WHOLE_PARAGRAPH_CHARACTERS;
}

/** The piece, and the others in their order as long as they stay short together. */
function fitting(piece: ReadPiece, others: readonly ReadPiece[], around: readonly ReadPiece[]): Set<number> {
  const kept = new Set([piece.position]);
  for (const { position } of others) {
    if (charactersOf([...kept, position], around) <= WHOLE_LIST_CHARACTERS) kept.add(position);
  }
  return kept;
}

/** The list, code or table after a sentence that introduces it; its beginning where it is long. */
function introduced(position: number, around: readonly ReadPiece[]): number[] {
  const first = around[position + 1];
  if (first === undefined || first.kind === "heading" || first.kind === "paragraph") return [];
  if (!saysSomething(first)) return [];
  const block = around.filter(({ blockIndex }) => blockIndex === first.blockIndex);
  const kept: number[] = [];
  for (const piece of block) {
    if (charactersOf([...kept, piece.position], around) > INTRODUCED_CHARACTERS && kept.length > 0) break;
    kept.push(piece.position);
  }
  return charactersOf(kept, around) > 2 * INTRODUCED_CHARACTERS ? [] : kept;
}
