import { type RstNames, writeRstInline } from "./inline.ts";
import { docutilsId } from "./titles.ts";

/** `.. name:: argument`, its `:options:`, and the lines under them. */
export interface RstDirective {
  name: string;
  argument: string;
  options: Map<string, string>;
  content: string[];
}

/** State that the writers of reStructuredText share while they write one page. */
export interface RstWriting {
  names: RstNames;
  /** Adornments of titles in the order in which they came: the place in it is the level. */
  adornments: string[];
  /** Level of the heading that was written last. */
  headingLevel: number;
  /** Label that stands before what comes next. */
  label: string | undefined;
  /** Anchors that were given to headings. */
  anchors: Set<string>;
  /** Language of code blocks that do not say theirs. */
  codeLanguage: string;
  /** Python's module that the functions described are in. */
  module: string;
  /** Writes lines without common indentation as blocks, at the end of a list of them. */
  body(lines: readonly string[], depth: number, out: string[]): void;
}

/** Writes a heading. Its anchor is its label, else what docutils would make of its words. */
export function pushHeading(
  out: string[],
  level: number,
  words: string,
  writing: RstWriting,
  id?: string,
): void {
  const line = words.replace(/#+$/, (marks) => `\\${marks}`);
  const wanted = writing.label ?? id ?? docutilsId(words.replace(/[`*\\]/g, ""));
  writing.label = undefined;
  writing.headingLevel = level;
  // A repeated title gets a number from docutils that depends on the whole page.
  const anchor = wanted === "" || writing.anchors.has(wanted) || /[\s{}]/.test(wanted) ? "" : ` {#${wanted}}`;
  writing.anchors.add(wanted);
  out.push(`${"#".repeat(Math.min(6, level))} ${line}${anchor}`);
}

/** Writes the words of a paragraph into a list of blocks, if it has any. */
export function pushStrong(out: string[], text: string, { names }: RstWriting): void {
  const words = writeRstInline(text, names);
  if (words !== "") out.push(`**${words.replaceAll("**", "")}**`);
}

/** A line on which a block may begin, and the list that it is written to. */
export interface BlockStart {
  lines: readonly string[];
  at: number;
  /** How many blocks it stands in. */
  depth: number;
  out: string[];
  writing: RstWriting;
}

/** Writes one kind of block and says where it ends; undefined where the line begins none. */
export type BlockReader = (start: BlockStart) => number | undefined;
