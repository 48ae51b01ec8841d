import { decodePercent } from "@docent/kernel/text/decode-percent";
import { blocksOf, createMenuCollector, type PageBlocks, type Target } from "../../built-menu/built-menu.ts";
import { REST } from "../../page/menu.ts";
import type { ListContext } from "../../source-reader.ts";
import { type PageAddress, pageAddress, type SourceScope } from "../page-address.ts";

/** The menu that the pages of a crawl show, which is known at its end. */
export interface CrawledMenu {
  /** Hears of a page that the crawl takes, with what it shows where it was sent. */
  hear(path: string, page: { shown?: PageBlocks; isHeld?: boolean }): void;
  /** Tells the menu, or that it stays as it was where too few pages were sent to tell. */
  tell(context: ListContext): void;
}

/** Pages as they were are no more than so many of those that a menu is read from. */
const HELD_SHARE_MAX = 0.1;

export function createCrawledMenu(): CrawledMenu {
  const collector = createMenuCollector();
  const pages = new Set<string>();
  let held = 0;
  return {
    hear(path, { shown, isHeld = false }) {
      pages.add(path);
      if (isHeld) held += 1;
      else if (shown !== undefined) collector.add(path, shown);
    },
    tell(context) {
      if (held > pages.size * HELD_SHARE_MAX) return context.keepDocs();
      const menu = collector.menu((path) => pages.has(path));
      if (menu !== undefined) context.onMenu?.([...menu, REST]);
    },
  };
}

/** What a page of a crawl shows of menus. */
export function shownOn(html: string, page: PageAddress, scope: SourceScope): PageBlocks {
  const resolve = (href: string): Target | undefined => {
    const url = URL.parse(href, page.url);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    const own = pageAddress(href, page.url, scope, { keepQuery: false });
    if (own !== undefined) return { path: own.path, anchor: decodePercent(url.hash.slice(1)) };
    return url.origin === scope.origin ? undefined : { href: url.href };
  };
  return blocksOf(html, { path: page.path, resolve });
}
