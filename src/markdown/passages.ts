import type { Block } from "./blocks.ts";
import { dropComments } from "./comments.ts";
import { cutBlock } from "./cut-block.ts";
import { type Definitions, definitionsUsedIn } from "./definitions.ts";
import { directiveTitle } from "./directives.ts";
import { readText } from "./plain-text.ts";
import type { Outline, Section } from "./sections.ts";
import { estimateTokens, tokenWeight } from "./tokens.ts";

/** A heading's worth of a page: what is searched, quoted and cited. */
export interface Passage {
  /** From 0, in the order of the page. */
  position: number;
  /** Plain words of the headings above, the nearest last; empty before the first heading. */
  headingPath: string[];
  /** Anchor of the nearest heading, "" before the first. */
  anchor: string;
  markdown: string;
  /** Plain words of the passage alone, for search. */
  text: string;
  /** Lower-case names, in order, each once. */
  codeLanguages: string[];
  tokensEstimated: number;
}

/** How large passages become, in estimated tokens of their Markdown. */
export interface PassageSizes {
  /** A last piece smaller than this joins the one before it. */
  minTokens: number;
  /** What a section is cut at. */
  maxTokens: number;
  /** What no passage exceeds. Up to it, a code block is kept whole and a small last piece is joined. */
  hardMaxTokens: number;
}

export const DEFAULT_PASSAGE_SIZES: PassageSizes = { minTokens: 100, maxTokens: 500, hardMaxTokens: 800 };

/** Room for the targets of reference links that a passage uses. */
const DEFINITIONS_SHARE = 0.15;

/** Cuts a page into passages. None spans two headings, so each is cited at the heading that it stands under. */
export function cutPassages(outline: Outline, sizes: PassageSizes = DEFAULT_PASSAGE_SIZES): Passage[] {
  const passages: Passage[] = [];
  for (const section of outline.sections) {
    for (const markdown of cutSection(section, sizes)) {
      const passage = toPassage(section, markdown, outline.definitions, sizes);
      if (passage) passages.push({ ...passage, position: passages.length });
    }
  }
  return passages;
}

function toPassage(
  section: Section,
  markdown: string,
  definitions: Definitions,
  sizes: PassageSizes,
): Passage | undefined {
  const whole = withDefinitions(markdown, definitions, sizes.hardMaxTokens);
  const { text, codeLanguages } = readText(whole);
  if (text.trim() === "") return undefined;
  const { headingPath, anchor } = section;
  return {
    position: 0,
    headingPath,
    anchor,
    markdown: whole,
    text,
    codeLanguages,
    tokensEstimated: estimateTokens(whole),
  };
}

function withDefinitions(markdown: string, definitions: Definitions, hardMaxTokens: number): string {
  const lines: string[] = [];
  let room = Math.min(hardMaxTokens * DEFINITIONS_SHARE, hardMaxTokens - 1 - tokenWeight(`${markdown}\n`));
  for (const line of definitionsUsedIn(markdown, definitions)) {
    const weight = tokenWeight(`${line}\n`);
    if (weight > room) continue;
    room -= weight;
    lines.push(line);
  }
  return lines.length === 0 ? markdown : `${markdown}\n\n${lines.join("\n")}`;
}

function cutSection(section: Section, sizes: PassageSizes): string[] {
  const units = section.blocks.flatMap((block) => unitsOf(block, sizes));
  const total = units.reduce((sum, unit) => sum + tokenWeight(unit) + JOIN_WEIGHT, 0);
  if (total <= sizes.maxTokens) return units.length === 0 ? [] : [units.join("\n\n")];
  // Pieces of about the same size are better than full ones and a remainder.
  const even = total / Math.ceil(total / sizes.maxTokens);
  return joinRemainder(gather(units, even, sizes), sizes).map((piece) => piece.join("\n\n"));
}

const JOIN_WEIGHT = tokenWeight("\n\n");

/** What a block puts into passages: nothing, itself, or pieces of it. */
function unitsOf(block: Block, sizes: PassageSizes): string[] {
  if (block.kind === "comment" || block.kind === "definition" || block.kind === "rule") return [];
  if (block.kind === "directive") return directiveTitle(block.text);
  const text = block.kind === "code" ? block.text : dropComments(block.text).trimEnd();
  if (text.trim() === "") return [];
  const weight = tokenWeight(text);
  const limit = block.kind === "code" ? sizes.hardMaxTokens : sizes.maxTokens;
  if (weight + JOIN_WEIGHT <= limit) return [text];
  // Equal shares with some room over: fences and headers are repeated, and what does not fit would be left for the end.
  const share = weight / Math.ceil(weight / (sizes.maxTokens * 0.9));
  const pieces = cutBlock({ ...block, text }, share * 1.06);
  return pieces.filter((piece) => piece.trim() !== "");
}

function gather(units: string[], even: number, sizes: PassageSizes): string[][] {
  const pieces: string[][] = [];
  let current: string[] = [];
  let weight = 0;
  for (const unit of units) {
    const more = tokenWeight(unit) + JOIN_WEIGHT;
    // A few words before a large code block are what the block is about.
    const limit = weight < sizes.minTokens ? sizes.hardMaxTokens : sizes.maxTokens;
    const full = weight >= even && !announcesNext(current.at(-1));
    if (current.length > 0 && (full || weight + more > limit)) {
      pieces.push(current);
      current = [];
      weight = 0;
    }
    current.push(unit);
    weight += more;
  }
  if (current.length > 0) pieces.push(current);
  return pieces;
}

function announcesNext(unit: string | undefined): boolean {
  return unit !== undefined && /[:：]$/.test(unit.trimEnd());
}

function joinRemainder(pieces: string[][], sizes: PassageSizes): string[][] {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (last === undefined || before === undefined) return pieces;
  const weightOf = (piece: string[]) => piece.reduce((sum, unit) => sum + tokenWeight(unit) + JOIN_WEIGHT, 0);
  const small = weightOf(last) < sizes.minTokens && weightOf(before) + weightOf(last) <= sizes.hardMaxTokens;
  return small ? [...pieces.slice(0, -2), [...before, ...last]] : pieces;
}
