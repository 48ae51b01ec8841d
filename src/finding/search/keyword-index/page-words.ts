import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { AddedLists } from "./added-words.ts";
import { FIELDS } from "./fields.ts";
import type { Part } from "./question-part.ts";
import type { Found } from "./ranking/ranking.ts";
import { createBlock, decodeBlock, type List, rangesOfPage, type Segment } from "./segment/segment.ts";

/** What a whole page has of a question. */
export interface PageWords {
  /** How many terms it has, all passages together. */
  length: number;
  /** How often it has each term, of its own or written for it: once for all of its title, however many passages it has. */
  frequencies: ReadonlyMap<string, number>;
}

interface CountedPage {
  length: number;
  frequencies: Map<string, number>;
  /** How often its title has each term: every passage has the title, and it counts once. */
  titles: Map<string, number>;
}

/** The documents of a page in one segment. */
interface Range {
  page: CountedPage;
  from: number;
  end: number;
}

const TITLE = FIELDS.indexOf("title");
const HEADINGS = FIELDS.indexOf("headings");
const BODY = FIELDS.indexOf("body");

/** Counts the words of pages. */
export async function pageWordsOf(
  parts: readonly Part[],
  added: AddedLists,
  pageIds: readonly number[],
  terms: readonly string[],
): Promise<Map<number, PageWords>> {
  const pages = new Map(
    pageIds.map((id): [number, CountedPage] => [
      id,
      { length: 0, frequencies: new Map(), titles: new Map() },
    ]),
  );
  for (const part of parts) {
    const ranges = rangesIn(part.segment, pages);
    if (ranges.length === 0) continue;
    for (const [term, { list }] of await part.lists.of(terms)) countIn(part.segment, list, term, ranges);
    await letOthersRun();
  }
  for (const [term, found] of await added.of(terms)) addWritten(parts, pages, term, found);
  return new Map([...pages].map(([id, { length, frequencies }]) => [id, { length, frequencies }]));
}

/** What was written for the passages of a page counts as the page's own. */
function addWritten(
  parts: readonly Part[],
  pages: ReadonlyMap<number, CountedPage>,
  term: string,
  found: readonly Found[],
): void {
  for (const [part, { documents, frequencies }] of found.entries())
    for (const [index, document] of documents.entries()) {
      const page = pages.get(parts[part]?.segment.pageIds[document] ?? 0);
      if (page === undefined) continue;
      page.frequencies.set(term, (page.frequencies.get(term) ?? 0) + (frequencies[index] ?? 0));
    }
}

/** The ranges of documents that the pages have in a segment, ascending. */
function rangesIn(segment: Segment, pages: ReadonlyMap<number, CountedPage>): Range[] {
  const ranges: Range[] = [];
  for (const [pageId, page] of pages) {
    for (const { from, end } of rangesOfPage(segment, pageId)) {
      page.length += segment.lengths.subarray(from, end).reduce((sum, length) => sum + length, 0);
      ranges.push({ page, from, end });
    }
  }
  return ranges.sort((a, b) => a.from - b.from);
}

function countIn({ occurrences }: Segment, list: List, term: string, ranges: readonly Range[]): void {
  const block = createBlock();
  let number = 0;
  let decoded = -1;
  for (const { page, from, end } of ranges) {
    let count = 0;
    let inTitle = 0;
    while (number < list.blocks && (list.lastOf[number] ?? 0) < from) number++;
    for (let at = number; at < list.blocks && (at === number || (list.lastOf[at - 1] ?? 0) < end - 1); at++) {
      if (decoded !== at) decodeBlock(list, at, block);
      decoded = at;
      for (let index = 0; index < block.size; index++) {
        const document = block.documents[index] ?? 0;
        if (document < from || document >= end) continue;
        const counts = occurrences.counts[block.occurrences[index] ?? 0] ?? [];
        count += (counts[HEADINGS] ?? 0) + (counts[BODY] ?? 0);
        inTitle = Math.max(inTitle, counts[TITLE] ?? 0);
      }
    }
    const newInTitle = Math.max(0, inTitle - (page.titles.get(term) ?? 0));
    if (newInTitle > 0) page.titles.set(term, inTitle);
    const all = count + newInTitle;
    if (all > 0) page.frequencies.set(term, (page.frequencies.get(term) ?? 0) + all);
  }
}
