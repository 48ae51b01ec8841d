import { z } from "zod";
import { DAY_MS } from "../../lib/clock.ts";
import type { ServerChanges } from "../connector.ts";
import type { MediaWikiApi } from "./api.ts";
import { isText, listedPage, PAGE_INFO, type PageInfo } from "./list.ts";
import type { Wiki } from "./wiki.ts";

const CHANGE = z.object({ ns: z.number(), title: z.string(), timestamp: z.string() });
const CHANGES = z.object({ query: z.object({ recentchanges: z.array(CHANGE) }) });
const PAGES = z.object({ query: z.object({ pages: z.array(PAGE_INFO) }) });

/** More is found faster by the list of all pages. */
const TITLES_MAX = 500;
const TITLES_AT_ONCE = 50;

/**
 * A change to what stands on other pages reaches them by and by: templates (10), modules (828), files (6) and words of the
 * program (8). For as long, the list of all pages is asked, which tells when each was made anew.
 */
const ON_OTHER_PAGES = "6|8|10|828";
const REACHES_PAGES_MS = DAY_MS;

/** What the wiki's recent changes say; undefined where they do not reach back so far, or concern too much. */
export async function changesSince(
  wiki: Wiki,
  api: MediaWikiApi,
  time: string,
): Promise<ServerChanges | undefined> {
  const changes = (parameters: Readonly<Record<string, string>>) =>
    api.ask(
      { action: "query", list: "recentchanges", rcprop: "title|timestamp", rclimit: "max", ...parameters },
      CHANGES,
    );
  const since = Date.parse(time);
  if (Number.isNaN(since)) return undefined;
  const [oldest] = (await changes({ rcdir: "newer", rclimit: "1" })).query.recentchanges;
  if (oldest === undefined || Date.parse(oldest.timestamp) > since) return undefined;
  const other = await changes({
    rcnamespace: ON_OTHER_PAGES,
    rcend: new Date(since - REACHES_PAGES_MS).toISOString(),
    rclimit: "1",
  });
  if (other.query.recentchanges.length > 0) return undefined;
  const own = await changes({
    rcnamespace: [...wiki.namespaces.keys()].join("|"),
    rcend: time,
    rctype: "edit|new|log",
  });
  const titles = [...new Set(own.query.recentchanges.map(({ title }) => title))];
  if (titles.length > TITLES_MAX || own.query.recentchanges.length >= TITLES_MAX) return undefined;
  const infos: PageInfo[] = [];
  for (let at = 0; at < titles.length; at += TITLES_AT_ONCE) {
    const some = titles.slice(at, at + TITLES_AT_ONCE).join("|");
    const { query } = await api.ask({ action: "query", prop: "info", titles: some }, PAGES);
    infos.push(...query.pages);
  }
  const isThere = (info: PageInfo) =>
    info.missing !== true && info.redirect !== true && info.pageid !== undefined && isText(info);
  return {
    pages: infos.filter(isThere).map((info) => listedPage(wiki, info)),
    removed: infos.filter((info) => !isThere(info)).map(({ title }) => wiki.addressOf(title)),
  };
}
