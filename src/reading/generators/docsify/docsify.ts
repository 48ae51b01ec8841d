import { withoutComments } from "@docent/kernel/text/code-spans";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { createInclusions, rewriteLinks, titleOf, writeHeadingIds } from "../writing/writing.ts";
import { withIncludes } from "./includes.ts";
import { followLink } from "./links.ts";
import { readMarkup } from "./markup.ts";
import { labelsIn, readMenu } from "./menu.ts";
import { findPages, type ShownPage, type SitePages } from "./pages.ts";
import { type DocsifySettings, readSettings } from "./settings.ts";

/** Docsify, which shows Markdown files in the browser, each at an address behind a # or at its own. */
export const docsify: GeneratorAdapter = {
  name: "Docsify",
  roots(tree) {
    const folders = new Set<string>();
    for (const file of tree.files) {
      if (!file.endsWith(".md")) continue;
      folders.add(folderOf(file));
      // Menus begin with an underscore. They may be in a folder below.
      const isMenu = nameOf(file).startsWith("_");
      if (isMenu) for (let up = folderOf(file); up !== ""; up = folderOf(up)) folders.add(folderOf(up));
    }
    return tree.files
      .filter((file) => nameOf(file) === "index.html")
      .map(folderOf)
      .filter((folder) => folders.has(folder));
  },
  async open(tree, root, { siteUrl, answers }) {
    const settings = await readSettings(tree, root, { answers });
    return settings === undefined ? undefined : openSite(tree, settings, siteUrl);
  },
};

interface Site {
  tree: DocsTree;
  settings: DocsifySettings;
  pages: SitePages;
  labels: ReadonlyMap<string, string>;
}

async function openSite(
  tree: DocsTree,
  settings: DocsifySettings,
  siteUrl: string | undefined,
): Promise<DocsSite> {
  const pages = findPages(tree, settings);
  const menu = await readMenu({ tree, settings, pages });
  const site: Site = { tree, settings, pages, labels: labelsIn(menu) };
  const ending = settings.hasHistory ? "?id=" : "#/";
  const kept = settings.hasHistory ? "/?id=" : "/#";
  if (siteUrl !== undefined && !siteUrl.endsWith(kept))
    settings.unknowns.push({
      question: `Does the site's URL end in ${ending}? Without that, citations do not lead to this site's headings.`,
      guess: `the URL as it is: change it to ${siteUrl.replace(/\/(?:#|\?id=)$/, "")}/${ending}`,
    });
  return {
    generator: "Docsify",
    root: settings.root,
    pages: pages.pages.map(({ location, path }) => ({ location, path })),
    leftOut: pages.leftOut,
    menu,
    redirects: pages.redirects,
    unknowns: settings.unknowns,
    read: (page) => readPage(site, page),
  };
}

async function readPage(site: Site, { location, path }: DocsPage): Promise<ReadDocsPage> {
  const { tree, settings, pages, labels } = site;
  const page = pages.byLocation.get(location) ?? { location, path, route: `/${path}` };
  const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
  const faults: string[] = [];
  const below = page.route.slice(0, page.route.lastIndexOf("/") + 1);
  const whole = await withIncludes(
    { inclusions: createInclusions(tree), folder: settings.folder, below, faults },
    body,
  );
  const isCover = [...settings.covers.values()].some((file) => nameOf(file) === nameOf(location));
  const marked = isCover ? await readCover(site, page.route) : readMarkup(whole, settings);
  const cover = isCover ? "" : await readCover(site, page.route);
  const linked = rewriteLinks(cover + marked, (href) => followLink(site, page.route, href)?.href);
  const { title: _, ...rest } = data;
  const given = typeof data["title"] === "string" ? { title: data["title"] } : {};
  const title = titleOf({}, marked) ?? titleOf(given, "") ?? labels.get(path) ?? titleWithout(site, page);
  return { data: { ...rest, title }, markdown: linked, faults };
}

const titleWithout = ({ settings }: Site, { path, location }: ShownPage) =>
  path === "" && settings.name !== "" ? settings.name : stemOf(nameOf(location));

/** What is shown above a page: its heading is none of the page's. */
async function readCover({ tree, settings }: Site, route: string): Promise<string> {
  const name = settings.covers.get(route);
  const location = name === undefined ? undefined : resolveLocation(settings.folder, (route + name).slice(1));
  const text = location === undefined ? undefined : await tree.text(location);
  if (text === undefined) return "";
  const words = withoutComments(text).replace(/!\[[^\]\n]*\]\([^)\n]*\)/g, "");
  const marked = writeHeadingIds(readMarkup(words, settings), () => "");
  return `${marked.replace(/^#{1,6} (.*?) \{#\}$/gm, "**$1**")}\n\n`;
}
