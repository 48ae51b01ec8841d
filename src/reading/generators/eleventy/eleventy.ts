import { asNumber, asRecord, asText } from "@docent/kernel/text/json";
import { readHtml } from "../../markdown/html/html.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import {
  calloutKind,
  eachOutsideCode,
  rewriteLinks,
  splitHref,
  writeHeadingIds,
} from "../writing/writing.ts";
import { readSource } from "./data.ts";
import { createHeadingNames } from "./heading-ids.ts";
import { type EleventyPage, pageData, readPages } from "./pages.ts";
import { type EleventySettings, eleventyRoots, readSettings } from "./settings.ts";
import { isKnownText, withoutMarks, writeTemplates } from "./templates.ts";

/** Eleventy 2, 3 and later: what its files of data and templates say without running anything. */
export const eleventy: GeneratorAdapter = {
  name: "Eleventy",
  roots: eleventyRoots,
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: EleventySettings): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readPages(tree, settings);
  if (pages.length === 0) return undefined;
  const source: PageSource = {
    tree,
    settings,
    byLocation: new Map(pages.map((page) => [page.location, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
  };
  const editionOf = editionsOf(settings, pages);
  return {
    generator: "Eleventy",
    root: settings.root,
    language: editionOf === undefined ? undefined : settings.defaultLanguage,
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf?.(path) })),
    leftOut,
    menu: menuOf(pages),
    redirects: [],
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = source.byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(source, page);
    },
  };
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** With the plugin for languages, a page stands in a folder that is called like its language. */
function editionsOf({ defaultLanguage }: EleventySettings, pages: readonly EleventyPage[]) {
  if (defaultLanguage === undefined) return undefined;
  const folders = new Set(
    pages.map(({ path }) => path.split("/", 1)[0] ?? "").filter((name) => LANGUAGE.test(name)),
  );
  if (folders.size < 2 && !(folders.size === 1 && !folders.has(defaultLanguage))) return undefined;
  return (path: string): PageEdition => {
    const [first = ""] = path.split("/", 1);
    const isIn = folders.has(first);
    return { language: isIn ? first : defaultLanguage, topic: isIn ? path.slice(first.length + 1) : path };
  };
}

interface PageSource {
  tree: DocsTree;
  settings: EleventySettings;
  byLocation: ReadonlyMap<string, EleventyPage>;
  byPath: ReadonlyMap<string, EleventyPage>;
}

