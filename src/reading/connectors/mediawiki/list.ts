import { z } from "zod";
import { menuOfWiki, namesIn } from "../../generators/mediawiki/mediawiki.ts";
import type { ListedPage, ServerBounds, ServerListing, ServerMenuEntry } from "../connector.ts";
import { entriesOf } from "../title-tree.ts";
import type { MediaWikiApi } from "./api.ts";
import type { Wiki } from "./wiki.ts";

/** What the wiki says of a page without its words. */
export const PAGE_INFO = z.object({
  pageid: z.number().optional(),
  ns: z.number(),
  title: z.string(),
  missing: z.boolean().optional(),
  redirect: z.boolean().optional(),
  contentmodel: z.string().optional(),
  /** Changes with templates and images, too. */
  touched: z.string().optional(),
  lastrevid: z.number().optional(),
});
export type PageInfo = z.infer<typeof PAGE_INFO>;

const PAGES = z.object({ query: z.object({ pages: z.array(PAGE_INFO) }).optional() });
const REDIRECTS = z.object({
  query: z
    .object({ allpages: z.array(z.object({ pageid: z.number(), title: z.string() })).default([]) })
    .optional(),
});
const TARGETS = z.object({
  query: z
    .object({
      allredirects: z
        .array(z.object({ fromid: z.number(), title: z.string(), fragment: z.string().optional() }))
        .default([]),
    })
    .optional(),
});
const CONTENT = z.object({
  query: z.object({
    pages: z.array(
      z.object({
        revisions: z
          .array(z.object({ slots: z.object({ main: z.object({ content: z.string() }) }) }))
          .optional(),
      }),
    ),
  }),
});

export const listedPage = (wiki: Wiki, info: PageInfo): ListedPage => ({
  id: String(info.pageid ?? ""),
  address: wiki.addressOf(info.title),
  title: info.title,
  changedAt: info.touched ?? "",
  revision: String(info.lastrevid ?? ""),
});

/** What a page has to be so that readers have something of it. */
export const isText = ({ contentmodel }: PageInfo) =>
  contentmodel === undefined || contentmodel === "wikitext";

export async function listPages(
  wiki: Wiki,
  api: MediaWikiApi,
  { pagesMax }: ServerBounds,
): Promise<ServerListing> {
  const infos: PageInfo[] = [];
  for (const namespace of wiki.namespaces.keys()) {
    for await (const part of infosOf(api, namespace)) {
      infos.push(...part);
      if (infos.length > pagesMax) break;
    }
  }
  const pages = infos.filter(isText);
  const others = infos.filter((info) => !isText(info));
  return {
    pages: pages.map((info) => listedPage(wiki, info)),
    leftOut: [
      ...others.map(({ title, contentmodel }) => ({
        address: wiki.addressOf(title),
        detail: `is no wikitext but ${contentmodel}`,
      })),
      ...[...wiki.others].map(([name, what]) => ({
        address: wiki.addressOf(`${name}:`),
        detail: `is for ${what}`,
      })),
    ],
    menu: await menuOf(wiki, api, pages),
    redirects: await redirectsOf(wiki, api),
  };
}

async function* infosOf(api: MediaWikiApi, namespace: number): AsyncGenerator<PageInfo[]> {
  const parts = api.parts(
    {
      action: "query",
      generator: "allpages",
      gapnamespace: String(namespace),
      gapfilterredir: "nonredirects",
      gaplimit: "max",
      prop: "info",
    },
    PAGES,
  );
  for await (const { query } of parts) yield query?.pages ?? [];
}

/** Where redirects lead, of those that are pages of this wiki: the one list has their titles, the other their targets. */
async function redirectsOf(wiki: Wiki, api: MediaWikiApi): Promise<ServerListing["redirects"]> {
  const titles = new Map<number, string>();
  const found: ServerListing["redirects"] = [];
  for (const apnamespace of wiki.namespaces.keys())
    for await (const { query } of api.parts(
      {
        action: "query",
        list: "allpages",
        apnamespace: String(apnamespace),
        apfilterredir: "redirects",
        aplimit: "max",
      },
      REDIRECTS,
    ))
      for (const { pageid, title } of query?.allpages ?? []) titles.set(pageid, title);
  if (titles.size === 0) return [];
  for (const arnamespace of wiki.namespaces.keys())
    for await (const { query } of api.parts(
      {
        action: "query",
        list: "allredirects",
        arnamespace: String(arnamespace),
        arprop: "ids|title|fragment",
        arlimit: "max",
      },
      TARGETS,
    ))
      for (const { fromid, title, fragment } of query?.allredirects ?? []) {
        const from = titles.get(fromid);
        const place = fragment === undefined ? "" : `#${fragment.replaceAll(" ", "_")}`;
        if (from !== undefined) found.push({ from: wiki.addressOf(from), to: wiki.addressOf(title) + place });
      }
  return found;
}

/** The menu that the wiki's owners made, and below it all other pages as a tree of their titles. */
async function menuOf(wiki: Wiki, api: MediaWikiApi, pages: readonly PageInfo[]): Promise<ServerMenuEntry[]> {
  const { query } = await api.ask(
    { action: "query", prop: "revisions", titles: "MediaWiki:Sidebar", rvprop: "content", rvslots: "main" },
    CONTENT,
  );
  const known = new Map(pages.map(({ title }) => [title, wiki.addressOf(title)]));
  const main = known.get(wiki.mainPage);
  const menu = menuOfWiki({
    main: main === undefined ? undefined : { label: wiki.mainPage, path: main },
    sidebar: query.pages[0]?.revisions?.[0]?.slots.main.content ?? "",
    pathOf: (title) => known.get(title.replaceAll("_", " ").trim()),
    pages: pages.map(({ title, ns }) => {
      const space = wiki.namespaces.get(ns) ?? "";
      const name = space === "" ? title : title.slice(space.length + 1);
      return { titles: [...(space === "" ? [] : [space]), ...namesIn(name)], path: wiki.addressOf(title) };
    }),
  });
  return entriesOf(menu);
}
