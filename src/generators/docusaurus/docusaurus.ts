import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, MenuEntry, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, titleOf, writeHeadingIds } from "../writing/writing.ts";
import { readBlog } from "./blog.ts";
import { type Doc, readDocs } from "./docs.ts";
import type { GeneratedIndex } from "./generated-index.ts";
import { createHeadingNames, readMarkup } from "./markup.ts";
import { readMenus } from "./menu.ts";
import { readPlainPages } from "./plain-pages.ts";
import type { PublishedPage } from "./published-page.ts";
import {
  CONFIG_NAMES,
  type DocsInstance,
  type DocsVersion,
  type DocusaurusSettings,
  readSettings,
  trimSlashes,
} from "./settings.ts";

/** Docusaurus 2 and 3: docs in versions, blogs, and pages of their own. */
export const docusaurus: GeneratorAdapter = {
  name: "Docusaurus",
  roots: (tree) => tree.files.filter((file) => CONFIG_NAMES.includes(nameOf(file))).map(folderOf),
  async open(tree, root, { version, answers }) {
    const settings = await readSettings(tree, root, { answers });
    return settings === undefined ? undefined : openSite(tree, root, settings, version);
  },
};

async function openSite(
  tree: DocsTree,
  root: string,
  settings: DocusaurusSettings,
  wanted: string | undefined,
): Promise<DocsSite> {
  const leftOut: LeftOut[] = [];
  const pages: PublishedPage[] = [];
  const menu: MenuEntry[] = [];
  const indexes: GeneratedIndex[] = [];
  for (const instance of settings.docs) {
    const read = await readInstance(tree, instance, settings, wanted);
    indexes.push(...read.indexes);
    pages.push(...read.pages);
    leftOut.push(...read.leftOut);
    menu.push(...read.menu);
  }
  for (const blog of settings.blogs) {
    const read = await readBlog(tree, blog);
    pages.push(...read.pages);
    leftOut.push(...read.leftOut);
    menu.push(...read.menu);
  }
  if (settings.pagesFolder !== undefined) pages.push(...readPlainPages(tree, settings.pagesFolder));
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const surroundings = { tree, root, base: settings.base, byLocation };
  const written = new Set(pages.map(({ path }) => path));
  const made = new Map(indexes.filter(({ path }) => !written.has(path)).map((index) => [index.path, index]));
  return {
    generator: "Docusaurus",
    root,
    pages: [...pages, ...made.values()].map(({ location, path, edition }) => ({ location, path, edition })),
    leftOut,
    menu: withOwnPages(menu, settings.base, new Set([...written, ...made.keys()])),
    redirects: settings.redirects,
    unknowns: settings.unknowns,
    read: async (page) => made.get(page.path)?.read ?? readPage(surroundings, page),
  };
}

/** A menu whose links to addresses of the site lead to its pages. */
function withOwnPages(menu: readonly MenuEntry[], base: string, paths: ReadonlySet<string>): MenuEntry[] {
  return menu.map(({ href, ...entry }) => {
    const children = withOwnPages(entry.children, base, paths);
    if (href === undefined) return { ...entry, children };
    const path = href.startsWith("/") ? trimSlashes(withoutBase(href, base)) : undefined;
    return path === undefined || !paths.has(path)
      ? { ...entry, href, children }
      : { ...entry, path, children };
  });
}

/** Docusaurus writes what the host has before the site in front of an address, unless it is there. */
const withoutBase = (href: string, base: string) =>
  href.startsWith(base) ? href.slice(base.length - 1) : href;

