import {
  createPandocNames,
  expandIncludes,
  type PandocProject,
  pandocFacts,
  pandocLines,
  pandocToMarkdown,
  pandocWords,
  type Reference,
  splitPandoc,
  wordsOf,
} from "../../markdown/pandoc/pandoc.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  createInclusions,
  type Inclusions,
  readIncluded,
  rewriteLinks,
  splitHref,
} from "../writing/writing.ts";
import { readMenu } from "./menu.ts";
import { pageText, type QuartoPage, readPages } from "./pages.ts";
import { type QuartoSettings, readSettings, textsIn } from "./settings.ts";

/** Quarto: websites, books, and folders of documents. */
export const quarto: GeneratorAdapter = {
  name: "Quarto",
  roots: (tree) => rootsIn(SITE_FILES.quarto, tree.files),
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

interface Site {
  tree: DocsTree;
  settings: QuartoSettings;
  byLocation: ReadonlyMap<string, QuartoPage>;
  byPath: ReadonlyMap<string, QuartoPage>;
  sources: ReadonlyMap<string, string>;
  /** The places of a book, by their labels. */
  places: ReadonlyMap<string, Reference & { location: string }>;
}

async function openSite(tree: DocsTree, settings: QuartoSettings): Promise<DocsSite> {
  const { pages, leftOut } = await readPages(tree, settings);
  const site: Site = {
    tree,
    settings,
    byLocation: new Map(pages.map((page) => [page.location, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
    sources: await readBibliography(tree, settings.root, textsIn(settings.values["bibliography"])),
    places: settings.isBook ? await placesIn(tree, settings, pages) : new Map(),
  };
  return {
    generator: settings.isNbdev ? "nbdev" : "Quarto",
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: readMenu(settings, pages),
    redirects: pages.flatMap(({ path, aliases }) => aliases.map((from) => ({ from, to: `/${path}` }))),
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = site.byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(site, page);
    },
  };
}

/** What pages of a book refer to on others. */
async function placesIn(
  tree: DocsTree,
  settings: QuartoSettings,
  pages: readonly QuartoPage[],
): Promise<Site["places"]> {
  const places = new Map<string, Reference & { location: string }>();
  for (const { location, path } of pages) {
    const { text } = await withQuartoIncludes(tree, {
      location,
      text: await pageText(tree, location, settings),
      root: settings.root,
    });
    const { headings, labels } = pandocFacts(pandocLines(splitPandoc(text).body), createPandocNames());
    for (const [index, heading] of headings.entries()) {
      // Links to a chapter lead to its page.
      const anchor = index === 0 && heading.level === 1 ? "" : `#${heading.id}`;
      if (!places.has(heading.id))
        places.set(heading.id, { location, href: `/${path}${anchor}`, words: wordsOf(heading) });
    }
    for (const label of labels)
      if (!places.has(label)) places.set(label, { location, href: `/${path}#${label}` });
  }
  return places;
}

async function readPage(site: Site, page: QuartoPage): Promise<ReadDocsPage> {
  const { tree, settings } = site;
  const { location } = page;
  const written = await withQuartoIncludes(tree, {
    location,
    text: await pageText(tree, location, settings),
    root: settings.root,
  });
  const { data, body, fault } = splitPandoc(written.text);
  const sources = new Map([
    ...site.sources,
    ...(await readBibliography(tree, folderOf(location), textsIn(data["bibliography"]))),
  ]);
  const project: PandocProject = {
    variables: settings.variables,
    metadata: { ...settings.values, ...page.folderValues },
    referenceOf: (label) => (label.includes("-") ? site.places.get(label) : undefined),
    citationOf: (key) => sources.get(key),
  };
  const { markdown } = pandocToMarkdown(body, { data, project });
  const { description } = data;
  return {
    data: {
      ...data,
      ...(page.title === undefined ? {} : { title: page.title }),
      ...(typeof description === "string" ? { description: pandocWords(description, project) } : {}),
    },
    markdown: rewriteLinks(markdown, (href) => publishedHref(site, page, href)),
    faults: [...(fault === undefined ? [] : [fault]), ...written.faults],
  };
}

/** A link to a file leads to its page; any other is an address beside the page's own. */
function publishedHref(
  { settings, byLocation, byPath }: Site,
  page: QuartoPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target.startsWith("//")) return undefined;
  const isRooted = target.startsWith("/");
  const from = isRooted ? settings.root : folderOf(page.location);
  const place = resolveLocation(from, isRooted ? `.${target}` : `./${target}`);
  if (place === undefined) return undefined;
  const found = byLocation.get(place);
  if (found !== undefined) return `/${encodeURI(found.path)}${rest}`;
  const folder = settings.root === "" ? "" : `${settings.root}/`;
  if (!`${place}/`.startsWith(folder)) return undefined;
  const below = place
    .slice(folder.length)
    .replace(/(^|\/)index\.html$/, "$1")
    .replace(/\/$/, "");
  return byPath.has(below) || /\.html$/.test(below) ? `/${encodeURI(below)}${rest}` : undefined;
}

interface Including {
  inclusions: Inclusions;
  /** The folder that `/part.qmd` is written from. */
  root: string;
  faults: Set<string>;
}

/** The text of a page of Quarto or R Markdown with the files that it takes in, and what could not be taken. */
export async function withQuartoIncludes(
  tree: Pick<DocsTree, "has" | "text" | "unread">,
  { location, text, root = "" }: { location: string; text: string; root?: string },
): Promise<{ text: string; faults: string[] }> {
  const including: Including = { inclusions: createInclusions(tree), root, faults: new Set() };
  const expanded = await expand(including, text, [location]);
  return { text: expanded, faults: [...including.faults] };
}

/** What a file takes in is written from that file's folder. */
async function expand(including: Including, text: string, above: readonly string[]): Promise<string> {
  const folder = folderOf(above.at(-1) ?? "");
  return expandIncludes(text, async (path) => {
    const from = path.startsWith("/") ? including.root : folder;
    const location = resolveLocation(from, `./${path.replace(/^\/+/, "")}`);
    const file = await readIncluded(including.inclusions, location, above);
    if (file.fault !== undefined) {
      including.faults.add(`${path}, which it includes, ${file.fault}`);
      return "";
    }
    const { body } = splitPandoc(file.text);
    return expand(including, body.replace(/\n+$/, ""), [...above, file.location]);
  });
}

const ENTRY = /^[ \t]*@(\w{1,40})[ \t]*[{(][ \t]*([^\s,{}]{1,200})[ \t]*,/gm;
const PEOPLE =
  /\b(?:author|editor)\s*=\s*(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){1,3000})\}|"([^"]{1,3000})")/i;
