import { asText, isRecord } from "@docent/kernel/text/json";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { readHtml } from "../../markdown/html/html.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { readConfig } from "../config/config.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { createHeadingNames, plainKramdown } from "./kramdown.ts";
import { type LiquidSource, writeLiquid } from "./liquid.ts";
import { childrenByPath, menuOf } from "./menu.ts";
import { addressOf, type JekyllPage, readPages } from "./pages.ts";
import { type JekyllSettings, jekyllRoots, readSettings, textsIn, trimmed } from "./settings.ts";

/** Jekyll, with the theme Just the Docs, by itself or on GitHub Pages. */
export const jekyll: GeneratorAdapter = {
  name: "Jekyll",
  roots: jekyllRoots,
  async open(tree, root, { clock }) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings, clock());
  },
};

const REDIRECTS_MAX = 50_000;

async function openSite(
  tree: DocsTree,
  settings: JekyllSettings,
  now: number,
): Promise<DocsSite | undefined> {
  const { pages: found, leftOut } = await readPages(tree, settings, now);
  const byPath = new Map<string, JekyllPage>();
  for (const page of found) {
    const other = byPath.get(page.path);
    if (other === undefined) byPath.set(page.path, page);
    else leftOut.push({ location: page.location, detail: `has the same address as ${other.location}` });
  }
  const pages = [...byPath.values()];
  if (pages.length === 0) return undefined;
  const source: LiquidSource = {
    tree,
    settings,
    data: await readData(tree, settings),
    byPlace: new Map(pages.map((page) => [page.below, page])),
  };
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const byOwnPath = new Map(pages.map((page) => [page.path, page]));
  const children = isJustTheDocs(tree, settings)
    ? childrenByPath(pages, settings)
    : new Map<string, readonly MenuEntry[]>();
  const listBelow = (page: JekyllPage) =>
    page.data["has_toc"] === false ? "" : listOf(children.get(page.path) ?? [], byOwnPath);
  return {
    generator: "Jekyll",
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: menuOf(pages, settings),
    redirects: pages
      .flatMap(({ path, data }) =>
        textsIn(data["redirect_from"]).map((from) => ({ from: trimmed(from), to: path })),
      )
      .slice(0, REDIRECTS_MAX),
    unknowns: settings.unknowns,
    async read(page) {
      const own = byLocation.get(page.location);
      const read = await readPage(source, byLocation, page);
      const list = own === undefined ? "" : listBelow(own);
      return list === "" ? read : { ...read, markdown: `${read.markdown.trimEnd()}\n\n${list}\n` };
    },
  };
}

/** Whether pages are shown by that theme, which may be the source itself. */
function isJustTheDocs(tree: DocsTree, { site, source }: JekyllSettings): boolean {
  const named = [site["theme"], site["remote_theme"]].some((theme) =>
    /just-the-docs/.test(asText(theme) ?? ""),
  );
  return named || tree.has(joinLocation(source, "_includes/components/children_nav.html"));
}

/** The pages below another one, as Just the Docs lists them on it. */
function listOf(children: readonly MenuEntry[], byPath: ReadonlyMap<string, JekyllPage>): string {
  const items = children.map(({ label, path = "" }) => {
    const summary = asText(byPath.get(path)?.data["summary"]);
    return `- [${escapeLabel(label)}](/${encodeURI(path)})${summary === undefined ? "" : ` - ${summary}`}`;
  });
  return items.length === 0 ? "" : ["**Table of contents**", "", ...items].join("\n");
}

async function readPage(
  source: LiquidSource,
  byLocation: ReadonlyMap<string, JekyllPage>,
  { location }: DocsPage,
): Promise<ReadDocsPage> {
  const { data, body, fault } = splitFrontMatter((await source.tree.text(location)) ?? "");
  const page = byLocation.get(location);
  if (page === undefined) return { data, markdown: body, faults: [] };
  const { text, faults } = await writeLiquid(source, page, body);
  const isHtml = /\.html?$/i.test(location);
  const plain = isHtml
    ? readHtml(text, { keepsImages: true }).markdown
    : plainKramdown(text, source.settings);
  const linked = rewriteLinks(plain, (href) => publishedHref(source, page, href));
  const names = isHtml
    ? ({ given }: { given: string | undefined }) => given ?? ""
    : createHeadingNames(source.settings);
  return {
    data: { ...page.data, ...(page.title === undefined ? {} : { title: page.title }) },
    markdown: writeHeadingIds(linked, names),
    faults: fault === undefined ? faults : [fault, ...faults],
  };
}

/** Where a link of a page leads: to the page that is made of a file, or to an address. */
function publishedHref(
  { byPlace, settings }: LiquidSource,
  page: JekyllPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (/\.(?:md|markdown)$/i.test(target)) {
    const place = resolveLocation(folderOf(page.below), target);
    const found = place === undefined ? undefined : byPlace.get(place);
    if (found !== undefined) return `${addressOf(found)}${rest}`;
  }
  if (target.startsWith("/")) {
    const { base } = settings;
    return base !== "" && `${target}/`.startsWith(`/${base}/`)
      ? `/${target.slice(base.length + 2)}${rest}`
      : undefined;
  }
  const resolved = resolveLocation(page.isFolder ? page.path : folderOf(page.path), target);
  return resolved === undefined
    ? undefined
    : `/${encodeURI(resolved.replace(/(^|\/)index\.html$/, "$1"))}${rest}`;
}

const FILES_MAX = 500;

/** What the files of `_data` say, which pages name as `site.data.folder.file`. One that cannot be read says nothing. */
async function readData(
  tree: DocsTree,
  { source, site }: Pick<JekyllSettings, "source" | "site">,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = Object.create(null);
  const folder =
    resolveLocation(source, asText(site["data_dir"]) ?? "_data") ?? joinLocation(source, "_data");
  const files = tree.below(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file));
  for (const location of files.slice(0, FILES_MAX)) {
    const file = await readConfig(tree, location);
    if (file === undefined || file.fault !== undefined) continue;
    const names = location
      .slice(folder.length + 1)
      .replace(/\.\w+$/, "")
      .split("/");
    put(data, names, file.value);
  }
  return data;
}

function put(data: Record<string, unknown>, [name = "", ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) {
    data[name] = value;
    return;
  }
  const inside = data[name];
  const folder = isRecord(inside) ? { ...inside } : {};
  put(folder, below, value);
  data[name] = folder;
}
