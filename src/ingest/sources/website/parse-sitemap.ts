import { decodeEntities } from "../../../markdown/html-text.ts";

/** What a sitemap lists: pages, or further sitemaps. */
export interface Sitemap {
  pages: string[];
  sitemaps: string[];
}

/**
 * Reads a sitemap, as XML or as one address a line; undefined where the text is neither. It looks for the addresses
 * alone, so there are no entities to expand and no depth to run into.
 */
export function parseSitemap(text: string, addressesMax: number): Sitemap | undefined {
  if (/<sitemapindex[\s>]/i.test(text)) return { pages: [], sitemaps: locations(text, addressesMax) };
  if (/<urlset[\s>]/i.test(text)) return { pages: locations(text, addressesMax), sitemaps: [] };
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/, addressesMax)
    .map((line) => line.trim());
  const pages = lines.filter((line) => line !== "");
  return pages.length > 0 && pages.every((line) => /^https?:\/\/\S+$/.test(line))
    ? { pages, sitemaps: [] }
    : undefined;
}

/** What stands between <loc> and </loc>. Each character is looked at once: no text can make it slow. */
function locations(text: string, addressesMax: number): string[] {
  const found: string[] = [];
  let position = 0;
  while (found.length < addressesMax) {
    const open = text.indexOf("<loc", position);
    const start = open < 0 ? -1 : text.indexOf(">", open) + 1;
    const end = start <= 0 ? -1 : text.indexOf("</loc", start);
    if (end < 0) break;
    position = end;
    // Not <location>, and not an element that was never closed.
    if (!/^<loc\s*>$/.test(text.slice(open, Math.min(start, open + 20)))) position = open + 4;
    else found.push(addressIn(text.slice(start, end)));
  }
  return found.filter((address) => address !== "");
}

const CDATA_OPEN = "<![CDATA[";

function addressIn(content: string): string {
  const plain = content.trim();
  return plain.startsWith(CDATA_OPEN)
    ? plain.slice(CDATA_OPEN.length).replace("]]>", "").trim()
    : decodeEntities(plain);
}
