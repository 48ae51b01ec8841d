import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { readHtml } from "../../markdown/html/html.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { type NameHeading, rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { type HexoPage, readPages, withOpening } from "./pages.ts";
import { type HexoSettings, hexoRoots, readSettings } from "./settings.ts";
import { type TagSource, writeTags } from "./tags.ts";

/** Hexo: pages in Markdown and HTML, with the tags that it brings along. */
export const hexo: GeneratorAdapter = {
  name: "Hexo",
  roots: hexoRoots,
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: HexoSettings): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readPages(tree, settings);
  if (pages.length === 0) return undefined;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const bySlug = new Map(
    pages.flatMap((page) => (page.slug === undefined ? [] : [[page.slug, page] as const])),
  );
  const source: TagSource = { tree, settings, bySlug };
  const editionOf = editionsOf(settings, pages);
  return {
    generator: "Hexo",
    root: settings.root,
    language: editionOf === undefined ? undefined : settings.languages[0],
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf?.(path) })),
    leftOut,
    menu: [],
    redirects: [],
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(source, byLocation, page);
    },
  };
}

/** Pages of another language than the main one stand in a folder that is called like it. */
function editionsOf({ languages }: HexoSettings, pages: readonly HexoPage[]) {
  const [main, ...others] = languages;
  const folderIn = (path: string) => others.find((each) => path === each || path.startsWith(`${each}/`));
  if (main === undefined || !pages.some(({ path }) => folderIn(path) !== undefined)) return undefined;
  return (path: string): PageEdition => {
    const folder = folderIn(path);
    return { language: folder ?? main, topic: folder === undefined ? path : path.slice(folder.length + 1) };
  };
}

async function readPage(
  source: TagSource,
  byLocation: ReadonlyMap<string, HexoPage>,
  page: HexoPage,
): Promise<ReadDocsPage> {
  const { tree, settings } = source;
  const { data, body, fault } = splitFrontMatter(withOpening((await tree.text(page.location)) ?? ""));
  const faults = fault === undefined ? [] : [fault];
  const text = await writeTags(source, page, body, faults);
  const isHtml = /\.html?$/i.test(page.location);
  const plain = isHtml ? readHtml(text, { keepsImages: true }).markdown : text;
  const linked = rewriteLinks(plain, (href) => publishedHref(settings, byLocation, page, href));
  return {
    data: page.title === undefined ? { ...data, title: settings.title } : { ...data, title: page.title },
    markdown: writeHeadingIds(linked, createHeadingNames(settings)),
    faults,
  };
}

/** Where a link of a page leads: to the page of a file, or to an address that is written from the page's own. */
function publishedHref(
  { base, source }: HexoSettings,
  byLocation: ReadonlyMap<string, HexoPage>,
  page: HexoPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (target.startsWith("/"))
    return base !== "" && `${target}/`.startsWith(`/${base}/`)
      ? `/${target.slice(base.length + 2)}${rest}`
      : undefined;
  const place = resolveLocation(folderOf(page.location), target);
  const file = place === undefined ? undefined : byLocation.get(place);
  if (file !== undefined && /\.(?:md|markdown)$/i.test(target)) return `/${encodeURI(file.path)}${rest}`;
  const folder = page.file.endsWith("/") ? page.file.slice(0, -1) : folderOf(page.file);
  const resolved = resolveLocation(folder, target);
  const isImage = place !== undefined && source !== "" && /\.(?:png|jpe?g|gif|svg|webp)$/i.test(target);
  return resolved === undefined || isImage
    ? undefined
    : `/${encodeURI(resolved.replace(/(^|\/)index\.html$/, "$1"))}${rest}`;
}

/** Ids as its renderer makes them: letters keep their case, and a repeated one is `a-1`. */
function createHeadingNames({ headingCase }: HexoSettings): NameHeading {
  const counts = new Map<string, number>();
  return ({ words, given, isInTag }) => {
    if (given !== undefined && !isInTag) return given;
    const id = idOf(words, headingCase);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

function idOf(words: string, headingCase: HexoSettings["headingCase"]): string {
  const id = words
    .replace(/\p{Script=Latin}\p{Mark}*/gu, (letter) => letter.normalize("NFD").replace(/\p{Mark}/gu, ""))
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, "-")
    .replace(/^-|-$/g, "");
  if (headingCase === "kept") return id;
  return headingCase === "lower" ? id.toLowerCase() : id.toUpperCase();
}
