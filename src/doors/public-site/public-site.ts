import { addressBelow } from "@docent/kernel/text/site-url";
import { hrefOf } from "@docent/reading/page/page-path";
import { type Audience, audienceKey } from "@docent/sites/pages/audience";
import type { Navigation } from "@docent/sites/pages/navigation/navigation";
import type { Page, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { textReply } from "../request/compress.ts";
import { isKnownEtag } from "../request/etag.ts";
import { llmsTxt, markdownUrl } from "./llms-txt.ts";
import { llmsFull, wholeMarkdown } from "./llms-txt-full.ts";
import { publishedRoot, withLinksFromHere } from "./published-links.ts";
import { robotsTxt, SITEMAP_BOUNDS, sitemapNumber, sitemapText } from "./sitemap.ts";

interface PublicSiteOptions {
  pages: PageStore;
  navigation: Navigation;
  /** The settings it reads, under their own names. */
  settings: { llms_txt_pages: number; llms_full_bytes: number };
}

/** A public site, and the address of its texts at the place where one was asked for, with a slash at its end. */
export interface PublicPlace {
  site: Site;
  /** Who reads it. */
  audience: Audience;
  root: string;
  /** The address of its pages in the reader at that place. */
  readerRoot: string;
}

/** What programs read of a site whose content is public. */
export interface PublicSite {
  /** llms.txt, llms-full.txt, robots.txt, or a file of the sitemap; undefined for any other name. */
  list(place: PublicPlace, name: string, request: Request): Promise<Response | undefined>;
  /** A page as Markdown. */
  markdown(place: PublicPlace, page: Page, request: Request): Promise<Response>;
  /** The `link` header that leads from a page to its Markdown, and to where it is published. */
  links(place: PublicPlace, page: Pick<Page, "path" | "location">, query: string): string;
}

/** The version of what is written of the same pages: it is part of their etags. */
const FORM = 3;

export function createPublicSite(options: PublicSiteOptions): PublicSite {
  const { pages } = options;
  return {
    async list(place, name, request) {
      if (name === "robots.txt") return robots(place, request);
      const number = sitemapNumber(name);
      if (number !== undefined) return sitemap(options, place, number, request);
      return name === "llms.txt" || name === "llms-full.txt"
        ? llms(options, place, name, request)
        : undefined;
    },
    async markdown(place, page, request) {
      const markdown = await withLinksFromHere(page.markdown, { pages, ...place, page });
      const text = wholeMarkdown({ title: page.title, markdown });
      return textResponse(request, {
        type: "text/markdown",
        state: text,
        links: canonical(place, page),
        text: () => text,
      });
    },
    links(place, page, query) {
      const own = `<${markdownUrl(place.root, page.path)}${query}>; rel="alternate"; type="text/markdown"`;
      return [own, ...canonical(place, page)].join(", ");
    },
  };
}

function robots({ root }: PublicPlace, request: Request): Promise<Response> {
  const text = robotsTxt(root);
  return textResponse(request, { type: "text/plain", state: text, links: [], text: () => text });
}

async function sitemap(
  { pages }: PublicSiteOptions,
  place: PublicPlace,
  number: number,
  request: Request,
): Promise<Response | undefined> {
  const generation = await pages.visibleGeneration(place.site.id);
  const text = await sitemapText({ pages, ...place, generation, bounds: SITEMAP_BOUNDS }, number);
  if (text === undefined) return undefined;
  return textResponse(request, { type: "application/xml", state: text, links: [], text: () => text });
}

async function llms(
  { pages, navigation, settings: bounds }: PublicSiteOptions,
  place: PublicPlace,
  name: "llms.txt" | "llms-full.txt",
  request: Request,
): Promise<Response> {
  const { site, audience, root } = place;
  const { id, createdAt, settings } = site;
  const generation = await pages.visibleGeneration(id);
  const defaults = { version: settings.defaultVersion, language: settings.defaultLanguage };
  const { hasMenu, tree } = await navigation.of({ siteId: id, generation, audience, defaults });
  // All languages are listed, each with its own menu.
  const menu = hasMenu ? tree({ version: defaults.version }) : undefined;
  const source = { pages, ...place, generation, menu };
  const state = [FORM, name, audienceKey(audience), id, createdAt, site.name, generation];
  state.push(settings.defaultVersion, settings.defaultLanguage, root, publishedRoot(place));
  return textResponse(request, {
    type: "text/plain",
    state: JSON.stringify([...state, bounds.llms_txt_pages, bounds.llms_full_bytes]),
    links: [],
    text: () =>
      name === "llms.txt"
        ? llmsTxt({ ...source, docsOnly: true, pagesMax: bounds.llms_txt_pages })
        : llmsFull({ ...source, docsOnly: true, bytesMax: bounds.llms_full_bytes }),
  });
}

/** Where readers find a page: on the site itself. */
function canonical({ site }: PublicPlace, page: Pick<Page, "path" | "location">): string[] {
  return site.url === undefined
    ? []
    : [`<${addressBelow(site.url, hrefOf({ ...page, anchor: "" }))}>; rel="canonical"`];
}

interface PublicText {
  type: "text/plain" | "text/markdown" | "application/xml";
  /** The state that the text is made from: the same state makes the same text. */
  state: string;
  links: string[];
  text: () => string | AsyncIterable<string>;
}

/** Text for programs; 304 where they have it already. */
async function textResponse(request: Request, { type, state, links, text }: PublicText): Promise<Response> {
  // A proxy may compress it: the same text, other bytes.
  const etag = `W/"${new Bun.CryptoHasher("sha256", "public text").update(state).digest("base64url").slice(0, 27)}"`;
  const headers: Record<string, string> = {
    etag,
    "content-type": `${type}; charset=utf-8`,
    // A site may stop being public at any time.
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
    ...(links.length > 0 ? { link: links.join(", ") } : {}),
  };
  if (isKnownEtag(etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  const body = text();
  return typeof body === "string"
    ? textReply(request, body, { headers })
    : new Response(streamOf(body), { headers });
}

/** Nothing is read before there is room for it: a slow reader of a large site costs little. */
function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = text[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
}
