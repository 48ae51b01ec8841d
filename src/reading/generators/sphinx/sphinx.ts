import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { notebookToMarkdown } from "../../markdown/notebook.ts";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { createInclusions, rewriteLinks, splitHref } from "../writing/writing.ts";
import { asksForPrograms, createAutodoc } from "./autodoc.ts";
import { expandSummaries, withSummaryPages } from "./autosummary.ts";
import { expandRst, type Reading } from "./includes.ts";
import { type Book, readBook } from "./jupyter-book.ts";
import { itemsOf, menuOf } from "./menu.ts";
import { expandMystAutodoc } from "./myst-autodoc.ts";
import { expandMyst, writeMyst } from "./myst-page.ts";
import { readProject } from "./myst-project.ts";
import { createRecorder, normalName, type PageFacts } from "./page-facts.ts";
import { findPages, type SphinxPage } from "./pages.ts";
import { gatherPlaces, hrefOf, type SiteFacts, writeReference } from "./references.ts";
import { type PageContext, writeRst } from "./rst-page.ts";
import { readSettings, type SphinxSettings } from "./settings.ts";

export { autodocSettings } from "./autodoc.ts";
export { movesIn } from "./redirects.ts";
export { excluder, type SphinxSettings } from "./settings.ts";

/** Sphinx, with pages in reStructuredText and MyST, and notebooks; and the books of Jupyter Book. */
export const sphinx: GeneratorAdapter = {
  name: "Sphinx",
  roots: (tree) => [
    ...new Set(
      [SITE_FILES.sphinx, SITE_FILES.jupyterBook, SITE_FILES.myst].flatMap((each) =>
        rootsIn(each, tree.files),
      ),
    ),
  ],
  async open(tree, root, { answers }) {
    const book = (await readProject(tree, root)) ?? (await readBook(tree, root));
    if (book !== undefined) return openSite(tree, book.settings, book);
    const settings = await readSettings(tree, root, { answers });
    if (settings === undefined) return undefined;
    return openSite(tree, atPages(tree, settings));
  },
};

/** Settings whose root is the folder of the pages, which may be below the one of the configuration. */
function atPages(tree: DocsTree, settings: SphinxSettings): SphinxSettings {
  const { root, rootPage, suffixes } = settings;
  const hasRootPage = (folder: string) =>
    [...suffixes.keys()].some((suffix) => tree.has(joinLocation(folder, rootPage + suffix)));
  if (hasRootPage(root)) return settings;
  const depth = root === "" ? 0 : root.split("/").length;
  const folders = new Set(
    tree.below(root).map((file) =>
      file
        .split("/")
        .slice(0, depth + 1)
        .join("/"),
    ),
  );
  const [largest] = [...folders]
    .filter((folder) => hasRootPage(folder) && !tree.has(joinLocation(folder, "conf.py")))
    .toSorted((a, b) => tree.below(b).length - tree.below(a).length);
  if (largest === undefined) return settings;
  const question = `Which folder holds the pages? ${joinLocation(root, "conf.py")} has no ${rootPage} beside it.`;
  return { ...settings, root: largest, unknowns: [...settings.unknowns, { question, guess: largest }] };
}

/** The site of settings as Sphinx has them: of a book, or of another builder of reStructuredText. */
export async function openSite(
  files: DocsTree,
  settings: SphinxSettings,
  book?: Book,
  generator = book?.generator ?? "Sphinx",
): Promise<DocsSite | undefined> {
  const found = findPages(files, settings);
  const { leftOut, pages: written } = book === undefined ? found : pagesOfBook(book, found);
  const { tree, pages } = await withSummaryPages(files, settings, written);
  const byName = new Map(pages.map((page) => [page.name, page]));
  const top = byName.get(settings.rootPage);
  if (top === undefined) return undefined;
  const facts = new Map<string, PageFacts>();
  for (const page of pages) facts.set(page.name, (await convertPage(tree, settings, page)).facts);
  for (const [name, trees] of book?.toctrees ?? []) facts.get(name)?.toctrees.push(...trees);
  const site: SiteFacts = {
    tree,
    settings,
    byName,
    byLocation: new Map(pages.map((page) => [page.location, page])),
    facts,
    ...gatherPlaces(byName, facts, settings),
  };
  const menu =
    book?.menu?.((name) => facts.get(name)?.title) ?? menuOf({ byName, facts, rootPage: settings.rootPage });
  return {
    generator,
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu:
      book?.hasHome === true
        ? [{ label: facts.get(top.name)?.title ?? top.name, path: top.path, children: [] }, ...menu]
        : menu,
    redirects: [
      ...settings.redirects,
      // A book's address leads to its first page.
      ...(book === undefined || top.path === "" ? [] : [{ from: "", to: `/${top.path}` }]),
    ],
    unknowns: settings.unknowns,
    read: (page) => readPage(site, page),
  };
}

