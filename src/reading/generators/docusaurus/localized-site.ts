import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { LeftOut, PageEdition } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { type Doc, readDocs } from "./docs.ts";
import type { GeneratedIndex } from "./generated-index.ts";
import {
  contentRootsOf,
  folderOfPlugin,
  type Locale,
  type LocalizedFolder,
  localizedFiles,
  readTranslations,
  strayTranslations,
} from "./locales.ts";
import { readMenus } from "./menu.ts";
import { type PageOfLocale, type ShownPage, shownIn } from "./published-page.ts";
import type { BlogSettings, DocsInstance, DocsVersion, DocusaurusSettings } from "./settings.ts";

/** What a language has, and what it shows of the main one. */
export interface LocalizedSite {
  locale: Locale;
  pages: PageOfLocale[];
  indexes: GeneratedIndex[];
  leftOut: LeftOut[];
  menu: MenuEntry[];
}

/** What reading the pages of a language takes. */
interface LocaleReading {
  tree: DocsTree;
  settings: DocusaurusSettings;
  wanted: string | undefined;
  locale: Locale;
}

export async function readLocale(reading: LocaleReading): Promise<LocalizedSite> {
  const { tree, settings, locale } = reading;
  const leftOut: LeftOut[] = [];
  const pages: PageOfLocale[] = [];
  const menu: MenuEntry[] = [];
  const indexes: GeneratedIndex[] = [];
  const add = (
    read: { pages: readonly ShownPage[]; leftOut: readonly LeftOut[]; menu: readonly MenuEntry[] },
    content?: LocalizedFolder,
  ) => {
    for (const page of read.pages) {
      // A translation may have another address: it has its place from the page that it translates.
      const original = joinLocation(page.contentRoots.at(-1) ?? "", page.below);
      pages.push({ ...page, locale, edition: editionOf(reading, page.edition, original) });
    }
    leftOut.push(...read.leftOut, ...(content === undefined ? [] : strayTranslations(tree, content)));
    menu.push(...read.menu);
  };
  for (const instance of settings.docs) {
    const read = await readInstance(reading, instance);
    add(read);
    indexes.push(...read.indexes);
  }
  for (const blog of settings.blogs) {
    const content = { locale, folder: blog.folder, translated: folderOfPlugin(locale, "blog", blog.id) };
    add(await readBlog(tree, blog, content), content);
  }
  if (settings.pages !== undefined) {
    const { folder, id } = settings.pages;
    const content = { locale, folder, translated: folderOfPlugin(locale, "pages", id) };
    add({ pages: readPlainPages(tree, content), leftOut: [], menu: [] }, content);
  }
  return { locale, pages, indexes, leftOut, menu };
}

/** A page's version and its language, where the site has several. */
function editionOf(
  { settings: { locales }, locale }: LocaleReading,
  edition: PageEdition | undefined,
  topic: string,
): PageEdition | undefined {
  return locales.length < 2 ? edition : { ...edition, language: locale.language, topic };
}

async function readInstance(
  reading: LocaleReading,
  instance: DocsInstance,
): Promise<{ pages: ShownPage[]; indexes: GeneratedIndex[]; leftOut: LeftOut[]; menu: MenuEntry[] }> {
  const { tree, settings, wanted, locale } = reading;
  const pages: ShownPage[] = [];
  const leftOut: LeftOut[] = [];
  const menu: MenuEntry[] = [];
  const indexes: GeneratedIndex[] = [];
  const shown = versionShown(instance.versions, wanted);
  const plugin = folderOfPlugin(locale, "docs", instance.id);
  for (const version of instance.versions) {
    const fileName = version.name === "current" ? version.name : `version-${version.name}`;
    const translated = plugin && joinLocation(plugin, fileName);
    if (version !== shown) {
      const folder = locale === settings.locales[0] ? version.folder : translated;
      leftOut.push(...leftOutOf(tree, { ...version, folder }, shown));
      continue;
    }
    const content = { locale, folder: version.folder, translated };
    const read = await readDocs(tree, instance, version, content);
    leftOut.push(...read.leftOut, ...strayTranslations(tree, content));
    // By the name that its pages have in their `docusaurus_version`.
    const isOneOfSeveral = instance.versions.length > 1 && wanted === undefined;
    const edition = isOneOfSeveral ? { version: version.name } : undefined;
    pages.push(...read.docs.map((doc) => ({ ...publishedOf(doc, content), edition })));
    const made = await readMenus({
      tree,
      instance,
      version,
      docs: read.docs,
      unknowns: settings.unknowns,
      prefix: locale.prefix,
      words: await readTranslations(tree, translated && `${translated}.json`),
    });
    menu.push(...joinMenus(made.menus, await menuLabelsIn(tree, settings, locale)));
    for (const index of made.indexes) {
      const topic = locale.prefix === "" ? index.path : index.path.slice(locale.prefix.length + 1);
      indexes.push({ ...index, edition: editionOf(reading, edition, topic) });
    }
  }
  return { pages, indexes, leftOut, menu };
}

