import { decodePercent } from "@docent/kernel/text/decode-percent";
import { snippet } from "@docent/kernel/text/snippet";
import { hrefOf } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import {
  choosePage,
  findByWrittenPath,
  type Page,
  type PageFilter,
  type PageStore,
} from "@docent/sites/pages/pages";
import { SNIPPET_CHARACTERS_MAX } from "../choose-hits.ts";
import type { Hit } from "../search.ts";
import type { Candidate, SearchStore } from "../search-store.ts";
import { headingLines, joinedSections, joinPassagesInOrder } from "../sections/sections.ts";

export interface PageQuery {
  siteId: number;
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  /** As stored, or as a link writes it. */
  path: string;
  /** Reads from this heading on. From the top where it is undefined, or the page has no such heading. */
  heading?: string | undefined;
  filter?: PageFilter | undefined;
  /** Which of several pages of one path is read where the filter does not say. */
  defaults: PageFilter;
  passages: number;
}

/** A passage that was read and not searched for: how well it answers is not known. */
type ReadPassage = Omit<Hit, "score" | "relevance">;

/** Reads pages section by section, as search finds them. */
export interface PagePassages {
  /** The sections in order, in the generation that readers see; empty where readers see no such page. */
  read(query: PageQuery): Promise<{ generation: number; passages: ReadPassage[] }>;
}

interface PagePassagesDeps {
  pages: Pick<PageStore, "findPages">;
  store: Pick<SearchStore, "state" | "passagesOf">;
}

export function createPagePassages({ pages, store }: PagePassagesDeps): PagePassages {
  return {
    async read({ siteId, audience, path, heading, filter = {}, defaults, passages: most }) {
      const { generation } = await store.state(siteId);
      const found = (await findByWrittenPath(pages, siteId, path, audience)).filter(({ hidden }) => !hidden);
      const page = choosePage(found, filter, defaults);
      if (page === undefined) return { generation, passages: [] };
      const all = await store.passagesOf({ siteId, generation, audience, filter }, page.id);
      const start = heading === undefined ? 0 : Math.max(0, startOf(all, heading));
      return { generation, passages: joinedSections(all.slice(start, start + most)).map(toRead) };
    },
  };
}

/** Reads sections of pages. */
export interface PageSections {
  /** The section of a heading, by its words or its anchor; undefined where readers see no such one on the page. */
  read(query: SectionQuery): Promise<PageSection | undefined>;
}

interface SectionQuery {
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  page: Pick<Page, "id" | "siteId">;
  heading: string;
}

export const createPageSections = (store: PagePassagesDeps["store"]): PageSections => ({
  async read({ audience, page: { id, siteId }, heading }) {
    const { generation } = await store.state(siteId);
    return sectionOf(await store.passagesOf({ siteId, generation, audience, filter: {} }, id), heading);
  },
});

/** The first passage under a heading of that name; otherwise under one that has the name in it. */
function startOf(passages: readonly Candidate[], heading: string): number {
  const wanted = plainWords(heading);
  if (wanted === "") return -1;
  const named = passages.map(({ headings, innerHeadings }) =>
    [...headings, ...innerHeadings.flatMap(({ headingPath }) => headingPath)].map(plainWords),
  );
  const exact = named.findIndex((names) => names.includes(wanted));
  return exact >= 0 ? exact : named.findIndex((names) => names.some((name) => name.includes(wanted)));
}

const toRead = (passage: Candidate): ReadPassage => ({
  ...passage,
  headingsAbove: passage.headings,
  anchorAbove: passage.anchor,
  hasWords: false,
  snippet: snippet(passage.text, SNIPPET_CHARACTERS_MAX),
  href: hrefOf(passage),
});

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
function sectionOf(passages: readonly Candidate[], heading: string): PageSection | undefined {
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

/** The words of a heading, however they are spelled in an anchor, a link or a question. */
const plainWords = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
