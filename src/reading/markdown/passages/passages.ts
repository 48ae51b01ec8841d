import { snippet } from "@docent/kernel/text/snippet";
import { withoutPlaces } from "../anchors.ts";
import type { Outline, Section } from "../md/md.ts";
import { plainText, readText } from "../plain-text.ts";
import { cutSection } from "./cut-section.ts";
import { placeFootnotes } from "./footnotes.ts";
import { identifiersOf } from "./identifiers.ts";
import { type Group, headingLine, headingsInside, joinShort, type SectionPiece } from "./join-short.ts";
import { followPlaces } from "./places.ts";
import { estimateTokens } from "./tokens.ts";

export { placeReferences } from "./reference-links.ts";

/** A heading inside a passage: citations of the text after it lead to its anchor. */
interface InnerHeading {
  /** The offset of its line in the passage's Markdown. */
  offset: number;
  /** Where its section begins in the passage's plain words. */
  textOffset: number;
  anchor: string;
  headingPath: string[];
}

/** A heading's text, or several short ones: the unit that is searched, quoted and cited. */
export interface Passage {
  /** Counted from 0, in page order. */
  position: number;
  /** Plain words of the headings above, the nearest last; empty before the first heading. */
  headingPath: string[];
  /** The anchor of the nearest heading above; "" before the first. */
  anchor: string;
  /** The headings of the short sections joined to the first one, in order. */
  innerHeadings: InnerHeading[];
  markdown: string;
  /** The passage's own plain words, for search. */
  text: string;
  /** In lower case, distinct, in order. */
  codeLanguages: string[];
  /** Names of code in it, as written, distinct. */
  identifiers: string[];
  tokensEstimated: number;
  /** Set where words are missing that its page shows. */
  lacksWords?: true;
}

/** Bounds on the size of passages, in estimated tokens of their Markdown. */
export interface PassageSizes {
  /** Smaller ones are joined with a neighbour. */
  minTokens: number;
  /** Larger sections are cut, and nothing is joined beyond this. */
  maxTokens: number;
  /** No passage exceeds this. Up to it, a code block stays whole and a small last piece is joined. */
  hardMaxTokens: number;
}

export const DEFAULT_PASSAGE_SIZES: PassageSizes = { minTokens: 150, maxTokens: 500, hardMaxTokens: 800 };

const HEADINGS_CHARACTERS_MAX = 1_500;

/** Cuts a page into passages, each cited by the first heading above it. */
export function cutPassages(outline: Outline, sizes: PassageSizes = DEFAULT_PASSAGE_SIZES): Passage[] {
  const pieces = cutSections(placeFootnotes(outline.sections.map(unmarked)), sizes);
  return toPassages(pieces, sizes);
}

/** Cuts a page whose places are marked into passages, each cited by the place where it begins. */
export function cutPassagesAtPlaces(
  outline: Outline,
  sizes: PassageSizes = DEFAULT_PASSAGE_SIZES,
): Passage[] {
  const { sections, take } = followPlaces(placeFootnotes(outline.sections));
  const pieces = cutSections(sections, sizes, (markdown, section, isFirst) => {
    const { markdown: words, place } = take(markdown);
    // A section's first words are cited by its heading, which may stand at the end of the page before.
    return { markdown: words, section: isFirst ? section : { ...section, anchor: place } };
  });
  return toPassages(pieces, sizes);
}

function toPassages(pieces: SectionPiece[], sizes: PassageSizes): Passage[] {
  const passages: Passage[] = [];
  for (const group of joinShort(pieces, sizes)) {
    const passage = toPassage(group);
    if (passage) passages.push({ ...passage, position: passages.length });
  }
  return passages;
}

/**
 * Passages for a page that has headings only, to be found by their words. Empty where there are no words at
 * all.
 */
export function passagesOfHeadings({ sections }: Outline, description: string | undefined): Passage[] {
  const headings = sections.map(({ heading }) => heading).filter((heading) => heading !== "");
  const text = snippet([description ?? "", ...headings].filter(Boolean).join("\n"), HEADINGS_CHARACTERS_MAX);
  if (text === "") return [];
  const tokensEstimated = estimateTokens(text);
  const place = { position: 0, headingPath: [], anchor: "", innerHeadings: [] };
  const code = { codeLanguages: [], identifiers: identifiersOf("", headings) };
  return [{ ...place, ...code, markdown: text, text, tokensEstimated }];
}

