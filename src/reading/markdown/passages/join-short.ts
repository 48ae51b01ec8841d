import type { Section } from "../md/md.ts";
import type { PassageSizes } from "./passages.ts";
import { tokenWeight } from "./tokens.ts";

/** A part of one section that fits into a passage. */
export interface SectionPiece {
  section: Section;
  /**
   * Headings between the previous piece and this one, the section's own last; empty where a section
   * continues.
   */
  headings: Section[];
  markdown: string;
}

/** Pieces that form one passage. */
export interface Group {
  /** The heading that all of them stand under, or the first of several siblings. */
  top: Section;
  pieces: SectionPiece[];
  /** The estimated tokens of its Markdown. */
  weight: number;
}

/**
 * Joins pieces that are too short with neighbours under the same parent heading: short ones with each other,
 * then any short rest with its lighter neighbour. Nothing grows beyond `maxTokens`, and the anchor of a
 * group's `top` leads to the start of all of it.
 */
export function joinShort(pieces: SectionPiece[], sizes: PassageSizes): Group[] {
  const single = pieces.map((piece) => ({
    top: piece.section,
    pieces: [piece],
    weight: tokenWeight(piece.markdown),
  }));
  return joinToNeighbours(joinRuns(single, sizes), sizes);
}

/** The headings written out before a piece of a group: all but the group's own. */
export function headingsInside(group: Group, piece: SectionPiece): Section[] {
  return piece.headings.slice(piece.headings.indexOf(group.top) + 1);
}

/** The line of a heading inside a passage. */
export function headingLine({ level, headingSource }: Section): string {
  return `${"#".repeat(level)} ${headingSource}`;
}

function joinRuns(groups: Group[], sizes: PassageSizes): Group[] {
  const joined: Group[] = [];
  for (const group of groups) {
    const before = joined.at(-1);
    const short = before !== undefined && before.weight < sizes.minTokens && group.weight < sizes.minTokens;
    const whole = short ? together(before, group, sizes) : undefined;
    if (whole) joined[joined.length - 1] = whole;
    else joined.push(group);
  }
  return joined;
}

function joinToNeighbours(groups: Group[], sizes: PassageSizes): Group[] {
  const joined: Group[] = [];
  let carried: Group | undefined;
  for (const [index, next] of groups.entries()) {
    const group = carried ?? next;
    carried = undefined;
    const short = group.weight < sizes.minTokens;
    const before = short ? joined.at(-1) : undefined;
    const after = short ? groups[index + 1] : undefined;
    const back = before && together(before, group, sizes);
    const on = after && together(group, after, sizes);
    if (on && !(back && back.weight < on.weight)) carried = on;
    else if (back) joined[joined.length - 1] = back;
    else joined.push(group);
  }
  return joined;
}

/**
 * Joins two neighbours, unless the group would be too large or a heading above both would stand between them.
 */
function together(group: Group, next: Group, { maxTokens }: PassageSizes): Group | undefined {
  const passed = next.pieces[0]?.headings ?? [];
  const top = topFor(group, passed);
  if (top === undefined) return undefined;
  const inside = top === group.top ? passed : [...headingsBelow(group, top), ...passed];
  const lines = inside.map((section) => `${headingLine(section)}\n\n`);
  const weight = group.weight + next.weight + tokenWeight(`\n\n${lines.join("")}`);
  return weight > maxTokens ? undefined : { top, pieces: [...group.pieces, ...next.pieces], weight };
}

/**
 * Moves a group's top up over headings without words of their own: where `## Inputs` contains nothing but
 * `### None`, it is Inputs that stands beside `## Outputs`.
 */
function topFor({ top, pieces }: Group, passed: Section[]): Section | undefined {
  const level = passed.reduce((least, section) => Math.min(least, section.level), top.level);
  if (level >= top.level) return top;
  let below = top.level;
  for (const section of (pieces[0]?.headings ?? []).toReversed()) {
    if (section.level >= below) continue;
    if (section.level <= level) return section;
    below = section.level;
  }
  return undefined;
}

function headingsBelow({ top, pieces }: Group, newTop: Section): Section[] {
  const headings = pieces[0]?.headings ?? [];
  return headings.slice(headings.indexOf(newTop) + 1, headings.indexOf(top) + 1);
}
