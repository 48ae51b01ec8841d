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
  /** By the path that the source says: one file may be several pages. */
  found: ReadonlyMap<string, FoundPage>;
  /** How many pages the source has that a site may publish. */
  pages: number;
}

/** The page of the site that a page of a source is. */
export interface FoundPage {
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
  /** The paths that the source says. */
  listed: ReadonlySet<string>;
  /** The site's pages, those first that are there now. */
  site: readonly FreePages[];
  signal: AbortSignal;
}

/** The paths that a source says, and what the site has of them. */
interface Pairing {
  listed: ReadonlySet<string>;
  found: Map<string, FoundPage>;
}

/**
 * Finds the pages of a source on the site that it is published as: by the addresses that the source tells, and where nothing is
 * there, by what the pages say. Of the source, only pages that are looked for by their words are read.
 */
export async function surveySource(
  pass: Pick<Pass, "pageReading" | "reading">,
  { reader, listed, site, signal }: Surveying,
): Promise<Survey> {
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

/** The paths of the pages that a source lists. */
export async function listPaths(reader: SourceReader, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const { path } of pagesOf(reader, signal)) paths.add(path);
  return paths;
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

function take({ listed, found }: Pairing, { pages, isKept }: FreePages, own: string, path: string): void {
  const page = pages.get(path);
  if (page === undefined || !listed.has(own) || found.has(own)) return;
  pages.delete(path);
  found.set(own, { page, isKept });
}

function pairPaths(pairing: Pairing, side: FreePages): void {
  const left = [...pairing.listed].filter((path) => !pairing.found.has(path));
  for (const [own, path] of pairByPath(left, [...side.pages.values()])) take(pairing, side, own, path);
}

function pairWords(pairing: Pairing, side: FreePages, words: readonly UnpairedPage[]): void {
  const left = words.filter(({ path }) => !pairing.found.has(path));
  const published = [...side.pages.values()].map(({ path, title, headings }) => ({
    path,
    title,
    headings: headings.map(({ text }) => text),
  }));
  for (const [own, other] of pairByWords(left, published))
    take(pairing, side, left[own]?.path ?? "", published[other]?.path ?? "");
}

/** What those pages say that were not found by their addresses. */
async function wordsOf(
  { pageReading, reading: { anchors } }: Pick<Pass, "pageReading" | "reading">,
  { found }: Pairing,
  reader: SourceReader,
  signal: AbortSignal,
): Promise<UnpairedPage[]> {
  const words: UnpairedPage[] = [];
  for await (const item of pagesOf(reader, signal)) {
    const { path } = item;
    if (found.has(path)) continue;
    const text = await textOf(item);
    if (text === undefined) continue;
    const page = await pageReading.read(pageToRead(item, text, anchors));
    if ("unreadable" in page) continue;
    const headings = page.headings.map((heading) => heading.text);
    words.push({ path, title: page.title, headings });
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