async function readInstance(
  tree: DocsTree,
  instance: DocsInstance,
  { menuLabels, unknowns }: DocusaurusSettings,
  wanted: string | undefined,
): Promise<{ pages: PublishedPage[]; indexes: GeneratedIndex[]; leftOut: LeftOut[]; menu: MenuEntry[] }> {
  const pages: PublishedPage[] = [];
  const leftOut: LeftOut[] = [];
  const menu: MenuEntry[] = [];
  const indexes: GeneratedIndex[] = [];
  const shown = versionShown(instance.versions, wanted);
  for (const version of instance.versions) {
    if (version !== shown) {
      leftOut.push(...leftOutOf(tree, version, shown));
      continue;
    }
    const read = await readDocs(tree, instance, version);
    leftOut.push(...read.leftOut);
    // By the name that its pages have in their `docusaurus_version`.
    const isOneOfSeveral = instance.versions.length > 1 && wanted === undefined;
    const edition = isOneOfSeveral ? { version: version.name } : undefined;
    pages.push(...read.docs.map((doc) => ({ ...publishedOf(doc, version.folder), edition })));
    const made = await readMenus({ tree, instance, version, docs: read.docs, unknowns });
    menu.push(...joinMenus(made.menus, menuLabels));
    indexes.push(...made.indexes.map((index) => ({ ...index, edition })));
  }
  return { pages, indexes, leftOut, menu };
}

/** The version that is asked for, or else the latest: of a page in several versions, readers mean the newest. */
const versionShown = (versions: readonly DocsVersion[], wanted: string | undefined) =>
  versions.find(
    ({ name, label, routePath }) => wanted !== undefined && [name, label, routePath].includes(wanted),
  ) ??
  versions.find(({ routePath }) => routePath === "") ??
  versions[0];

function leftOutOf(tree: DocsTree, { folder, name }: DocsVersion, shown: DocsVersion | undefined): LeftOut[] {
  if (folder === shown?.folder) return [];
  const detail = `is of version ${name}, and not of ${shown?.name}: a source with --version ${name} reads it`;
  return tree
    .below(folder)
    .filter((location) => /\.mdx?$/i.test(location))
    .map((location) => ({ location, detail }));
}

const publishedOf = ({ location, path, title, slug, isIndex }: Doc, contentRoot: string): PublishedPage => ({
  location,
  path,
  title,
  contentRoot,
  isFolder: isIndex || slug === "",
});

/** One menu is the site's; several stand below their names. */
function joinMenus(
  menus: { name: string; entries: MenuEntry[] }[],
  labels: ReadonlyMap<string, string>,
): MenuEntry[] {
  const [only] = menus;
  if (menus.length === 1 && only !== undefined) return only.entries;
  return menus.map(({ name, entries }) => ({ label: labels.get(name) ?? name, children: entries }));
}

interface Surroundings {
  tree: DocsTree;
  root: string;
  base: string;
  byLocation: ReadonlyMap<string, PublishedPage>;
}

async function readPage(surroundings: Surroundings, { location }: DocsPage): Promise<ReadDocsPage> {
  const { tree, byLocation } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(location)) ?? "");
  const { markdown, faults } = await readMarkup(surroundings, location, { body, data });
  const page = byLocation.get(location);
  const linked =
    page === undefined ? markdown : rewriteLinks(markdown, (href) => publishedHref(surroundings, page, href));
  const title = titleOf(data, body) ?? page?.title;
  return {
    data: title === undefined ? data : { ...data, title },
    markdown: writeHeadingIds(linked, createHeadingNames()),
    faults: fault === undefined ? faults : [fault, ...faults],
  };
}

/** Where a link of a page leads: to the page that is made of a file, or to an address. */
function publishedHref(
  { root, base, byLocation }: Surroundings,
  page: PublishedPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (/\.mdx?$/i.test(target)) {
    const found = placesOf(root, page, target)
      .map((place) => byLocation.get(place))
      .find((each) => each !== undefined);
    return found === undefined ? undefined : `/${found.path}${rest}`;
  }
  if (target.startsWith("/")) return withoutBase(href, base);
  const from = page.isFolder ? page.path : folderOf(page.path);
  const path = resolveLocation(from, target);
  return path === undefined ? undefined : `/${path}${rest}`;
}

/** Where a link to a file may mean: beside the page, below its content's folder, below the site. */
function placesOf(root: string, { location, contentRoot }: PublishedPage, target: string): string[] {
  const places = target.startsWith("@site/")
    ? [resolveLocation(root, target.slice("@site/".length))]
    : [
        resolveLocation(folderOf(location), target.startsWith("/") ? target.slice(1) : target),
        resolveLocation(contentRoot, target.replace(/^\/+/, "")),
        resolveLocation(root, target.replace(/^\/+/, "")),
      ];
  return places.filter((place) => place !== undefined);
}
