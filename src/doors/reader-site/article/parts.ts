import type { Page } from "@docent/sites/pages/pages";
import { type Html, html } from "../html.ts";
import type { ReaderLabels } from "../labels.ts";

/** What is longer takes the server too long to write at once, while others wait, and a browser to show. */
const PART_CHARACTERS = 60_000;
const MARK = /^<a id="(page|slide)=(\d{1,6})"><\/a>/gm;
/** Parts before and behind the one that is shown, which are named. */
const NAMED_AROUND = 3;

interface Range {
  kind: string;
  first: number;
  last: number;
  start: number;
  end: number;
}

/** The part of a page that is shown. */
interface PagePart {
  /** The page with the words of this part alone. */
  page: Page;
  ranges: readonly Range[];
  shown: number;
}

/** The part of a long document in which the place is that an address names; all of any other page. */
export function partOf(page: Page, query: URLSearchParams): PagePart {
  const ranges = page.markdown.length <= PART_CHARACTERS ? [] : rangesOf(page.markdown);
  if (ranges.length < 2) return { page, ranges: [], shown: 0 };
  const at = Number(query.get("at") ?? 0);
  const found = ranges.findLastIndex(({ first }) => first <= at);
  const shown = Math.max(0, found);
  const range = ranges[shown];
  return { page: { ...page, markdown: page.markdown.slice(range?.start, range?.end) }, ranges, shown };
}

/** Cuts where a page of the document begins, once enough was gathered. */
function rangesOf(markdown: string): Range[] {
  const ranges: Range[] = [];
  for (const { index, 1: kind = "", 2: number = "" } of markdown.matchAll(MARK)) {
    const last = ranges.at(-1);
    if (last === undefined)
      ranges.push({ kind, first: Number(number), last: Number(number), start: 0, end: 0 });
    else if (index - last.start < PART_CHARACTERS) last.last = Number(number);
    else {
      last.end = index;
      ranges.push({ kind, first: Number(number), last: Number(number), start: index, end: 0 });
    }
  }
  const last = ranges.at(-1);
  if (last !== undefined) last.end = markdown.length;
  return ranges;
}

/** Leads to the other parts of a document. */
export function partsNavigation(
  { ranges, shown }: PagePart,
  linkTo: (fragment: string) => string,
  { pages }: ReaderLabels,
): Html | undefined {
  if (ranges.length === 0) return undefined;
  const named = ranges.flatMap((range, index) => {
    const isNamed = index === 0 || index === ranges.length - 1 || Math.abs(index - shown) <= NAMED_AROUND;
    if (!isNamed) return [];
    const numbers = range.first === range.last ? `${range.first}` : `${range.first}–${range.last}`;
    const link = linkTo(`#${range.kind}=${range.first}`);
    return [
      index === shown
        ? html`<li aria-current="page">${numbers}</li>`
        : html`<li><a href="${link}">${numbers}</a></li>`,
    ];
  });
  return html`<nav class="parts" aria-label="${pages}"><span>${pages}</span><ol dir="ltr">${named}</ol></nav>`;
}
