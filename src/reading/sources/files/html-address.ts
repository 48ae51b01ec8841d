import { decodeText } from "@docent/kernel/text/decode-bytes";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { decodeEntities } from "../../markdown/html-text.ts";
import type { ReadableFile } from "./tree-file.ts";

/** How the addresses of a site's pages end: as their files do, or without an extension. */
export type HtmlEnding = "file" | "none";

const HTML = /\.html?$/i;
/** Its address is that of its folder, whatever those of other pages are. */
const INDEX = /(?:^|\/)index\.html?$/i;

export const isHtmlName = (location: string) => HTML.test(location);

const ASKED_MAX = 24;
const ASKED_BYTES_MAX = 1_000_000;
/** So many of the pages that are asked have to agree: a theme may say the same address on every page, or none on most. */
const SHARE_MIN = 2 / 3;

/**
 * How pages of HTML are published: as most of them say by their canonical addresses, or else as their files are called, as
 * every static host serves them.
 */
export async function endingOf(files: readonly ReadableFile[], signal?: AbortSignal): Promise<HtmlEnding> {
  const html = files.filter(
    ({ location, sizeBytes }) =>
      isHtmlName(location) && !INDEX.test(location) && sizeBytes <= ASKED_BYTES_MAX,
  );
  const step = Math.max(1, html.length / ASKED_MAX);
  const asked = html.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  signal?.throwIfAborted();
  const said = await Promise.all(asked.map(saidBy));
  const without = said.filter((ending) => ending === "none").length;
  return without > asked.length * SHARE_MIN ? "none" : "file";
}

/** What a page says of its own address; undefined where that is not about this page. */
async function saidBy({ location, read }: ReadableFile): Promise<HtmlEnding | undefined> {
  // A page that cannot be read says so for itself.
  const bytes = await read().catch(() => undefined);
  const text = bytes === undefined ? undefined : decodeText(bytes, { html: true })?.text;
  const address = text === undefined ? undefined : ownAddressIn(text);
  const url = address === undefined ? null : URL.parse(address, "http://site.invalid/");
  if (url === null) return undefined;
  const name = location.slice(location.lastIndexOf("/") + 1);
  const said = decodePercent(url.pathname).replace(/\/$/, "");
  if (said.endsWith(`/${name}`)) return "file";
  return said.endsWith(`/${name.replace(HTML, "")}`) ? "none" : undefined;
}

/** The address that a page gives as its own, or shares itself by. */
function ownAddressIn(html: string): string | undefined {
  let canonical: string | undefined;
  let shared: string | undefined;
  const rewriter = new HTMLRewriter()
    .on("link[rel][href]", {
      element(element) {
        const rel = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
        if (rel.includes("canonical")) canonical ??= element.getAttribute("href") ?? undefined;
      },
    })
    .on("meta[property][content]", {
      element(element) {
        if (element.getAttribute("property")?.toLowerCase() === "og:url")
          shared ??= element.getAttribute("content") ?? undefined;
      },
    });
  try {
    rewriter.transform(html);
  } catch {
    // Markup that the parser gives up on: what was found so far is what there is.
  }
  const address = canonical ?? shared;
  return address === undefined ? undefined : decodeEntities(address).trim();
}