async function readPage(source: PageSource, page: EleventyPage): Promise<ReadDocsPage> {
  const { tree, settings } = source;
  const { location, title } = page;
  const { data, body, fault } = await readSource((await tree.text(location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const isMarkdown = location.endsWith(".md");
  const override = page.data["templateEngineOverride"];
  const isTemplate =
    override === undefined
      ? isMarkdown
        ? settings.markdownEngine
        : settings.htmlEngine || !location.endsWith(".html")
      : typeof override === "string" && /njk|liquid/.test(override);
  const url = `/${page.path}${page.isFolder && page.path !== "" ? "/" : ""}`;
  const known = { ...page.data, page: { ...pageData(location, settings), url } };
  const written = isTemplate
    ? await writeTemplates({ tree, settings }, location, body, known)
    : { text: body, faults };
  const marked = settings.hasAttributes ? withoutAttributes(written.text) : written.text;
  const plain = isMarkdown ? plainContainers(marked) : readHtml(written.text, { keepsImages: true }).markdown;
  const linked = rewriteLinks(plain, (href) => publishedHref(source, page, href));
  const { headingIds } = settings;
  // What changes Markdown does not see the headings of HTML.
  const isNamed = isMarkdown || headingIds.plugin === "own";
  const names = isNamed
    ? createHeadingNames(headingIds, isMarkdown ? settings.hasAttributes : true)
    : ({ given }: { given: string | undefined }) => given ?? "";
  return {
    data: title === undefined ? { ...data } : { ...data, title },
    markdown: withoutMarks(
      writeHeadingIds(linked, (heading) => (isKnownText(heading.words) ? names(heading) : "")),
    ),
    faults: [...new Set([...faults, ...written.faults])],
  };
}

const ATTRIBUTE = /(?:[.#][\w:-]{1,100}|[\w-]{1,100}=(?:"[^"\n]{0,300}"|[^\s{}"]{1,300}))/.source;
const ATTRIBUTES = new RegExp(`[ \\t]?\\{[ \\t]?${ATTRIBUTE}(?:[ \\t]+${ATTRIBUTE}){0,10}[ \\t]?\\}`, "g");

/** What a plugin reads between braces is how something looks, and the ids of headings. */
const withoutAttributes = (markdown: string) =>
  eachOutsideCode(markdown, (part) =>
    part.replace(ATTRIBUTES, (given) => {
      const id = /#([\w:-]+)/.exec(given)?.[1];
      return id === undefined ? "" : ` {#${id}}`;
    }),
  );

/** Containers that are no callouts only say how something looks. */
function plainContainers(markdown: string): string {
  if (!markdown.includes(":::")) return markdown;
  const open: boolean[] = [];
  const plain = (line: string): string | undefined => {
    const [, colons = "", name, title = ""] = /^ {0,3}(:{3,})[ \t]*([\w-]*)(.*)$/.exec(line) ?? [];
    if (name === undefined) return line;
    if (name === "") return (open.pop() ?? true) ? line : undefined;
    const kind = calloutKind(name);
    open.push(kind !== undefined);
    return kind === undefined ? undefined : `${colons}${kind}${title}`;
  };
  return eachOutsideCode(markdown, (part) =>
    part
      .split("\n")
      .map((line) => plain(line) ?? "")
      .join("\n"),
  );
}

/** Where a link of a page leads: to the page of a file, or to an address that is written from the page's own. */
function publishedHref(
  { settings: { base, input }, byLocation, byPath }: PageSource,
  page: EleventyPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const place = target.startsWith("/")
    ? resolveLocation(input, `.${target}`)
    : resolveLocation(folderOf(page.location), target);
  const file = place === undefined ? undefined : byLocation.get(place);
  if (file !== undefined) return `/${encodeURI(file.path)}${rest}`;
  if (target.startsWith("/")) {
    const isBelow = base !== "" && `${target}/`.startsWith(`/${base}/`);
    return knownPath(byPath, isBelow ? target.slice(base.length + 2) : target.slice(1), rest);
  }
  const resolved = resolveLocation(page.isFolder ? page.path : folderOf(page.path), target);
  return resolved === undefined ? undefined : knownPath(byPath, resolved, rest);
}

/** Hosts leave `.html` out of addresses. */
function knownPath(byPath: ReadonlyMap<string, EleventyPage>, written: string, rest: string): string {
  const path = written.replace(/(?:^|\/)index\.html$/, "").replace(/\/+$/, "");
  const found = byPath.has(path) || !byPath.has(`${path}.html`) ? path : `${path}.html`;
  return `/${encodeURI(found)}${rest}`;
}

const DEPTH_MAX = 20;
/** Many pages may have one key, and many others be below that. */
const ENTRIES_MAX = 50_000;

interface Entry {
  key: string | undefined;
  parent: string | undefined;
  label: string;
  order: number | undefined;
  isPinned: boolean;
  page: EleventyPage;
  url: string | undefined;
}

/** The menu of the plugin for navigation: pages name those above them by their keys. */
function menuOf(pages: readonly EleventyPage[]): MenuEntry[] {
  const entries = pages.flatMap((page): Entry[] => {
    const said = asRecord(page.data["eleventyNavigation"]);
    const key = asText(said["key"]);
    const label = asText(said["title"]) ?? key;
    if (label === undefined || page.data["eleventyExcludeFromCollections"] === true) return [];
    const order =
      asNumber(said["order"]) ?? (said["order"] === undefined ? undefined : Number(said["order"]));
    const parent = asText(said["parent"]) || undefined;
    return [{ key, parent, label, order, isPinned: said["pinned"] === true, page, url: asText(said["url"]) }];
  });
  const byParent = Map.groupBy(entries, ({ parent }) => parent);
  const below = { byParent, left: ENTRIES_MAX };
  // Sites show what is below a key, be there a page that has it or not.
  const keys = new Set(entries.map(({ key }) => key));
  const orphans = [...byParent.keys()].filter((parent) => parent !== undefined && !keys.has(parent));
  const groups = orphans.map((parent) => ({ label: parent ?? "", children: entriesBelow(parent, below, 0) }));
  return [...entriesBelow(undefined, below, 0), ...groups];
}

interface Below {
  byParent: ReadonlyMap<string | undefined, readonly Entry[]>;
  /** How many entries there may still be. */
  left: number;
}

function entriesBelow(parent: string | undefined, below: Below, depth: number): MenuEntry[] {
  if (depth > DEPTH_MAX || below.left < 0) return [];
  return (below.byParent.get(parent) ?? []).toSorted(inOrder).flatMap(({ key, label, page, url }) => {
    below.left -= 1;
    if (below.left < 0) return [];
    const children = key === undefined ? [] : entriesBelow(key, below, depth + 1);
    return [{ label, ...(url === undefined ? { path: page.path } : { href: url }), children }];
  });
}

/** Pinned entries first, then those with an order, then the others as they are. */
function inOrder(a: Entry, b: Entry): number {
  if (a.isPinned && b.isPinned) return (a.order ?? 0) - (b.order ?? 0);
  const first = a.isPinned ? Number.NEGATIVE_INFINITY : a.order;
  const second = b.isPinned ? Number.NEGATIVE_INFINITY : b.order;
  if (first === undefined || second === undefined)
    return first === second ? 0 : second === undefined ? -1 : 1;
  return first - second;
}
