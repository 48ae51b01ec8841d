import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type { ResponseHead } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import { scopeName } from "../page-address.ts";
import { looksLikeHtml, mediaType, toUtf8 } from "../response-text.ts";
import { isAllowed } from "./robots.ts";
import type { CrawledSite } from "./site.ts";

/** Pages on which a site's twins are looked for before it is taken to have none. */
const PROBED_PAGES = 3;
/** Links to twins that may lead nowhere before they are no longer followed. */
const BROKEN_LINKS_MAX = 3;
const MARKDOWN_TYPES = ["text/markdown", "text/x-markdown"];
/** What a server may call a file whose name ends in .md. */
const FILE_TYPES = [...MARKDOWN_TYPES, "text/plain", "application/octet-stream", ""];

const HTML_FILE = /\.x?html?$/i;
const withoutExtension = (page: string) => page.replace(HTML_FILE, "");

/** Where sites keep the Markdown of a page that is at `page`, an address without a slash at its end. */
const PLACES = {
  beside: (page: string) => `${withoutExtension(page) || "/index"}.md`,
  inside: (page: string) => `${withoutExtension(page)}/index.md`,
  appended: (page: string) => (HTML_FILE.test(page) ? `${page}.md` : `${page}/index.html.md`),
};
type Place = keyof typeof PLACES;
type Kind = Place | "negotiated";
const KINDS: readonly Kind[] = ["beside", "negotiated", "inside", "appended"];

/** Finds the Markdown that a page was made of. */
export interface MarkdownTwins {
  /** The page's Markdown, as UTF-8; undefined where the site has none. `linked` is what the page itself names. */
  find(url: string, linked: string | undefined): Promise<Uint8Array | undefined>;
}

/** Asks for none. */
export const NO_TWINS: MarkdownTwins = { find: async () => undefined };

/** What was learned of where a site has its twins. */
interface TwinSearch {
  site: CrawledSite;
  places: { kind: Kind; hits: number; misses: number }[];
  pagesAsked: number;
  brokenLinks: number;
  /** While it is not known where twins are, one page after the other is asked for its own. */
  turn: Promise<unknown>;
}

/** Learns from a site's first pages whether it has twins and where. */
export function createMarkdownTwins(site: CrawledSite): MarkdownTwins {
  const places = KINDS.map((kind) => ({ kind, hits: 0, misses: 0 }));
  const search: TwinSearch = { site, places, pagesAsked: 0, brokenLinks: 0, turn: Promise.resolve() };
  return { find: (url, linked) => findTwin(search, url, linked) };
}

async function findTwin(
  search: TwinSearch,
  url: string,
  linked: string | undefined,
): Promise<Uint8Array | undefined> {
  if (linked !== undefined && search.brokenLinks < BROKEN_LINKS_MAX) {
    const twin = await fetchTwin(search.site, linked, FILE_TYPES);
    search.brokenLinks = twin === undefined ? search.brokenLinks + 1 : 0;
    if (twin !== undefined) return twin;
  }
  if (search.pagesAsked >= PROBED_PAGES) return searchTwin(search, url);
  const found = search.turn.then(() => searchTwin(search, url));
  search.turn = found.catch(() => {});
  return found;
}

async function searchTwin(search: TwinSearch, url: string): Promise<Uint8Array | undefined> {
  const hopeful = search.places.filter(({ hits, misses }) => misses - hits < PROBED_PAGES);
  for (const place of hopeful.sort((a, b) => b.hits - a.hits)) {
    const twin = await fetchKind(search.site, place.kind, url);
    if (twin === undefined) place.misses++;
    else if (place.hits === 0 && (await answersAnything(search.site, place.kind)))
      place.misses = Number.POSITIVE_INFINITY;
    else {
      place.hits++;
      search.pagesAsked++;
      return twin;
    }
  }
  search.pagesAsked++;
  return undefined;
}

/** A site that has Markdown for a page which does not exist has the same for every page. */
async function answersAnything(site: CrawledSite, candidate: Kind): Promise<boolean> {
  if (candidate === "negotiated") return false;
  return (
    (await fetchKind(site, candidate, `${scopeName(site.scope)}docent-asks-for-no-such-page`)) !== undefined
  );
}

function fetchKind(site: CrawledSite, candidate: Kind, url: string): Promise<Uint8Array | undefined> {
  if (candidate === "negotiated") return fetchTwin(site, url, MARKDOWN_TYPES);
  const page = new URL(url);
  page.search = "";
  page.pathname = PLACES[candidate](page.pathname.replace(/\/+$/, ""));
  return fetchTwin(site, page.href, FILE_TYPES);
}

async function fetchTwin(
  site: CrawledSite,
  url: string,
  types: readonly string[],
): Promise<Uint8Array | undefined> {
  const { scope, robots, fetch, signal, pageBytesMax: bytesMax } = site;
  if (new URL(url).origin !== scope.origin || !isAllowed(robots, url)) return undefined;
  const wantsBody = ({ status, headers }: ResponseHead) =>
    status === 200 && types.includes(mediaType(headers));
  try {
    const response = await fetch.get(url, {
      signal,
      bytesMax,
      wantsBody,
      redirect: "manual",
      // The page itself is there already: its Markdown is not worth waiting for.
      attempts: 1,
      headers: { accept: "text/markdown, text/plain;q=0.5" },
    });
    const isTwin = wantsBody(response) && response.body.length > 0 && !looksLikeHtml(response.body);
    return isTwin ? toUtf8(response.body, response.headers) : undefined;
  } catch (cause) {
    if (cause instanceof FetchFault) return undefined;
    throw cause;
  }
}
