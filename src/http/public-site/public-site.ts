import { encodePath } from "../../pages/page-path.ts";
import type { Page, PageStore } from "../../pages/pages.ts";
import type { Site } from "../../sites/sites.ts";
import { llmsTxt, markdownUrl } from "./llms-txt.ts";
import { llmsFull, wholeMarkdown } from "./llms-txt-full.ts";
import { publishedRoot, withLinksFromHere } from "./published-links.ts";
import { robotsTxt, SITEMAP_BOUNDS, type SitemapBounds, sitemapNumber, sitemapText } from "./sitemap.ts";
import { textResponse } from "./text-response.ts";

export interface PublicSiteOptions {
  pages: PageStore;
  llmsTxtPages: number;
  llmsFullBytes: number;
  sitemapBounds?: SitemapBounds;
}

/** A public site, and the address of its texts at the place where one was asked for, with a slash at its end. */
export interface PublicPlace {
  site: Site;
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
  links(place: PublicPlace, page: Pick<Page, "path">, query: string): string;
}

/** Changes when something else is written of the same pages. */
const FORM = 2;

export function createPublicSite({
  pages,
  llmsTxtPages,
  llmsFullBytes,
  sitemapBounds = SITEMAP_BOUNDS,
}: PublicSiteOptions): PublicSite {
  return {
    async list({ site, root, readerRoot }, name, request) {
      if (name === "robots.txt") {
        const text = robotsTxt(root);
        return textResponse(request, { type: "text/plain", state: text, links: [], text: () => text });
      }
      const number = sitemapNumber(name);
      if (number !== undefined) {
        const generation = await pages.visibleGeneration(site.id);
        const source = { pages, site, generation, root, readerRoot, bounds: sitemapBounds };
        const text = await sitemapText(source, number);
        if (text === undefined) return undefined;
        return textResponse(request, { type: "application/xml", state: text, links: [], text: () => text });
      }
      if (name !== "llms.txt" && name !== "llms-full.txt") return undefined;
      const generation = await pages.visibleGeneration(site.id);
      const source = { pages, site, generation, root, readerRoot };
      const { defaultVersion, defaultLanguage } = site.settings;
      const state = [
        FORM,
        name,
        site.id,
        site.createdAt,
        site.name,
        generation,
        defaultVersion,
        defaultLanguage,
      ];
      return textResponse(request, {
        type: "text/plain",
        state: JSON.stringify([
          ...state,
          root,
          publishedRoot({ site, readerRoot }),
          llmsTxtPages,
          llmsFullBytes,
        ]),
        links: [],
        text: () =>
          name === "llms.txt"
            ? llmsTxt({ ...source, pagesMax: llmsTxtPages })
            : llmsFull({ ...source, bytesMax: llmsFullBytes }),
      });
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

/** Where readers find a page: on the site itself. */
function canonical({ site }: PublicPlace, { path }: Pick<Page, "path">): string[] {
  return site.url === undefined ? [] : [`<${site.url}/${encodePath(path)}>; rel="canonical"`];
}
