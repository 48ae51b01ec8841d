import { takeHeadingId } from "../../markdown/anchors.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { aliasesOf, readContent, readSource, sentOn, type ZolaPage } from "./content.ts";
import { menuOf } from "./menu.ts";
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
