import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf } from "../docs-tree.ts";
import { createPaths } from "../wiki-writing/wiki-writing.ts";
import { type Dump, type DumpPage, isDump, readDump } from "./dump.ts";
import { namesIn, readMenu } from "./menu.ts";
import { type PageContext, writePage } from "./page.ts";
import { CATEGORY, createTitles, FILE, TEMPLATE, type Title, type Titles } from "./titles.ts";

export { menuOfWiki, namesIn } from "./menu.ts";

/** MediaWiki, by the XML of its pages that `dumpBackup.php` and Special:Export write. */
export const mediawiki: GeneratorAdapter = {
  name: "MediaWiki",
  // A dump is a file, and not a folder of files: what lies beside it is no part of it.
  roots: (tree) =>
    tree.files
      .filter((file) => file.endsWith(".xml") && mayBeDump(tree, file))
      .sort((a, b) => a.split("/").length - b.split("/").length)
      .slice(0, DUMPS_MAX),
  async open(tree, root) {
    const text = await tree.text(root);
    return text === undefined || !isDump(text) ? undefined : openSite(tree, root, await readDump(text));
  },
};

/** As many files are looked into: each of them is read whole. */
const DUMPS_MAX = 3;
const NAME = /wiki|dump|export|backup|pages|articles|\d{8}/i;
const FEW = 5;

/** MediaWiki calls a dump after the wiki and the day, people call it by anything. */
const mayBeDump = (tree: DocsTree, file: string) =>
  NAME.test(nameOf(file)) ||
  tree.below(folderOf(file)).filter((each) => !each.includes("/images/")).length <= FEW;

/** Pages that are written for the wiki, and not for its readers, by their namespace. */
export const NOT_FOR_READERS: ReadonlyMap<number, string> = new Map([
  [2, "persons who write in the wiki"],
  [FILE, "descriptions of files"],
  [8, "words of the program"],
  [TEMPLATE, "templates, which stand on other pages"],
  [118, "drafts"],
  [828, "programs of templates"],
  [2300, "programs of gadgets"],
  [2302, "descriptions of gadgets"],
]);

interface WikiPage {
  page: DumpPage;
  title: Title;
  path: string;
}

interface Sorted {
  pages: { page: DumpPage; title: Title }[];
  redirects: { page: DumpPage; title: Title; to: string }[];
  leftOut: LeftOut[];
}

function openSite(tree: DocsTree, root: string, dump: Dump): DocsSite {
  const titles = createTitles(dump);
  const main = titles.read(decodePercent(dump.base.slice(dump.base.lastIndexOf("/") + 1)));
  const { pages: found, redirects, leftOut } = sortPages(dump, titles, root);
  if (dump.fault !== undefined)
    leftOut.push({ location: root, detail: `cannot be read to its end: ${dump.fault}` });
  const nameIt = createPaths();
  const pages: WikiPage[] = found
    .toSorted((a, b) => Number(a.page.id) - Number(b.page.id))
    .map(({ page, title }) => {
      const path = title.key === main.key ? "" : nameIt(partsOf(titles, title), page.id);
      return { page, title, path };
    });
  const places = createPlaces(titles, pages, redirects);
  const context: PageContext = {
    titles,
    siteName: dump.siteName,
    byKey: new Map(dump.pages.map((page) => [titles.read(page.title).key, page])),
    pathOf: places,
    imageOf: createImages(tree, root),
  };
  const byLocation = new Map(pages.map((each) => [locationOf(root, each.page), each]));
  return {
    generator: "MediaWiki",
    root,
    pages: pages.map(({ page, path }) => ({ location: locationOf(root, page), path })),
    leftOut,
    menu: readMenu(context, pages),
    redirects: redirectsOf(titles, redirects, places),
    unknowns: [],
    read: async (page) => readPage(context, byLocation.get(page.location), page),
    async plain({ location }) {
      const own = byLocation.get(location)?.page;
      return own && { text: own.text, format: "txt", title: own.title };
    },
  };
}

const locationOf = (root: string, { title }: Pick<DumpPage, "title">) => `${root}#${title}`;

async function readPage(
  context: PageContext,
  own: WikiPage | undefined,
  { location }: DocsPage,
): Promise<ReadDocsPage> {
  if (own === undefined) throw new Error(`${location} is no page of this dump`);
  const { markdown, shownTitle, tags, faults } = writePage(context, own.page, own.title);
  const title = shownTitle === undefined || shownTitle === "" ? own.page.title : shownTitle;
  return { data: { title, ...(tags.length > 0 ? { tags } : {}) }, markdown, faults };
}

