import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import { withoutCalloutMark } from "@docent/reading/markdown/callouts";
import { languageOf } from "@docent/reading/markdown/md/md";
import type { ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import type { Quote } from "./build-quote.ts";
import { headingAbove } from "./candidates.ts";
import { leansBack } from "./saying.ts";

/** What joins two consecutive pieces of one block. */
const JOINTS: Partial<Record<ReadPiece["kind"], string>> = {
  paragraph: " ",
  list: "\n",
  table: "\n",
  quote: "\n>\n",
};

/** In Markdown. A part that is cited ends with the space that its citation needs before it. */
interface ShownPart {
  markdown: string;
  /** Where the passage says it; undefined for what is not cited. */
  offset: number | undefined;
}

/** What is quoted of one passage. */
interface ShownQuotes {
  /** The number of the passage. */
  number: number;
  parts: ShownPart[];
}

/** The quotes as Markdown, the best one first; those of one passage stand together. */
export function showQuotes(
  quotes: readonly Quote[],
  passages: readonly NumberedPassage[],
  question: string,
): ShownQuotes[] {
  const wanted = analyzeQuestion(question);
  const byPassage = Map.groupBy(joinNeighbours(quotes), ({ passage }) => passage);
  const shown = new Set<string>();
  return [...byPassage].map(([index, own]) => {
    const passage = passages[index];
    const sections = [...Map.groupBy(own, ({ core }) => core.heading).values()];
    const parts = sections.flatMap((quoted) => {
      // What stands below another heading than the quotes before it must not be read as theirs.
      const needed = sections.length > 1 ? quoted[0]?.core.heading : headingFor(quoted, wanted, passage);
      const heading = needed === undefined || needed === "" || shown.has(needed) ? undefined : needed;
      if (heading !== undefined) shown.add(heading);
      const runs = quoted.flatMap((quote) => runsOf(piecesOf(quote)).map((run) => showPart(run, quote)));
      return heading === undefined ? runs : [{ markdown: `**${heading}**`, offset: undefined }, ...runs];
    });
    return { number: passage?.number ?? 0, parts };
  });
}

const piecesOf = ({ positions, core }: Quote): ReadPiece[] =>
  positions.flatMap((position) => core.around[position] ?? []);

/** Joins quotes that follow each other within a block: a paragraph is read in its order. */
function joinNeighbours(quotes: readonly Quote[]): Quote[] {
  const joined: Quote[] = [];
  for (const quote of quotes) {
    const index = joined.findIndex((other) => areNeighbours(quote, other));
    const other = joined[index];
    if (other === undefined) joined.push(quote);
    else {
      const positions = [...other.positions, ...quote.positions].toSorted((a, b) => a - b);
      joined[index] = { ...other, positions };
    }
  }
  return joined;
}

const areNeighbours = (one: Quote, other: Quote): boolean =>
  one.passage === other.passage &&
  one.core.piece.blockIndex === other.core.piece.blockIndex &&
  one.positions.some((position) => other.positions.some((near) => Math.abs(near - position) === 1));

/** The heading above the quotes, where they cannot be understood without it. */
function headingFor(
  [first]: readonly Quote[],
  wanted: readonly string[],
  passage: NumberedPassage | undefined,
): string | undefined {
  const [begin, ...others] = first === undefined ? [] : piecesOf(first);
  if (first === undefined || begin === undefined || passage === undefined) return undefined;
  const { heading, headingTerms, warning, around } = first.core;
  if (warning?.heading !== undefined)
    return warning.heading === heading ? heading : `${warning.heading} › ${heading}`;
  if (begin.kind === "heading") return undefined;
  const above = headingAbove(begin, around, passage);
  const terms = above === heading ? headingTerms : new Set(analyze(above));
  const said = new Set([begin, ...others].flatMap((piece) => [...piece.terms]));
  const tells = wanted.some((term) => terms.has(term) && !said.has(term));
  const hasHeading = others.some(({ kind }) => kind === "heading");
  return tells || hasHeading || begin.kind !== "paragraph" || leansBack(begin.markdown) ? above : undefined;
}

/** Pieces that follow each other directly. */
function runsOf(pieces: readonly ReadPiece[]): ReadPiece[][] {
  const runs: ReadPiece[][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before?.position === piece.position - 1) run.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

/** A run leads to the section of the piece that says most, if it has a part of that. */
function showPart(run: readonly ReadPiece[], { core: { piece, around } }: Quote): ShownPart {
  const headingOf = ({ position }: ReadPiece) =>
    around.slice(0, position + 1).findLast(({ kind }) => kind === "heading");
  const place = run.find((each) => headingOf(each) === headingOf(piece)) ?? run[0];
  return { markdown: showRun(run, around), offset: place?.offset ?? 0 };
}

/** Stands for the items of a list that are not quoted. */
const LEFT_OUT = "…";

/** Whether a list goes on beside a piece of it that is quoted with others. One item alone is no list. */
const isCutAt = (piece: ReadPiece, quoted: ReadPiece | undefined, beside: ReadPiece | undefined): boolean =>
  piece.kind === "list" && [quoted, beside].every((other) => other?.blockIndex === piece.blockIndex);

function showRun(run: readonly ReadPiece[], around: readonly ReadPiece[]): string {
  const blocks: { kind: ReadPiece["kind"]; text: string }[] = [];
  for (const [index, piece] of run.entries()) {
    const before = run[index - 1];
    const block = blocks.at(-1);
    if (block !== undefined && before?.blockIndex === piece.blockIndex) {
      block.text += `${JOINTS[piece.kind] ?? "\n\n"}${textOf(piece)}`;
    } else {
      const header = piece.header !== undefined && piece.header !== piece.markdown ? `${piece.header}\n` : "";
      blocks.push({ kind: piece.kind, text: header + textOf(piece) });
    }
  }
  const [first, last] = [run[0], run.at(-1)];
  const [top, bottom] = [blocks[0], blocks.at(-1)];
  if (first && top && isCutAt(first, run[1], around[first.position - 1]))
    top.text = `${LEFT_OUT}\n\n${top.text}`;
  if (last && bottom && isCutAt(last, run.at(-2), around[last.position + 1]))
    bottom.text += `\n\n${LEFT_OUT}`;
  const shown = blocks.map(({ kind, text }) => (kind === "code" ? text : quoteLines(text)));
  // Text after a table's last cell would not be shown, and in code it would be code.
  const joint = bottom?.kind === "code" || bottom?.kind === "table" ? "\n\n" : " ";
  return `${shown.join("\n\n")}${joint}`;
}

function textOf({ kind, markdown }: ReadPiece): string {
  if (kind === "paragraph") return withCodeOnOneLine(markdown.trim());
  if (kind === "code") return withPlainFence(markdown);
  if (kind === "heading") return `**${markdown.replace(/^#+\s*/, "").trim()}**`;
  return kind === "quote" ? withoutCalloutMark(markdown).trim() : markdown.trimEnd();
}

/** What a fence says beside its language is for the docs' generator. */
const withPlainFence = (code: string): string =>
  code.replace(
    /^(\s*(?:`{3,}|~{3,})[ \t]*)([^\n]*)/,
    (_, fence: string, info: string) => `${fence.trimEnd()}${languageOf(info) ?? ""}`,
  );

const CODE_SPAN = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;

/** Puts code spans on one line each: readers see code only where it ends on its line. */
const withCodeOnOneLine = (paragraph: string) =>
  paragraph.replace(CODE_SPAN, (code) => code.replace(/(?<!\s)\s*\n\s*/g, " "));

const quoteLines = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