/** A section without marks of places: in a passage nothing leads there. */
const unmarked = (section: Section): Section =>
  section.markdown.includes("<a id=") || section.headingSource.includes("<a id=")
    ? {
        ...section,
        headingSource: withoutPlaces(section.headingSource),
        blocks: section.blocks.map((block) =>
          block.kind === "code" ? block : { ...block, text: withoutPlaces(block.text) },
        ),
      }
    : section;

type Place = (
  markdown: string,
  section: Section,
  isFirst: boolean,
) => Pick<SectionPiece, "markdown" | "section">;

function cutSections(
  sections: Section[],
  sizes: PassageSizes,
  place: Place = (markdown, section) => ({ markdown, section }),
): SectionPiece[] {
  const pieces: SectionPiece[] = [];
  let headings: Section[] = [];
  for (const section of sections) {
    headings.push(section);
    for (const cut of cutSection(section, sizes)) {
      const placed = place(cut, section, headings.includes(section));
      if (placed.markdown === "" || isWordless(placed.markdown)) continue;
      pieces.push({ ...placed, headings });
      headings = [];
    }
  }
  return withLastHeadings(pieces, headings);
}

/** Headings at the end of a page that have no words below them are shown with what stands above them. */
function withLastHeadings(pieces: SectionPiece[], headings: readonly Section[]): SectionPiece[] {
  const last = pieces.at(-1);
  if (last === undefined || headings.length === 0) return pieces;
  const markdown = [last.markdown, ...headings.map(headingLine)].join("\n\n");
  return [...pieces.slice(0, -1), { ...last, markdown }];
}

/** Whether there are no words: an image without a description has none. */
function isWordless(markdown: string): boolean {
  return /^[!<]/.test(markdown) && markdown.length < 500 && plainText(markdown) === "";
}

function toPassage(group: Group): Passage | undefined {
  const { markdown, headings } = joinPieces(group);
  const { text, codeLanguages, innerHeadings } = readSections(markdown, headings);
  if (text.trim() === "") return undefined;
  const { headingPath, anchor } = group.top;
  return {
    position: 0,
    headingPath,
    anchor,
    innerHeadings,
    markdown,
    text,
    codeLanguages,
    identifiers: identifiersOf(markdown, headingPath.slice(-1)),
    tokensEstimated: estimateTokens(markdown),
  };
}

type PlacedHeading = Omit<InnerHeading, "textOffset">;

/** The words of a passage, section by section, so that it is known where each begins. */
function readSections(markdown: string, headings: PlacedHeading[]) {
  const codeLanguages = new Set<string>();
  const starts = [0, ...headings.map(({ offset }) => offset)];
  let text = "";
  const textStarts = starts.map((start, index) => {
    const own = readText(markdown.slice(start, starts[index + 1]));
    for (const language of own.codeLanguages) codeLanguages.add(language);
    if (text !== "" && own.text !== "") text += "\n";
    const begins = text.length;
    text += own.text;
    return begins;
  });
  const innerHeadings = headings.map((each, index) => ({ ...each, textOffset: textStarts[index + 1] ?? 0 }));
  return { text, codeLanguages: [...codeLanguages], innerHeadings };
}

function joinPieces(group: Group): { markdown: string; headings: PlacedHeading[] } {
  const headings: PlacedHeading[] = [];
  let markdown = "";
  const put = (block: string) => {
    markdown += markdown === "" ? block : `\n\n${block}`;
  };
  for (const [index, piece] of group.pieces.entries()) {
    const isOwn = index === 0 && piece.section === group.top;
    for (const section of isOwn ? headingsBeside(piece) : headingsInside(group, piece)) {
      const line = headingLine(section);
      put(line);
      const { anchor, headingPath } = section;
      headings.push({ offset: markdown.length - line.length, anchor, headingPath });
    }
    put(piece.markdown);
  }
  return { markdown, headings };
}

/**
 * The headings to be written before a piece that begins a passage: from the first that has no words below it and does not
 * stand above the piece, so that no other passage shows it.
 */
function headingsBeside({ headings, section }: SectionPiece): Section[] {
  const first = headings.findIndex((heading, index) =>
    headings.slice(index + 1).some(({ level }) => level <= heading.level),
  );
  return first < 0 || !headings.includes(section) ? [] : headings.slice(first);
}
