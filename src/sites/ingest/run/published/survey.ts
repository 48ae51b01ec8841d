import { AppError } from "@docent/kernel/errors";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { isInAnswersFolder } from "@docent/reading/page/answer-file";
import { pageToRead } from "@docent/reading/page-reading/page-reading";
import { pairByPath, pairByWords, type UnpairedPage } from "@docent/reading/published/published";
import { isSkipped, type SourceItem, type SourceReader } from "@docent/reading/source-reader";
import type { KeptPublishedPage } from "../../stores.ts";
import type { Pass } from "../pass.ts";

/** Where the pages of a source are published. */
export interface Survey {
  /** By the location of the page. */
  found: ReadonlyMap<string, FoundPage>;
  /** How many pages the source has that a site may publish. */
  pages: number;
}

/** A page of a source, with the page of the site that it is. */
export interface FoundPage {
  /** The path that its source says. */
  from: string;
  page: KeptPublishedPage;
  /** It is not on the site now, and keeps the address that it had there. */
  isKept: boolean;
}

/** Pages of the site that are none of the source's yet. */
export interface FreePages {
  pages: Map<string, KeptPublishedPage>;
  isKept: boolean;
}

interface Surveying {
  reader: SourceReader;
  /** The site's pages, those first that are there now. */
  site: readonly FreePages[];
  signal: AbortSignal;
}

/** The pages of a source by their locations: the paths that the source says, and what the site has of them. */
interface Pairing {
  listed: ReadonlyMap<string, string>;
  found: Map<string, FoundPage>;
}

/**
 * Finds the pages of a source on the site that it is published as: by the addresses that the source tells, and where nothing is
 * there, by what the pages say. Of the source, only pages that are looked for by their words are read.
 */
export async function surveySource(
  pass: Pick<Pass, "pageReading" | "reading">,
  { reader, site, signal }: Surveying,
): Promise<Survey> {
  const listed = new Map<string, string>();
  for await (const { location, path } of pagesOf(reader, signal)) listed.set(location, path);
  const pairing: Pairing = { listed, found: new Map() };
  const [now] = site;
  if (now !== undefined) pairPaths(pairing, now);
  const words = site.some(({ pages }) => pages.size > 0) ? await wordsOf(pass, pairing, reader, signal) : [];
  // What is there now comes before what was there once, however it is found.
  for (const side of site) {
    if (side !== now) pairPaths(pairing, side);
    pairWords(pairing, side, words);
  }
  return { found: pairing.found, pages: listed.size };
}

/** Whether a site may publish it: a document is published as it is, and a curated answer nowhere. */
export const isPublished = (item: SourceItem) => item.format !== "document" && !isInAnswersFolder(item);

/** The pages that a source lists. Where it cannot go on, the run that follows says so. */
async function* pagesOf(reader: SourceReader, signal: AbortSignal): AsyncGenerator<SourceItem> {
  const context = { signal, remembered: () => undefined, settled: () => undefined, keepDocs() {} };
  try {
    for await (const item of reader.list(context)) {
      signal.throwIfAborted();
      if (!isSkipped(item) && isPublished(item)) yield item;
    }
  } catch (error) {
    if (!(error instanceof AppError && error.code === "unavailable")) throw error;
  }
}

function take({ listed, found }: Pairing, { pages, isKept }: FreePages, location: string, path: string) {
  const page = pages.get(path);
  const from = listed.get(location);
  if (page === undefined || from === undefined || found.has(location)) return;
  pages.delete(path);
  found.set(location, { from, page, isKept });
}

function pairPaths(pairing: Pairing, side: FreePages): void {
  const left = [...pairing.listed].filter(([location]) => !pairing.found.has(location));
  const pairs = pairByPath(
    left.map(([, path]) => path),
    [...side.pages.values()],
  );
  for (const [location, path] of left) {
    const published = pairs.get(path);
    if (published !== undefined) take(pairing, side, location, published);
  }
}

function pairWords(pairing: Pairing, side: FreePages, words: readonly Words[]): void {
  const left = words.filter(({ location }) => !pairing.found.has(location));
  const published = [...side.pages.values()].map(({ path, title, headings }) => ({
    path,
    title,
    headings: headings.map(({ text }) => text),
  }));
  for (const [own, other] of pairByWords(left, published))
    take(pairing, side, left[own]?.location ?? "", published[other]?.path ?? "");
}

/** What a page is called, and its sections. */
interface Words extends UnpairedPage {
  location: string;
}

/** What those pages say that were not found by their addresses. */
async function wordsOf(
  { pageReading, reading: { anchors } }: Pick<Pass, "pageReading" | "reading">,
  { found }: Pairing,
  reader: SourceReader,
  signal: AbortSignal,
): Promise<Words[]> {
  const words: Words[] = [];
  for await (const item of pagesOf(reader, signal)) {
    const { location, path } = item;
    if (found.has(location)) continue;
    const text = await textOf(item);
    if (text === undefined) continue;
    const page = await pageReading.read(pageToRead(item, text, anchors));
    if ("unreadable" in page) continue;
    const headings = page.headings.map((heading) => heading.text);
    words.push({ location, path, title: page.title, headings });
  }
  return words;
}

/** What a page's file holds; one that cannot be read says so when it is read into the index. */
async function textOf(item: SourceItem): Promise<string | undefined> {
  try {
    return decodeText(await item.read(), { html: item.format === "html" })?.text;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
