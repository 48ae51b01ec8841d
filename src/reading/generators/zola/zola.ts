import { takeHeadingId } from "../../markdown/anchors.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { aliasesOf, readContent, readSource, sentOn, type ZolaContent, type ZolaPage } from "./content.ts";
import { readSettings, type ZolaSettings, zolaRoots } from "./settings.ts";
import { expandShortcodes, readShortcodes, type Shortcodes } from "./shortcodes.ts";
import { createHeadingNames } from "./slugs.ts";

/** Zola: pages and sections in Markdown, with the shortcodes that the site or its theme has. */
export const zola: GeneratorAdapter = {
  name: "Zola",
  roots: zolaRoots,
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: ZolaSettings): Promise<DocsSite | undefined> {
  const content = await readContent(tree, settings);
  const { pages, leftOut } = content;
  if (pages.length === 0) return undefined;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const sent = sentOn(content);
  const source: PageSource = {
    settings,
    pathOf: (location) => byLocation.get(location)?.path ?? sent.get(location)?.from,
    shortcodes: await readShortcodes(tree, settings),
  };
  const [main] = settings.languages;
  const isInSeveral = pages.some(({ language }) => language !== main);
  const editionOf = ({ language, topic }: ZolaPage): PageEdition | undefined =>
    isInSeveral ? { language, topic } : undefined;
  return {
    generator: "Zola",
    root: settings.root,
    language: isInSeveral ? main : undefined,
    pages: pages.map((page) => ({ location: page.location, path: page.path, edition: editionOf(page) })),
    leftOut,
    menu: menuOf(content, main),
    redirects: [...aliasesOf(content), ...sent.values()].filter(({ from, to }) => from !== to),
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(source, page, (await tree.text(location)) ?? "");
    },
  };
}

interface PageSource {
  settings: ZolaSettings;
  /** Where a link to a file leads. */
  pathOf: (location: string) => string | undefined;
  shortcodes: Shortcodes;
}

function readPage(source: PageSource, page: ZolaPage, text: string): ReadDocsPage {
  const { settings, shortcodes } = source;
  const { data, body, fault } = readSource(text);
  const faults = fault === undefined ? [] : [fault];
  const written = expandShortcodes(shortcodes, body);
  const plain = settings.hasDefinitionLists ? unwrapDefinitionLists(written) : written;
  const linked = rewriteLinks(plain, (href) => publishedHref(source, page, href));
  const given = scanBlocks(linked).flatMap((block) =>
    block.kind === "heading" ? (takeHeadingId(block.text).id ?? []) : [],
  );
  const title = page.title ?? settings.title;
  return {
    data: title === undefined ? { ...data } : { ...data, title },
    markdown: writeHeadingIds(linked, createHeadingNames(settings.anchors, given)),
    faults,
  };
}

/** Where a link of a page leads: with `@/` to the page of a file, or to an address that is written from the page's own. */
function publishedHref(
  { settings: { content, base }, pathOf }: PageSource,
  page: ZolaPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (target.startsWith("@/")) {
    const found = pathOf(joinLocation(content, target.slice(2)));
    return found === undefined ? undefined : `/${encodeURI(found)}${rest}`;
  }
  if (target.startsWith("/"))
    return base !== "" && `${target}/`.startsWith(`/${base}/`)
      ? `/${target.slice(base.length + 2)}${rest}`
      : undefined;
  // Images lie beside the file, and their places are found by it.
  const isFile = /\.(?!html?$)\w{1,5}$/i.test(target);
  const resolved = isFile ? undefined : resolveLocation(page.path, target);
  return resolved === undefined ? undefined : `/${encodeURI(resolved)}${rest}`;
}

/**
 * The menu of one language, as themes for documentation make it: the pages of a section in the order that it gives them,
 * then its subsections by weight. Sites whose sections have no order have no menu.
 */
function menuOf({ pages, sections }: ZolaContent, language: string): MenuEntry[] {
  const listed = (all: readonly ZolaPage[]) =>
    Map.groupBy(
      all.filter((page) => page.language === language),
      ({ isSection, folder }) => (isSection ? folderOf(folder) : folder),
    );
  const own = sections.filter((section) => section.language === language);
  if (!own.some(({ data }) => orderOf(data["sort_by"]) !== undefined)) return [];
  const source: MenuSource = {
    pagesIn: listed(pages.filter(({ isSection }) => !isSection)),
    sectionsIn: listed(own.filter(({ folder }) => folder !== "")),
    published: new Set(pages),
  };
  return entriesIn(source, "", own.find(({ folder }) => folder === "")?.data);
}

interface MenuSource {
  /** By the folder of the section that lists them. */
  pagesIn: ReadonlyMap<string, readonly ZolaPage[]>;
  sectionsIn: ReadonlyMap<string, readonly ZolaPage[]>;
  published: ReadonlySet<ZolaPage>;
}

function entriesIn(source: MenuSource, folder: string, data: ZolaPage["data"] | undefined): MenuEntry[] {
  const order = orderOf(data?.["sort_by"]);
  const pages = source.pagesIn.get(folder) ?? [];
  const sections = source.sectionsIn.get(folder) ?? [];
  return [
    ...(order === undefined ? [] : pages.toSorted(order)).map((page) => ({ ...entryOf(page), children: [] })),
    ...sections.toSorted(byWeight).map((section) => ({
      ...(source.published.has(section) ? entryOf(section) : { label: labelOf(section) }),
      children: entriesIn(source, section.folder, section.data),
    })),
  ];
}

const entryOf = (page: ZolaPage) => ({ label: labelOf(page), path: page.path });
const labelOf = ({ title, topic }: ZolaPage) => title ?? nameOf(topic.replace(/\/_?index$/, ""));

type Order = (a: ZolaPage, b: ZolaPage) => number;

const byPath: Order = (a, b) => (a.path < b.path ? -1 : 1);
const byWeight: Order = (a, b) => weightOf(a) - weightOf(b) || byPath(a, b);
const weightOf = ({ data }: ZolaPage) => (typeof data["weight"] === "number" ? data["weight"] : 0);

/** Names are sorted as Zola sorts them, whatever the language: numbers by what they say. */
const names = new Intl.Collator("en", { numeric: true });

function orderOf(sortedBy: unknown): Order | undefined {
  if (sortedBy === "weight") return byWeight;
  if (sortedBy === "title" || sortedBy === "title_bytes")
    return (a, b) => names.compare(a.title ?? "", b.title ?? "") || byPath(a, b);
  return sortedBy === "slug" || sortedBy === "permalink" ? byPath : undefined;
}