/** The pages for readers, what leads to them, and what is left out. */
function sortPages(dump: Dump, titles: Titles, root: string): Sorted {
  const sorted: Sorted = { pages: [], redirects: [], leftOut: [] };
  const leftOut = new Map<number, number>();
  const seen = new Set<string>();
  for (const page of dump.pages) {
    const { namespace } = page;
    const title = titles.read(page.title);
    const isTalk = namespace % 2 === 1;
    const to = page.redirect ?? REDIRECT.exec(page.text)?.[1];
    const leave = (detail: string) => sorted.leftOut.push({ location: locationOf(root, page), detail });
    if (isTalk || namespace < 0 || NOT_FOR_READERS.has(namespace))
      leftOut.set(namespace, (leftOut.get(namespace) ?? 0) + 1);
    else if (seen.has(title.key)) leave("is in this dump twice");
    else if (to !== undefined) sorted.redirects.push({ page, title, to });
    else if (page.model !== "wikitext") leave(`is no wikitext but ${page.model}`);
    else if (isEmpty(page)) leave("has no words");
    else sorted.pages.push({ page, title });
    seen.add(title.key);
  }
  for (const [namespace, count] of leftOut) {
    const name = titles.nameOf(namespace) || String(namespace);
    const what = NOT_FOR_READERS.get(namespace) ?? "discussions";
    sorted.leftOut.push({
      location: `${root}#${name}:`,
      detail: `is for ${what}: ${count} left out`,
    });
  }
  return sorted;
}

const REDIRECT = /^\s*#[\p{L}]{4,30}\s*(?::\s*)?\[\[([^[\]|\n]{1,300})(?:\|[^[\]\n]{0,300})?\]\]/iu;

/** A category often has no words of its own, but only others that it is in. */
const isEmpty = ({ text, namespace }: DumpPage) =>
  (namespace === CATEGORY ? text.replace(/\[\[[^[\]\n]{1,300}\]\]|\{\{[^{}\n]{1,300}\}\}/g, "") : text)
    .replace(/__[\p{Lu}]+__/gu, "")
    .trim() === "";

/** The titles that a page is below, its own last. */
const partsOf = (titles: Titles, { namespace, name }: Title): string[] => [
  ...(namespace === 0 ? [] : [titles.nameOf(namespace)]),
  ...namesIn(name),
];

const HOPS_MAX = 5;

/** Finds the path that a title leads to, by way of redirects too. */
function createPlaces(
  titles: Titles,
  pages: readonly WikiPage[],
  redirects: Sorted["redirects"],
): (title: Title) => string | undefined {
  const paths = new Map(pages.map(({ title, path }) => [title.key, path]));
  const leading = new Map(redirects.map(({ title, to }) => [title.key, to]));
  return (title) => {
    let { key } = title;
    let anchor = "";
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const path = paths.get(key);
      const to = leading.get(key);
      if (path !== undefined) return anchor === "" ? path : `${path}#${anchor}`;
      if (to === undefined) return undefined;
      const [place = "", behind = ""] = to.split(/#(.*)/s);
      anchor = behind.trim().replaceAll(" ", "_");
      ({ key } = titles.read(place));
    }
    return undefined;
  };
}

function redirectsOf(
  titles: Titles,
  redirects: Sorted["redirects"],
  places: (title: Title) => string | undefined,
): DocsSite["redirects"] {
  const nameIt = createPaths();
  return redirects.flatMap(({ page, title }) => {
    const to = places(title);
    return to === undefined ? [] : [{ from: nameIt(partsOf(titles, title), page.id), to: `/${to}` }];
  });
}

/** The images that were taken from the wiki as well: they lie in folders that are named by a checksum. */
function createImages(tree: DocsTree, root: string): (name: string) => string | undefined {
  const byName = new Map<string, string>();
  for (const file of tree.below(folderOf(root)))
    if (/\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(file) && !/(?:^|\/)(?:thumb|archive|deleted)\//.test(file))
      byName.set(keyOf(nameOf(file)), file);
  return (name) => byName.get(keyOf(name));
}

const keyOf = (name: string) => name.replaceAll(" ", "_").toLowerCase();
