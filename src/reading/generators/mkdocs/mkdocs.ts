import { asRecord, asText } from "@docent/kernel/text/json";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { awesomeMenu } from "./awesome-menu.ts";
import { arrangeFolders } from "./folder-menus.ts";
import { createHeadingNames, unicodeSlug } from "./heading-names.ts";
import { literateMenu } from "./literate-menu.ts";
import {
  hasReferences,
  linkReferences,
  type ObjectPages,
  type ObjectPlace,
  readMarkup,
  readSource,
} from "./markup/markup.ts";
import { entriesOf, itemsOfFolders, itemsOfNav, labelsIn, type MenuItem } from "./menu.ts";
import { findPages, type MkDocsPage } from "./pages.ts";
import { type MkDocsSettings, readSettings } from "./settings.ts";
import { nameTabs } from "./tab-ids.ts";
import { type PageTitles, titlesOf } from "./titles.ts";

/** MkDocs with Material and the usual extensions, and Zensical, which reads the same. */
export const mkdocs: GeneratorAdapter = {
  name: "MkDocs",
  roots: (tree) => rootsIn(SITE_FILES.mkdocs, tree.files),
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

/** What reading a page takes from its site. */
interface Site {
  tree: DocsTree;
  settings: MkDocsSettings;
  byLocation: ReadonlyMap<string, MkDocsPage>;
  objects: ObjectPages;
  titleOf(page: MkDocsPage): string;
}

async function openSite(tree: DocsTree, settings: MkDocsSettings): Promise<DocsSite> {
  const found = findPages(tree, settings);
  const { pages, leftOut: drafts } = await placePosts(tree, settings, found.pages);
  const items = await menuItems(tree, settings, pages);
  const labels = labelsIn(items);
  const { titles, objects } = await readTitles(tree, settings, pages);
  const titleOf = (page: MkDocsPage) => {
    const { said, usual } = titles.get(page) ?? { said: undefined, usual: page.name };
    return labels.get(page) ?? said ?? usual;
  };
  const shownAs = (page: MkDocsPage) =>
    (settings.isMaterial ? titles.get(page)?.said : undefined) ?? titleOf(page);
  const site: Site = {
    tree,
    settings,
    byLocation: new Map(
      pages.flatMap((page) => [...page.others, page].map(({ location }) => [location, page] as const)),
    ),
    objects,
    titleOf: shownAs,
  };
  return {
    generator: settings.isZensical ? "Zensical" : "MkDocs",
    root: settings.root,
    language: pages.find(({ language }) => language?.isDefault)?.language?.code,
    pages: pages.map(({ location, path, name, language }) => ({
      location,
      path,
      edition: { language: language?.code, topic: name },
    })),
    leftOut: [...found.leftOut, ...drafts],
    menu: entriesOf(items, titleOf, settings),
    redirects: redirectsOf(site),
    unknowns: settings.unknowns,
    read: (page) => readPage(site, page),
  };
}

/** The menu of the default language. */
async function menuItems(
  tree: DocsTree,
  settings: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<MenuItem[]> {
  const shown = pages.filter(({ language }) => language === undefined || language.isDefault);
  const made = (await awesomeMenu(tree, settings, shown)) ?? (await literateMenu(tree, settings, shown));
  if (made !== undefined) return made;
  const byName = new Map(
    shown.flatMap((page) => [...page.others, page].map(({ name }) => [name, page] as const)),
  );
  const items = settings.nav === undefined ? itemsOfFolders(shown) : itemsOfNav(settings.nav, byName);
  return settings.nav === undefined ? arrangeFolders(tree, settings, items) : items;
}

async function readTitles(
  tree: DocsTree,
  settings: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<{ titles: ReadonlyMap<MkDocsPage, PageTitles>; objects: ObjectPages }> {
  const titles = new Map<MkDocsPage, PageTitles>();
  const objects = new Map<string, ObjectPlace>();
  const aliases = new Map<string, ObjectPlace>();
  for (const page of pages) {
    const source = await readSource(tree, settings, page.location);
    titles.set(page, titlesOf(page, source, settings));
    const { path } = page;
    for (const name of source.described) if (!objects.has(name)) objects.set(name, { path, id: name });
    for (const [alias, id] of source.aliases) if (!aliases.has(alias)) aliases.set(alias, { path, id });
  }
  return { titles, objects: new Map([...aliases, ...objects]) };
}

/** Where pages were before, by the plugin `redirects`. */
function redirectsOf({ settings, byLocation }: Site): { from: string; to: string }[] {
  const maps = asRecord(settings.plugins.get("redirects")?.["redirect_maps"]);
  return Object.entries(maps).flatMap(([from, target]) => {
    const written = asText(target);
    if (written === undefined) return [];
    const { target: name, rest } = splitHref(written);
    const page = byLocation.get(resolveLocation(settings.docsFolder, name) ?? "");
    const stem = from.replace(/\.md$/, "").replace(/(^|\/)(?:index|README)$/, "");
    const path = settings.usesFolders || stem === "" ? stem : `${stem}.html`;
    return [{ from: path, to: page === undefined ? written : `/${page.path}${rest}` }];
  });
}

async function readPage(site: Site, { location }: DocsPage): Promise<ReadDocsPage> {
  const { tree, settings, byLocation } = site;
  const page = byLocation.get(location);
  const source = await readSource(tree, settings, location);
  const { markdown, ids } = await readMarkup(source);
  const referring = hasReferences(markdown)
    ? linkReferences(markdown, site.objects, { describesPrograms: settings.programs !== undefined })
    : markdown;
  const linked =
    page === undefined ? referring : rewriteLinks(referring, (href) => publishedHref(site, page, href));
  const { data } = source;
  if (page !== undefined) data["title"] = site.titleOf(page);
  if (page?.language !== undefined) data["language"] ??= page.language.code;
  return {
    data,
    markdown: nameTabs(writeHeadingIds(linked, createHeadingNames(settings.slugify, ids)), settings.tabs),
    faults: [...source.faults],
  };
}

/** Where a link leads: to the page that is made of a file, to a file, or to an address as it is written. */
function publishedHref(site: Site, page: MkDocsPage, href: string): string | undefined {
  const { settings, tree } = site;
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (target.startsWith("/")) {
    const isBelow = settings.base !== "/" && target.startsWith(settings.base);
    return isBelow ? `/${target.slice(settings.base.length)}${rest}` : undefined;
  }
  const place = resolveLocation(folderOf(page.location), target);
  const found = place === undefined ? undefined : pageAt(site, page, place);
  if (found !== undefined) return `/${found.path}${rest}`;
  if (place !== undefined && tree.has(place)) {
    const isInside = settings.docsFolder === "" || place.startsWith(`${settings.docsFolder}/`);
    return isInside
      ? `/${place.slice(settings.docsFolder === "" ? 0 : settings.docsFolder.length + 1)}${rest}`
      : undefined;
  }
  if (/\.(?:md|markdown)$/.test(target)) return undefined;
  const path = resolveLocation(
    page.isIndex || settings.usesFolders ? page.path : folderOf(page.path),
    target,
  );
  return path === undefined ? undefined : `/${path}${rest}`;
}

/** The page of a file, in the language of the one that links to it where there is one. */
function pageAt(
  { byLocation, settings }: Site,
  { language }: MkDocsPage,
  place: string,
): MkDocsPage | undefined {
  const plain = byLocation.get(place);
  if (language === undefined || language.isDefault || plain?.language === language) return plain;
  const translated = place.replace(/(\.\w+)$/, `.${language.code}$1`);
  return byLocation.get(translated) ?? plain ?? byLocation.get(`${settings.docsFolder}/${place}`);
}

type Options = Readonly<Record<string, unknown>>;

/** The pages with posts of Material's blog at their addresses: `blog/2026/01/31/title`. */
async function placePosts(
  tree: DocsTree,
  settings: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<{ pages: MkDocsPage[]; leftOut: LeftOut[] }> {
  const options = settings.plugins.get("blog");
  if (options === undefined || !settings.isMaterial) return { pages: [...pages], leftOut: [] };
  const blog = (asText(options["blog_dir"]) ?? "blog").replace(/^\.?\/|\/$|^\.$/g, "");
  const folder = (asText(options["post_dir"]) ?? "{blog}/posts").replace("{blog}", blog).replace(/^\//, "");
  const placed: MkDocsPage[] = [];
  const leftOut: LeftOut[] = [];
  for (const page of pages) {
    if (!page.name.startsWith(`${folder}/`)) {
      placed.push(page);
      continue;
    }
    const source = await readSource(tree, settings, page.location);
    if (source.data["draft"] === true) leftOut.push({ location: page.location, detail: "is a draft" });
    else {
      const slug = asText(source.data["slug"]) ?? unicodeSlug(titlesOf(page, source, settings).usual);
      const address = joinLocation(blog, addressOf(options, source.data, slug));
      const path = settings.usesFolders ? address : `${address}.html`;
      placed.push({ ...page, path, isInMenu: false });
    }
  }
  return { pages: placed, leftOut };
}

/** A post's address below the blog's, by `post_url_format`. */
function addressOf(options: Options, data: Options, slug: string): string {
  const categories = Array.isArray(data["categories"]) ? data["categories"] : [];
  const most =
    typeof options["post_url_max_categories"] === "number" ? options["post_url_max_categories"] : 1;
  const names = categories.slice(0, most).flatMap((each) => asText(each) ?? []);
  const written = asText(options["post_url_format"]) ?? "{date}/{slug}";
  return written
    .replace("{date}", dateOf(data["date"], asText(options["post_url_date_format"]) ?? "yyyy/MM/dd"))
    .replace("{categories}", names.map(unicodeSlug).join("/"))
    .replace("{slug}", slug)
    .split("/")
    .filter((part) => part !== "")
    .join("/");
}

function dateOf(date: unknown, format: string): string {
  const written = asText(date) ?? asText(asRecord(date)["created"]) ?? "";
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(written) ?? [];
  const values: Record<string, string> = {
    yyyy: year,
    yy: year.slice(2),
    MM: month.padStart(2, "0"),
    M: String(Number(month)),
    dd: day.padStart(2, "0"),
    d: String(Number(day)),
  };
  return format.replace(/yyyy|yy|MM|M|dd|d/g, (part) => values[part] ?? "");
}
