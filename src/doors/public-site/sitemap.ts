import { encodePath, hrefOf } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageEntry, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { listedPages } from "./llms-txt.ts";
import { publishedRoot } from "./published-links.ts";

interface Sitemap {
  pages: Pick<PageStore, "listPages" | "lastChanges">;
  site: Site;
  audience: Audience;
  generation: number;
  /** The address of the site's texts here, with a slash at its end. */
  root: string;
  /** The address of its pages, where they are published nowhere else. */
  readerRoot: string;
  bounds: SitemapBounds;
}

/** What one file may hold. More is in further ones, which an index names. */
export interface SitemapBounds {
  addresses: number;
  bytes: number;
}

export const SITEMAP_BOUNDS: SitemapBounds = { addresses: 50_000, bytes: 50_000_000 };

const NAME = /^sitemap(?:-([1-9]\d{0,3}))?\.xml$/;
/** Longer ones are no addresses to those who read sitemaps. */
const ADDRESS_CHARACTERS_MAX = 2048;
const FRAME_BYTES = 200;
const PAGES_AT_ONCE = 200;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Which file a name asks for: 0 is the whole list, or the index of its parts. Undefined: none. */
export function sitemapNumber(name: string): number | undefined {
  const found = NAME.exec(name);
  return found === null ? undefined : Number(found[1] ?? 0);
}

/** A site's robots.txt: everything may be read, and the sitemap says what there is. */
export const robotsTxt = (root: string) => `User-agent: *\nAllow: /\n\nSitemap: ${root}sitemap.xml\n`;

/** A file of a site's sitemap; undefined for a part that there is not. */
export async function sitemapText(source: Sitemap, number: number): Promise<string | undefined> {
  const parts = await partsOf(source, number);
  if (number > 0) return parts.count > 1 ? parts.wanted : undefined;
  if (parts.count === 1) return parts.wanted;
  const files = Array.from({ length: parts.count }, (_, at) => `${source.root}sitemap-${at + 1}.xml`);
  return `${HEAD}<sitemapindex ${SCHEMA}>\n${files.map((file) => `<sitemap><loc>${escaped(file)}</loc></sitemap>\n`).join("")}</sitemapindex>\n`;
}

/** How many files there are, and the text of the one that is asked for: of the first one, where it is the whole list. */
async function partsOf(
  source: Sitemap,
  number: number,
): Promise<{ count: number; wanted: string | undefined }> {
  const { bounds } = source;
  const kept = Math.max(1, number);
  let count = 1;
  let addresses = 0;
  let bytes = FRAME_BYTES;
  let text = "";
  for await (const entry of entriesOf(source)) {
    const size = Buffer.byteLength(entry);
    if (addresses === bounds.addresses || bytes + size > bounds.bytes) {
      count++;
      addresses = 0;
      bytes = FRAME_BYTES;
    }
    addresses++;
    bytes += size;
    if (count === kept) text += entry;
  }
  const wanted = kept <= count ? `${HEAD}<urlset ${SCHEMA}>\n${text}</urlset>\n` : undefined;
  return { count, wanted };
}

async function* entriesOf(source: Sitemap): AsyncIterable<string> {
  let some: PageEntry[] = [];
  for await (const page of listedPages(source, "")) {
    some.push(page);
    if (some.length < PAGES_AT_ONCE) continue;
    yield* await describe(source, some);
    some = [];
  }
  yield* await describe(source, some);
}

async function describe({ pages, site, readerRoot }: Sitemap, some: PageEntry[]): Promise<string[]> {
  const changes = await pages.lastChanges(some.map(({ id }) => id));
  const root = publishedRoot({ site, readerRoot });
  return some.flatMap((page) => {
    const { id, path } = page;
    const own = site.url === undefined ? encodePath(path) : hrefOf({ ...page, anchor: "" }).slice(1);
    const address = escaped(root + own);
    const at = changes.get(id);
    const changed = at === undefined ? "" : `<lastmod>${new Date(at).toISOString()}</lastmod>`;
    return address.length > ADDRESS_CHARACTERS_MAX ? [] : `<url><loc>${address}</loc>${changed}</url>\n`;
  });
}

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("'", "&apos;")
    .replaceAll('"', "&quot;");
