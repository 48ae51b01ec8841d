import { snippet } from "../../text/snippet.ts";
import { type Definitions, definitionsUsedIn, type Outline, type Section } from "../md/md.ts";
import { plainText, readText } from "../plain-text.ts";
import { cutSection } from "./cut-section.ts";
import { identifiersOf } from "./identifiers.ts";
import { type Group, headingLine, headingsInside, joinShort, type Piece } from "./join-short.ts";
import { estimateTokens, tokenWeight } from "./tokens.ts";

/** A heading inside a passage: a citation of the text behind it leads to this heading's anchor. */
export interface InnerHeading {
  /** Where its line begins in the passage's Markdown. */
  offset: number;
  anchor: string;
  headingPath: string[];
}

/** A heading's worth of a page, or several short ones: what is searched, quoted and cited. */
export interface Passage {
  /** From 0, in the order of the page. */
  position: number;
  /** Plain words of the headings above, the nearest last; empty before the first heading. */
  headingPath: string[];
  /** Anchor of the nearest heading above, "" before the first. */
  anchor: string;
  /** Headings of the short sections that were joined to the first one, in order. */
  innerHeadings: InnerHeading[];
  markdown: string;
  /** Plain words of the passage alone, for search. */
  text: string;
  /** Lower-case names, in order, each once. */
  codeLanguages: string[];
  /** Names of code in it, as written, each once. */
  identifiers: string[];
  tokensEstimated: number;
}

/** Bounds on the size of passages, in estimated tokens of their Markdown. */
export interface PassageSizes {
  /** A smaller one is joined with a neighbour. */
  minTokens: number;
  /** A larger section is cut, and nothing is joined beyond this. */
  maxTokens: number;
  /** No passage exceeds this. Up to it, a code block is kept whole and a small last piece is joined. */
  hardMaxTokens: number;
}

export const DEFAULT_PASSAGE_SIZES: PassageSizes = { minTokens: 150, maxTokens: 500, hardMaxTokens: 800 };

const HEADINGS_CHARACTERS_MAX = 1_500;

/** Room for the targets of reference links that a passage uses. */
const DEFINITIONS_SHARE = 0.15;

/** Cuts a page into passages, each cited at the first heading that it stands under. */
export function cutPassages(outline: Outline, sizes: PassageSizes = DEFAULT_PASSAGE_SIZES): Passage[] {
  const passages: Passage[] = [];
  for (const group of joinShort(cutSections(outline.sections, sizes), sizes)) {
    const passage = toPassage(group, outline.definitions, sizes);
    if (passage) passages.push({ ...passage, position: passages.length });
  }
  return passages;
}

/** A page of headings alone is found by what they say. One without any words has nothing to find. */
export function passagesOfHeadings({ sections }: Outline, description: string | undefined): Passage[] {
  const headings = sections.map(({ heading }) => heading).filter((heading) => heading !== "");
  const text = snippet([description ?? "", ...headings].filter(Boolean).join("\n"), HEADINGS_CHARACTERS_MAX);
  if (text === "") return [];
  const tokensEstimated = estimateTokens(text);
  const place = { position: 0, headingPath: [], anchor: "", innerHeadings: [] };
  const code = { codeLanguages: [], identifiers: identifiersOf("", headings) };
  return [{ ...place, ...code, markdown: text, text, tokensEstimated }];
}

function cutSections(sections: Section[], sizes: PassageSizes): Piece[] {
  const pieces: Piece[] = [];
  let headings: Section[] = [];
  for (const section of sections) {
    headings.push(section);
    for (const markdown of cutSection(section, sizes)) {
      if (isWordless(markdown)) continue;
      pieces.push({ section, headings, markdown });
      headings = [];
    }
  }
  return pieces;
}

/** A picture without a description says nothing, and has nothing that could be joined. */
function isWordless(markdown: string): boolean {
  return /^[!<]/.test(markdown) && markdown.length < 500 && plainText(markdown) === "";
}

function toPassage(group: Group, definitions: Definitions, sizes: PassageSizes): Passage | undefined {
  const { markdown, innerHeadings } = joinPieces(group);
  const whole = withDefinitions(markdown, definitions, sizes.hardMaxTokens);
  const { text, codeLanguages } = readText(whole);
  if (text.trim() === "") return undefined;
  const { headingPath, anchor } = group.top;
  return {
    position: 0,
    headingPath,
    anchor,
    innerHeadings,
    markdown: whole,
    text,
    codeLanguages,
    identifiers: identifiersOf(whole, headingPath.slice(-1)),
    tokensEstimated: estimateTokens(whole),
  };
}

function joinPieces(group: Group): { markdown: string; innerHeadings: InnerHeading[] } {
  const innerHeadings: InnerHeading[] = [];
  let markdown = "";
  const put = (block: string) => {
    markdown += markdown === "" ? block : `\n\n${block}`;
  };
  for (const [index, piece] of group.pieces.entries()) {
    const isOwn = index === 0 && piece.section === group.top;
    for (const section of isOwn ? [] : headingsInside(group, piece)) {
      const line = headingLine(section);
      put(line);
      const { anchor, headingPath } = section;
      innerHeadings.push({ offset: markdown.length - line.length, anchor, headingPath });
    }
    put(piece.markdown);
  }
  return { markdown, innerHeadings };
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
