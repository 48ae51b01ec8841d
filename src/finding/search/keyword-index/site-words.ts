import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { createRecentlyUsed, type RecentlyUsed } from "@docent/kernel/lib/remember";
import { type AllowedDocuments, documentsOfPages } from "./documents-of-pages.ts";
import { FIELD_WEIGHTS } from "./fields.ts";
import { type LinkWords, readLinkWords } from "./link-words.ts";
import { dampingByLength } from "./ranking/ranking.ts";
import { openSegment, type RowReader, type Segment, weigh } from "./segment/segment.ts";

const FREQUENCIES_KEPT = 10_000;

/** The documents of a site in one generation, and what is known of its words. */
export interface SiteWords {
  segments: { segment: Segment; weightOf: Float64Array; visible: AllowedDocuments }[];
  passages: number;
  /** How many terms a page has on average. */
  pageLength: number;
  damping: Float64Array;
  /** What the links of other pages call each page. */
  links: LinkWords;
  /** Of terms that were asked for. */
  frequencies: RecentlyUsed<string, number>;
}

/** Reads what a site's index is in one generation; segments that were read before are taken over. */
export async function openSite(
  rows: RowReader,
  segmentIds: readonly number[],
  before: Promise<SiteWords> | undefined,
  pageIds: () => Promise<ReadonlySet<number>>,
): Promise<SiteWords> {
  const known = new Map(
    (await before?.catch(() => undefined))?.segments.map(({ segment }) => [segment.id, segment]),
  );
  const pages = await pageIds();
  const segments: SiteWords["segments"] = [];
  for (const id of segmentIds) {
    const segment = known.get(id) ?? (await openSegment(rows, id));
    const visible = await documentsOfPages(segment, pages);
    // What only other generations show, such as a run that is under way, has no part in a question.
    if (visible.count > 0)
      segments.push({ segment, weightOf: weigh(segment.occurrences, FIELD_WEIGHTS), visible });
    await letOthersRun();
  }
  return wordsIn(rows, segments, pages.size);
}

/** What some pages of a site are by themselves: nothing of the others has a part in it. The segments are the site's own. */
export async function wordsOfPages(
  rows: RowReader,
  site: SiteWords,
  pages: ReadonlySet<number>,
): Promise<SiteWords> {
  const segments: SiteWords["segments"] = [];
  for (const { segment, weightOf } of site.segments) {
    const visible = await documentsOfPages(segment, pages);
    if (visible.count > 0) segments.push({ segment, weightOf, visible });
    await letOthersRun();
  }
  return wordsIn(rows, segments, pages.size);
}

async function wordsIn(rows: RowReader, segments: SiteWords["segments"], pages: number): Promise<SiteWords> {
  const passages = segments.reduce((sum, { visible }) => sum + visible.count, 0);
  const terms = segments.reduce((sum, { visible }) => sum + visible.terms, 0);
  const longest = segments.reduce(
    (most, { segment }) => segment.lengths.reduce((own, length) => Math.max(own, length), most),
    0,
  );
  return {
    segments,
    passages,
    pageLength: terms / pages || 1,
    damping: dampingByLength(longest, terms / passages || 1),
    links: await readLinkWords(rows, segments),
    frequencies: createRecentlyUsed(FREQUENCIES_KEPT),
  };
}

/** The documents of a site that belong to some pages, segment by segment. */
export async function documentsAllowed(
  site: SiteWords,
  pageIds: Promise<ReadonlySet<number>>,
): Promise<AllowedDocuments[]> {
  const pages = await pageIds;
  const all: AllowedDocuments[] = [];
  for (const { segment } of site.segments) all.push(await documentsOfPages(segment, pages));
  return all;
}
