import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { loadMaths, mayHaveMaths } from "@docent/reading/markdown/mathml/mathml";
import { readOutline, type Section } from "@docent/reading/markdown/md/md";
import { renderHtml } from "@docent/reading/markdown/render/render";
import { fragmentOf } from "@docent/reading/page/page-path";
import { resolveLink } from "@docent/sites/pages/page-link";
import type { Page } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { type Html, html, trusted } from "../html.ts";
import type { ReaderLabels } from "../labels.ts";
import type { ImagesOf } from "./files.ts";

export { filesOfPage, isFilePath, showFile } from "./files.ts";

const OUTLINE_MAX = 100;

/** Where what a page names is. */
interface ArticlePlaces {
  /**
   * Where pages of the site are; of what is nowhere to be read, only the words stay. `rooted` is the link itself where it
   * is written from the root of the site, or with its host.
   */
  linkTo: (path: string, fragment: string, rooted: string | undefined) => string | undefined;
  images: ImagesOf;
  /** Where the document is that the page was made of. */
  original?: string | undefined;
}

/** A page's text. */
export async function articleOf(
  site: Site,
  page: Page,
  { linkTo, images, original }: ArticlePlaces,
  labels: ReaderLabels,
): Promise<Html> {
  const body = renderHtml(page.markdown, {
    anchors: site.settings.anchors,
    reading: labels,
    maths: mayHaveMaths(page.markdown) ? await loadMaths() : undefined,
    resolveLink(href) {
      if (href.startsWith("#")) return href;
      const target = resolveLink(href, { ...page, siteUrl: site.url });
      if (target?.kind !== "page") return target?.href;
      const isRooted = /^(?:https?:\/)?\//i.test(href.trim());
      return linkTo(target.path, fragmentOf(target.anchor), isRooted ? href.trim() : undefined);
    },
    // A page loads nothing from elsewhere: of an image that Docent has not kept, the description is shown.
    resolveImage: images,
  });
  const text = withAnchorsInCase(body);
  const title = /<h1[\s>]/.test(text) ? undefined : html`<h1>${page.title}</h1>`;
  // A page that does not say its language is written as its first letters are.
  const direction = page.language === "" && html` dir="auto"`;
  const download =
    original && html`<p class="original"><a href="${original}" rel="nofollow">${labels.original}</a></p>`;
  return html`${download}<article${direction}>${title}${trusted(text)}</article>`;
}

/**
 * A page's HTML whose links to its own headings are in the case of these: ids are mostly lower case, and who writes a link
 * copies the heading.
 */
function withAnchorsInCase(body: string): string {
  if (!body.includes('href="#')) return body;
  const ids = new Set([...body.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));
  const inLowerCase = new Map([...ids].map((id) => [id.toLowerCase(), id]));
  return body.replace(/ href="#([^"]+)"/g, (link, id: string) => {
    const near = ids.has(id) ? undefined : inLowerCase.get(id.toLowerCase());
    return near === undefined ? link : ` href="#${near}"`;
  });
}

/** The page's headings, of the two highest levels below its title; undefined where there is nothing to choose from. */
export function outlineOf(site: Site, page: Page): Html | undefined {
  const { sections } = readOutline(normalizeSource(page.markdown), site.settings.anchors);
  const headings = sections.filter(
    ({ heading, anchor, level }) => heading !== "" && anchor !== "" && level > 0,
  );
  const below = headings[0]?.level === 1 ? headings.slice(1) : headings;
  const top = Math.min(...below.map(({ level }) => level));
  const shown = below.filter(({ level }) => level <= top + 1).slice(0, OUTLINE_MAX);
  return shown.length < 2 ? undefined : html`<ul>${shown.map((section) => outlineItem(section, top))}</ul>`;
}

/** The same above the text, for screens that have no room beside it. */
export const foldedOutline = (outline: Html | undefined, { onThisPage }: ReaderLabels): Html | undefined =>
  outline && html`<details class="outline-folded"><summary>${onThisPage}</summary>${outline}</details>`;

const outlineItem = ({ heading, anchor, level }: Section, top: number) =>
  html`<li${level > top && html` class="inner"`}><a href="${fragmentOf(anchor)}"><bdi>${heading}</bdi></a></li>`;

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
