import { encodePath } from "../../pages/page-path.ts";
import type { Page, PageStore } from "../../pages/pages.ts";
import type { Site } from "../../sites/sites.ts";
import { llmsTxt, markdownUrl } from "./llms-txt.ts";
import { llmsFull, wholeMarkdown } from "./llms-txt-full.ts";
import { textResponse } from "./text-response.ts";

export interface PublicSiteOptions {
  pages: PageStore;
  llmsTxtPages: number;
  llmsFullBytes: number;
}

/** A public site, and the address of its texts at the place where one was asked for, with a slash at its end. */
export interface PublicPlace {
  site: Site;
  root: string;
}

/** What programs read of a site whose content is public. */
export interface PublicSite {
  /** llms.txt or llms-full.txt; undefined for any other name. */
  list(place: PublicPlace, name: string, request: Request): Promise<Response | undefined>;
  /** A page as Markdown. */
  markdown(place: PublicPlace, page: Page, request: Request): Response;
  /** The `link` header that leads from a page to its Markdown, and to where it is published. */
  links(place: PublicPlace, page: Pick<Page, "path">, query: string): string;
}

/** Changes when something else is written of the same pages. */
const FORM = 1;

export function createPublicSite({ pages, llmsTxtPages, llmsFullBytes }: PublicSiteOptions): PublicSite {
  return {
    async list({ site, root }, name, request) {
      if (name !== "llms.txt" && name !== "llms-full.txt") return undefined;
      const generation = await pages.visibleGeneration(site.id);
      const source = { pages, site, generation, root };
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
        state: JSON.stringify([...state, root, llmsTxtPages, llmsFullBytes]),
        links: [],
        text: () =>
          name === "llms.txt"
            ? llmsTxt({ ...source, pagesMax: llmsTxtPages })
            : llmsFull({ ...source, bytesMax: llmsFullBytes }),
      });
    },
    markdown(place, page, request) {
      const text = wholeMarkdown(page);
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
