import { type RstNames, writeRstInline } from "./inline.ts";
import { docutilsId } from "./titles.ts";

/** `.. name:: argument` with its `:options:` and the lines below. */
export interface RstDirective {
  name: string;
  argument: string;
  options: Map<string, string>;
  content: string[];
}

/** The state that the writers of reStructuredText share while they write one page. */
export interface RstWriting {
  names: RstNames;
  /** Title adornments in order of appearance, which is their level. */
  adornments: string[];
  /** The level of the last heading written. */
  headingLevel: number;
  /** The label before the next block. */
  label: string | undefined;
  /** The ids of all labels before it: of a heading they are others, and of any other block the place. */
  places: string[];
  /** The anchors given to headings so far. */
  anchors: Set<string>;
  /** The language of code blocks that do not name one. */
  codeLanguage: string;
  /** The Python module of the functions being described, or the class of the methods. */
  module: string;
  isInClass: boolean;
  /** The list of definitions that was written last: the next one goes on with it. */
  definitions: string | undefined;
  /** Appends lines, without common indent, as blocks. */
  body(lines: readonly string[], depth: number, out: string[]): void;
}

/** A heading is only its words where none can stand: in the cell of a table, in an item of a list. */
export const headingWords = (block: string) => block.replace(/^#{1,6} ([^\n]*?)(?: \{#[^{}\n]*\})?$/, "$1");

/** Writes a heading. Its anchor is its label, or else what docutils would make of its words. */
export function pushHeading(
  out: string[],
  level: number,
  words: string,
  writing: RstWriting,
  id?: string,
): void {
  const line = words.replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  const { site } = writing.names;
  if (site !== undefined) {
    const given = id ?? site.section(level, words);
    writing.headingLevel = level;
    out.push(`${"#".repeat(Math.min(6, level))} ${line} {#${given}}`);
    return;
  }
  const wanted = writing.label ?? id ?? docutilsId(words.replace(/[`*\\]/g, ""));
  writing.label = undefined;
  writing.headingLevel = level;
  // docutils numbers a repeated title in a way that depends on the whole page.
  const anchor = wanted === "" || writing.anchors.has(wanted) || /[\s{}]/.test(wanted) ? "" : ` {#${wanted}}`;
  writing.anchors.add(wanted);
  out.push(`${"#".repeat(Math.min(6, level))} ${line}${anchor}`);
}

/** Appends the words of a paragraph in strong type, if there are any. */
export function pushStrong(out: string[], text: string, { names }: RstWriting): void {
  const words = writeRstInline(text, names);
  if (words !== "") out.push(`**${words.replaceAll("**", "")}**`);
}

/** A line on which a block may begin, and the list that it is written to. */
export interface BlockStart {
  lines: readonly string[];
  at: number;
  /** How many blocks it is nested in. */
  depth: number;
  out: string[];
  writing: RstWriting;
}

/** Writes one kind of block and returns where it ends; undefined where the line begins none. */
export type BlockReader = (start: BlockStart) => number | undefined;