/** The pages of a book: all of them, or those that its table of contents names. */
function pagesOfBook(
  { settings, toctrees, isOnlyListed, paths }: Book,
  found: ReturnType<typeof findPages>,
): ReturnType<typeof findPages> {
  if (!isOnlyListed && paths === undefined) return found;
  const pages = found.pages.map((page) => ({ ...page, path: paths?.get(page.name) ?? page.path }));
  const byName = new Map(pages.map((page) => [page.name, page]));
  const listed = new Set([settings.rootPage, ...(paths?.keys() ?? [])]);
  for (const [name, trees] of toctrees)
    for (const tree of trees) for (const { target } of itemsOf(tree, name, byName)) listed.add(target);
  const others = pages.filter(({ name }) => !listed.has(name));
  return {
    pages: pages.filter(({ name }) => listed.has(name)),
    leftOut: [
      ...found.leftOut,
      ...others.map(({ location }) => ({ location, detail: "is not in the table of contents" })),
    ],
  };
}

async function readPage(site: SiteFacts, { location }: DocsPage): Promise<ReadDocsPage> {
  const page = site.byLocation.get(location);
  if (page === undefined) return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
  const { markdown, facts, data, faults } = await convertPage(site.tree, site.settings, page, site);
  // A page without a heading has no title, and is shown as such.
  data["title"] = site.facts.get(page.name)?.title ?? facts.title ?? "<no title>";
  return { data, markdown, faults: [...faults] };
}

interface Converted {
  markdown: string;
  facts: PageFacts;
  data: Record<string, unknown>;
  faults: Set<string>;
}

/** Turns a page into Markdown; without the site, only what others want to know of it counts. */
async function convertPage(
  tree: DocsTree,
  settings: SphinxSettings,
  page: SphinxPage,
  site?: SiteFacts,
): Promise<Converted> {
  const faults = new Set<string>();
  const { location, format } = page;
  const inclusions = createInclusions(tree);
  const reading: Reading = { inclusions, settings, location, faults, longFiles: new Set() };
  const text = ((await tree.text(location)) ?? "").replace(/\r\n?/g, "\n");
  const { mystAnchorLevels: anchorLevels, headingIds } = settings;
  const recorder = createRecorder({ isMyst: format !== "rst", anchorLevels, headingIds });
  const context: PageContext = {
    recorder,
    reference: (role, words, scope) =>
      site === undefined ? undefined : writeReference(site, page, role, words, scope),
    anchors: site?.facts.get(page.name)?.anchors ?? new Map(),
    defaultRole: format === "rst" ? settings.defaultRole : undefined,
    faults,
    markdown: (inner) => writeMyst(inner, myst),
  };
  const prolog = withWords(settings.prolog, settings);
  const myst = {
    ...context,
    reading,
    prolog,
    words: settings.words,
    scope: { module: "" },
    link: (href: string) => (site === undefined ? undefined : linkOf(site, page, href)),
  };
  if (format === "rst") {
    const whole = withWords(await expandedRst(text, location, reading), settings);
    const markdown = writeRst(`${prolog}\n\n${whole}\n\n${withWords(settings.epilog, settings)}`, context);
    const linked =
      site === undefined ? markdown : rewriteLinks(markdown, (href) => linkOf(site, page, href)?.href);
    return {
      markdown: linked,
      facts: recorder.facts,
      data: /^:orphan:/m.test(text.slice(0, 1_000)) ? { orphan: true } : {},
      faults,
    };
  }
  const notebook = format === "notebook" ? notebookToMarkdown(text) : undefined;
  if (notebook?.fault !== undefined) faults.add(`${location} ${notebook.fault}`);
  const { data, body, fault } = splitFrontMatter(notebook?.markdown ?? text);
  if (fault !== undefined) faults.add(fault);
  const words = new Map(settings.words);
  const own = asSubstitutions(data);
  for (const [name, value] of own) words.set(name, value);
  const expanded = await expandMyst(body, location, reading);
  const described = await expandMystAutodoc(expanded, settings.autodoc, faults);
  const written = writeMyst(described, { ...myst, words });
  const markdown = settings.mystExtensions.has("deflist") ? unwrapDefinitionLists(written) : written;
  const { title } = data;
  if (settings.takesSaidTitles && typeof title === "string") recorder.facts.title = title;
  return { markdown, facts: recorder.facts, data: { ...data }, faults };
}

