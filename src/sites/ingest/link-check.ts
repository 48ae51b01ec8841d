import type { LinkCounts } from "@docent/kernel/text/lost-links/lost-links";
import { createNavigation, type NavigationStore } from "../pages/navigation/navigation.ts";
import { resolveLink } from "../pages/page-link.ts";
import type { NavigationEntry } from "../pages/pages.ts";
import type { Site } from "../site/sites.ts";
import { brokenLinks, entriesOf, type InnerLink } from "./fidelity/fidelity.ts";

/** A page as it was read: what it links to, and what links to it may name. */
export interface LinkedPage {
  path: string;
  location: string;
  /** As the page has them. */
  links: readonly string[];
  anchors: readonly string[];
}

/** What the links between the pages of a source say of how it was read. */
export interface LinkCheck extends LinkCounts {
  examples: { path: string; href: string }[];
}

/** Looks whether links between pages that were just read lead anywhere, as readers of a generation follow them. */
export type CheckLinks = (
  site: Pick<Site, "id" | "url" | "generation" | "settings">,
  pages: readonly LinkedPage[],
  signal: AbortSignal,
) => Promise<LinkCheck>;

const EXAMPLES_MAX = 5;

export function createLinkCheck(store: NavigationStore): CheckLinks {
  return async ({ id: siteId, url: siteUrl, generation, settings }, pages, signal) => {
    const read = new Map(pages.map((page) => [page.path, page]));
    const { defaultVersion: version, defaultLanguage: language } = settings;
    const defaults = { version, language };
    const menus = await createNavigation(store).of({ siteId, generation, audience: "everything", defaults });
    const looked: { entry: NavigationEntry; facts: { anchors: ReadonlySet<string>; links: InnerLink[] } }[] =
      [];
    for await (const entry of entriesOf(store, siteId, generation)) {
      signal.throwIfAborted();
      const page = entry.hidden ? undefined : read.get(entry.path);
      if (page === undefined) continue;
      const base = { path: entry.path, location: page.location, siteUrl };
      looked.push({ entry, facts: { anchors: new Set(page.anchors), links: innerLinks(page.links, base) } });
    }
    const lost = [...brokenLinks(looked, menus)];
    return {
      links: looked.reduce((sum, { facts }) => sum + facts.links.length, 0),
      lost: lost.length,
      examples: lost.slice(0, EXAMPLES_MAX).map(({ entry, link }) => ({ path: entry.path, href: link.href })),
    };
  };
}

function innerLinks(links: readonly string[], base: Parameters<typeof resolveLink>[1]): InnerLink[] {
  return links.flatMap((href) => {
    const target = href.startsWith("?") ? undefined : resolveLink(href, base);
    return target?.kind === "page" ? [{ href, path: target.path, anchor: target.anchor }] : [];
  });
}