const YEAR = /\b(?:year|date)\s*=\s*(?:["{]+\s*)?(\d{4})/i;
const FILES_MAX = 20;
const ENTRY_CHARACTERS_MAX = 20_000;

/** How the sources of a book are named in its text, by their keys: "Knuth 1984". */
export async function readBibliography(
  tree: DocsTree,
  root: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of files.slice(0, FILES_MAX)) {
    const location = /\.bib$/i.test(file) ? resolveLocation(root, `./${file}`) : undefined;
    const text = location === undefined ? undefined : await tree.text(location);
    if (text !== undefined) for (const [key, words] of sourcesIn(text)) found.set(key, words);
  }
  return found;
}

function sourcesIn(text: string): [string, string][] {
  const entries = [...text.matchAll(ENTRY)];
  return entries.flatMap(({ 2: key = "", index }, at): [string, string][] => {
    const end = Math.min(entries[at + 1]?.index ?? text.length, index + ENTRY_CHARACTERS_MAX);
    const entry = text.slice(index, end);
    const [, braced, quoted] = PEOPLE.exec(entry) ?? [];
    const people = peopleIn(braced ?? quoted ?? "");
    const year = YEAR.exec(entry)?.[1];
    return people === "" ? [] : [[key, year === undefined ? people : `${people} ${year}`]];
  });
}

function peopleIn(written: string): string {
  const names = written.split(/\s+and\s+/).map((name) => {
    const plain = name.trim();
    // In braces it is one name, such as that of a company.
    if (plain.startsWith("{")) return plain.replace(/[{}]/g, "");
    const family = plain.includes(",") ? (plain.split(",", 1)[0] ?? "") : (plain.split(/\s+/).at(-1) ?? "");
    return family.replace(/\\[`'^"~=.uvHtcdbkr]\s?|[{}\\]/g, "").trim();
  });
  const [first = "", second] = names;
  if (second === undefined) return first;
  return names.length === 2 && second !== "others" ? `${first} and ${second}` : `${first} et al.`;
}