/** The text of a page with what it includes, lists and describes. */
async function expandedRst(text: string, location: string, reading: Reading): Promise<string> {
  const { settings, faults } = reading;
  const summed = await expandSummaries(await expandRst(text, location, reading), settings);
  return asksForPrograms(summed) ? createAutodoc(settings.autodoc, faults).expand(summed) : summed;
}

function asSubstitutions(data: Readonly<Record<string, unknown>>): [string, string][] {
  const { myst } = data;
  const nested =
    typeof myst === "object" && myst !== null && "substitutions" in myst ? myst.substitutions : undefined;
  return typeof nested === "object" && nested !== null
    ? Object.entries(nested).flatMap(([name, value]): [string, string][] =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
      )
    : [];
}

/** The names that Sphinx defines on each page. */
const withWords = (text: string, { words }: SphinxSettings) =>
  text.replace(/\|(version|release)\|/g, (_, name: string) => words.get(name) ?? "");

/** Where a link leads, without an address where it is only words; and what stands there. */
interface Linked {
  href: string | undefined;
  title: string | undefined;
}

const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Where a link of a page leads, and what stands there. */
function linkOf(site: SiteFacts, page: SphinxPage, href: string): Linked | undefined {
  if (EXTERNAL.test(href)) return undefined;
  const { target, rest } = splitHref(href);
  if (target === "") {
    const name = rest.slice(1);
    const own = site.facts.get(page.name);
    const slug = own?.slugs.get(name);
    if (slug !== undefined) return { href: `#${slug.id}`, title: slug.title };
    const label = site.labels.get(normalName(name));
    return label === undefined ? undefined : { href: hrefOf(page, label.page, label.id), title: label.title };
  }
  const place = target.startsWith("/")
    ? resolveLocation(site.settings.root, `.${target}`)
    : resolveLocation(folderOf(page.location), target);
  if (place === undefined) return undefined;
  const found =
    site.byLocation.get(place) ??
    site.byName.get(below(place, site.settings.root)) ??
    site.byName.get(below(place, site.settings.root).replace(/\.html$/, ""));
  if (found !== undefined) {
    const facts = site.facts.get(found.name);
    const slug = facts?.slugs.get(rest.slice(1));
    const anchor = slug === undefined ? rest.slice(1) : slug.id;
    return {
      href: hrefOf(page, found, anchor === "" ? undefined : anchor),
      title: slug?.title ?? facts?.title,
    };
  }
  if (page.format === "rst") return undefined;
  const named = site.labels.get(normalName(target)) ?? site.objects.get(`py ${target}`);
  if (named !== undefined) return { href: hrefOf(page, named.page, named.id), title: named.title };
  // MyST takes it for the name of something in docs that are elsewhere.
  return site.tree.has(place) || /[/?#]|\.html?\b/.test(href)
    ? undefined
    : { href: undefined, title: undefined };
}

const below = (place: string, root: string) => (root === "" ? place : place.slice(root.length + 1));
