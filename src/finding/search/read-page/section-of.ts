import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { Candidate } from "../search-store.ts";
import { headingLines, joinPassagesInOrder } from "../sections/sections.ts";
import { plainWords } from "./plain-words.ts";

/** A section of a page, with those below it. */
export interface PageSection {
  anchor: string;
  /** Its heading, and those above it, outermost first. */
  headings: string[];
  markdown: string;
}

/** Where the text of a heading begins. */
interface Place {
  /** The index of its passage. */
  passage: number;
  offset: number;
  anchor: string;
  headings: string[];
  /** Whether its heading is written in the passage; otherwise it stands above it. */
  isWritten: boolean;
}

/** A heading that was asked for. */
interface Found {
  start: number;
  headings: string[];
  has(place: Place): boolean;
}

/** The section of a heading, by its words or its anchor, out of the passages of its page. */
export function sectionOf(passages: readonly Candidate[], heading: string): PageSection | undefined {
  const places = passages.flatMap(placesIn);
  const found =
    findAnchor(places, decodePercent(heading.replace(/^#+\s*/, ""))) ?? findWords(places, heading);
  const start = found && places[found.start];
  if (found === undefined || start === undefined) return undefined;
  const end = places.find((place, index) => index > found.start && !found.has(place));
  const [first, ...others] = cutOut(passages, start, end);
  if (first === undefined) return undefined;
  const unwritten = start.isWritten ? start.headings.slice(0, -1) : start.headings;
  const lines = headingLines(unwritten, Math.max(0, found.headings.length - 1));
  const markdown = [...lines, joinPassagesInOrder(first, others).markdown].join("\n\n");
  return { anchor: start.anchor, headings: found.headings, markdown };
}

function placesIn({ anchor, headings, innerHeadings }: Candidate, passage: number): Place[] {
  const inner = innerHeadings.map(({ offset, anchor, headingPath }) => ({
    passage,
    offset,
    anchor,
    headings: headingPath,
    isWritten: true,
  }));
  const isAtTop = inner[0]?.offset === 0;
  return isAtTop ? inner : [{ passage, offset: 0, anchor, headings, isWritten: false }, ...inner];
}

function findAnchor(places: readonly Place[], anchor: string): Found | undefined {
  const start = places.findIndex((place) => anchor !== "" && place.anchor === anchor);
  const headings = places[start]?.headings;
  if (headings === undefined) return undefined;
  return { start, headings, has: (place) => place.anchor === anchor || isBelow(place.headings, headings) };
}

/** The heading of those words; otherwise the shortest one that has them in it. */
function findWords(places: readonly Place[], heading: string): Found | undefined {
  const wanted = plainWords(heading);
  if (wanted === "") return undefined;
  const named = places.flatMap(({ headings }, start) =>
    headings.map((each, depth) => ({
      start,
      headings: headings.slice(0, depth + 1),
      words: plainWords(each),
    })),
  );
  const [best] = named
    .filter(({ words }) => ` ${words} `.includes(` ${wanted} `))
    .toSorted((one, other) => one.words.length - other.words.length);
  return best && { ...best, has: ({ headings }) => isWithin(headings, best.headings) };
}

const isWithin = (headings: readonly string[], above: readonly string[]): boolean =>
  above.every((heading, depth) => headings[depth] === heading);

const isBelow = (headings: readonly string[], above: readonly string[]): boolean =>
  above.length > 0 && headings.length > above.length && isWithin(headings, above);

/** What stands from one place to another, or to the end. */
function cutOut(passages: readonly Candidate[], start: Place, end: Place | undefined): Candidate[] {
  const last = end === undefined ? passages.length : end.offset > 0 ? end.passage + 1 : end.passage;
  return passages.slice(start.passage, last).map((passage, index) => {
    const from = index === 0 ? start.offset : 0;
    const to = end?.passage === start.passage + index ? end.offset : passage.markdown.length;
    return partOf(index === 0 ? { ...passage, ...placeOf(start) } : passage, from, to);
  });
}

const placeOf = ({ anchor, headings }: Place) => ({ anchor, headings });

function partOf(passage: Candidate, from: number, to: number): Candidate {
  const innerHeadings = passage.innerHeadings
    .filter(({ offset }) => offset >= from && offset < to)
    .map((inner) => ({ ...inner, offset: inner.offset - from }));
  const markdown = passage.markdown.slice(from, to).trimEnd();
  return { ...passage, markdown, innerHeadings };
}
