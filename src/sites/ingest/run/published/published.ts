import { withoutForm } from "@docent/kernel/text/site-url";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { SourceReader } from "@docent/reading/source-reader";
import type { KeptPublishedPage, PublishedStore } from "../../stores.ts";
import type { Pass } from "../pass.ts";
import { asPublished, redirectsTo } from "./as-published.ts";
import { type Gathered, gatherPublished, type MetPage } from "./gather.ts";
import { listPaths, type Survey, surveySource } from "./survey.ts";

/** The site that a source is published as. */
export interface PublishedSite {
  address: string;
  /**
   * Reads it as it is now; where it may not be asked at all, why. Undefined: what is known of it counts. Where no sitemap says
   * where pages are, these are asked for.
   */
  open: (paths: readonly string[]) => Promise<SourceReader | { why: string } | undefined>;
  siteUrl: string | undefined;
}

/** How many pages of a source were found on the site that it is published as. */
export interface PublishedReport {
  address: string;
  /** The pages of the source. */
  pages: number;
  found: number;
  /** Those that were not found, and keep the address that they had there. */
  kept: number;
  /** Why the site was not read to its end; completes "<address> was not read to its end: …". */
  why: string | undefined;
}

/** A source with the addresses and ids of the site that it is published as. */
export interface ReadAsPublished {
  reader: SourceReader;
  /** From the addresses that the source says. */
  redirects: PageRedirect[];
  report: PublishedReport;
}

interface Reading {
  store: PublishedStore;
  site: PublishedSite;
  reader: SourceReader;
  signal: AbortSignal;
}

/** A sitemap, or a page. */
const FILE = /\.[a-z]{2,5}(?:\.gz)?$/i;

/**
 * The address below which the paths of published pages begin: the site's own where they are there, or else the one that is
 * named, as of a copy on another host.
 */
export function pathsBelow(published: string, siteUrl: string | undefined): string {
  const root = URL.parse(withoutForm(siteUrl ?? ""));
  const { host, pathname } = new URL(published);
  const isThere = root?.host === host && `${pathname}/`.startsWith(`${root.pathname.replace(/\/$/, "")}/`);
  if (isThere && siteUrl !== undefined) return withoutForm(siteUrl);
  return FILE.test(pathname) ? new URL(".", published).href : published;
}

/** Looks at the site that a source is published as, once, and pairs its pages with those of the source. */
export async function readAsPublished(
  pass: Pick<Pass, "pageReading" | "reading" | "source" | "onProgress">,
  { store, site, reader, signal }: Reading,
): Promise<ReadAsPublished> {
  const { pageReading, source, onProgress } = pass;
  const known = new Map((await store.list(source.id)).map((page) => [page.path, page]));
  const listed = await listPaths(reader, signal);
  const opened = await site.open([...new Set([...known.keys(), ...listed])]);
  // How many a site has is not known before its end.
  const onPage = onProgress && ((page: MetPage) => onProgress({ ...page, all: undefined }));
  const { pages, why } = await look({ opened, known, pageReading, signal, onPage });
  const before = new Map([...known].filter(([path]) => !pages.has(path)));
  const survey = await surveySource(pass, {
    reader,
    listed,
    site: [
      { pages: new Map(pages), isKept: false },
      { pages: before, isKept: true },
    ],
    signal,
  });
  await keep(store, source.id, { known, pages, survey, isWhole: why === undefined });
  const kept = [...survey.found.values()].filter(({ isKept }) => isKept).length;
  return {
    reader: asPublished(reader, { found: survey.found, siteUrl: site.siteUrl }),
    redirects: redirectsTo(survey.found),
    report: {
      address: site.address,
      pages: survey.pages,
      found: survey.found.size - kept,
      kept,
      why,
    },
  };
}

interface Look extends Omit<Parameters<typeof gatherPublished>[0], "reader"> {
  opened: Awaited<ReturnType<PublishedSite["open"]>>;
}

/** What the site has now, as far as it is asked. */
async function look({ opened, known, ...gathering }: Look): Promise<Gathered> {
  if (opened === undefined) return { pages: known, why: undefined };
  if ("why" in opened) return { pages: new Map(), why: opened.why };
  return gatherPublished({ ...gathering, reader: opened, known });
}

interface Found {
  known: ReadonlyMap<string, KeptPublishedPage>;
  pages: ReadonlyMap<string, KeptPublishedPage>;
  survey: Survey;
  isWhole: boolean;
}

/** Keeps what was found for a time at which the site cannot be reached, and of what it had before, what pages still use. */
async function keep(
  store: PublishedStore,
  sourceId: number,
  { known, pages, survey, isWhole }: Found,
): Promise<void> {
  const changed = [...pages.values()].filter((page) => known.get(page.path) !== page);
  await store.put(sourceId, changed);
  if (!isWhole) return;
  const used = new Set([...survey.found.values()].map(({ page }) => page.path));
  const gone = [...known.keys()].filter((path) => !pages.has(path) && !used.has(path));
  await store.remove(sourceId, gone);
}