/** What the bar at the top calls the menus in a language. */
async function menuLabelsIn(
  tree: DocsTree,
  { menuLabels }: DocusaurusSettings,
  { folder }: Locale,
): Promise<ReadonlyMap<string, string>> {
  const words = await readTranslations(tree, folder && `${folder}/docusaurus-theme-classic/navbar.json`);
  return new Map([...menuLabels].map(([id, label]) => [id, words.get(`item.label.${label}`) ?? label]));
}

/** The version that is asked for, or else the latest: of a page in several versions, readers mean the newest. */
const versionShown = (versions: readonly DocsVersion[], wanted: string | undefined) =>
  versions.find(
    ({ name, label, routePath }) => wanted !== undefined && [name, label, routePath].includes(wanted),
  ) ??
  versions.find(({ routePath }) => routePath === "") ??
  versions[0];

function leftOutOf(
  tree: DocsTree,
  { folder, name }: Pick<DocsVersion, "name"> & { folder: string | undefined },
  shown: DocsVersion | undefined,
): LeftOut[] {
  if (folder === undefined || folder === shown?.folder) return [];
  const detail = `is of version ${name}, and not of ${shown?.name}: a source with --version ${name} reads it`;
  return tree
    .below(folder)
    .filter((location) => /\.mdx?$/i.test(location))
    .map((location) => ({ location, detail }));
}

const publishedOf = (
  { location, below, path, shownAt, isOwn, title, isFolder }: Doc,
  content: LocalizedFolder,
): ShownPage => ({
  location,
  below,
  path,
  shownAt,
  isOwn,
  title,
  contentRoots: contentRootsOf(content),
  isFolder,
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

/** Pages of Markdown that are addressed by where they stand. Those written as React components hold no text. */
function readPlainPages(tree: DocsTree, content: LocalizedFolder): ShownPage[] {
  const contentRoots = contentRootsOf(content);
  return localizedFiles(tree, content).flatMap(({ location, below, isOwn }) => {
    if (!/\.mdx?$/i.test(below) || /(^|\/)_/.test(below)) return [];
    const address = stemOf(below).replace(/(^|\/)index$/i, "");
    const isFolder = /(^|\/)index\.mdx?$/i.test(below);
    return [{ location, below, contentRoots, isFolder, ...shownIn(content.locale, address, isOwn) }];
  });
}

/** A date before a post's name, in its file's or its folders' names. */
const DATED =
  /^(?<folder>.*\/)?(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})[-/]?(?<name>.*?)(?:\/index)?$/;

interface Post extends ShownPage {
  title: string;
  /** "2024/01/31", by which the newest comes first. */
  date: string;
}

/** The posts of a blog. */
async function readBlog(
  tree: DocsTree,
  { routeBase }: BlogSettings,
  content: LocalizedFolder,
): Promise<{ pages: ShownPage[]; leftOut: LeftOut[]; menu: MenuEntry[] }> {
  const posts: Post[] = [];
  const leftOut: LeftOut[] = [];
  const contentRoots = contentRootsOf(content);
  for (const { location, below, isOwn } of localizedFiles(tree, content)) {
    if (!/\.mdx?$/i.test(below) || /(^|\/)_/.test(below)) continue;
    const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
    if (data["draft"] === true) {
      if (isOwn) leftOut.push({ location, detail: "is a draft" });
      continue;
    }
    const { slug, date } = placeOfPost(stemOf(below), data);
    const address = joinLocation(routeBase, slug);
    const title = titleOf(data, body) ?? nameOf(address);
    const shown = shownIn(content.locale, address, isOwn);
    posts.push({ location, below, title, date, contentRoots, isFolder: false, ...shown });
  }
  posts.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
  const children = posts.map(({ title, path }) => ({ label: title, path, children: [] }));
  return { pages: posts, leftOut, menu: posts.length === 0 ? [] : [{ label: "Blog", children }] };
}

function placeOfPost(stem: string, data: Readonly<Record<string, unknown>>): { slug: string; date: string } {
  const { folder = "", year, month = "", day = "", name = "" } = DATED.exec(stem)?.groups ?? {};
  const two = (number: string) => number.padStart(2, "0");
  const dated = year === undefined ? undefined : `${year}/${two(month)}/${two(day)}`;
  const written = asText(data["date"])?.slice(0, 10).replaceAll("-", "/");
  const given = asText(data["slug"])?.replace(/^\/+|\/+$/g, "");
  const usual = dated === undefined ? stem.replace(/\/index$/, "") : `${dated}/${folder}${name}`;
  return { slug: given ?? usual.replace(/\/$/, ""), date: written ?? dated ?? "" };
}
