import { posix } from "node:path";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { createFreeNames, wordsOfName } from "@docent/kernel/text/words-of-name";
import { folderOf, type MenuEntry, resolveLocation } from "../../../generators/generators.ts";
import {
  type CutDocument,
  cutDocument,
  type DocbookElement,
  type DocbookPage,
  type DocbookPageLinks,
  type DocbookTarget,
  generatedWords,
  languageOf,
  PAGE_ROOTS,
  textOfPage,
  writeDocbookPage,
} from "../../../markdown/docbook/docbook.ts";
import { encodePath, hrefOf } from "../../../page/page-path.ts";
import type { Skipped, SourceItem } from "../../../source-reader.ts";
import type { ReadableFile } from "../tree-file.ts";
import { docbookRoot } from "./docbook-root.ts";
import { filesTakenIn, mayBeDocbook } from "./find-documents.ts";
import { type DocbookSource, readDocument } from "./read-document.ts";
import { docbookSource } from "./source-files.ts";

export { mayBeDocbook } from "./find-documents.ts";

/** A page of a document, and where it goes. */
interface PlacedPage {
  /** Its place in the document. */
  index: number;
  path: string;
  location: string;
  title: string;
  /** Whether it is also a page of another document, which takes in the same file. */
  isRepeated: boolean;
}

/** A document of DocBook with its pages. */
interface PlacedDocument {
  location: string;
  faults: readonly string[];
  pages: PlacedPage[];
  menu: MenuEntry;
}

/** The documents of a source. */
export interface DocbookDocuments {
  pages: { path: string; location: string }[];
  skipped: Skipped[];
  /** The trees of the documents that are cut into pages. */
  menu: MenuEntry[];
  /** The pages, document by document. */
  items(
    imageFile: (page: { location: string; path: string }) => SourceItem["imageFile"],
  ): Iterable<SourceItem>;
}

interface FindOptions {
  found: string;
  /** Where readers find the site: addresses are then those that the stylesheets give. */
  siteUrl?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Where an id of a source leads, for other documents. */
interface KnownId {
  path: string;
  anchor: string;
  words: string;
}

const READ_AT_ONCE = 16;
/** Other documents may lead to so many ids of a source. */
const IDS_MAX = 2_000_000;

/** Finds the documents among files, by what their texts say: other XML is left alone. */
export async function findDocbook(
  files: readonly ReadableFile[],
  { found, siteUrl, signal }: FindOptions,
): Promise<DocbookDocuments> {
  const candidates = files.filter(({ location }) => mayBeDocbook(location));
  if (candidates.length === 0) return NONE;
  const source = docbookSource(files, signal);
  const { roots, taken } = await rootsAmong(candidates, source, signal);
  const skipped: Skipped[] = [];
  const cut: ReadSummary[] = [];
  for (const location of roots) {
    signal?.throwIfAborted();
    const { root, faults } = await readDocument(location, source);
    if (root === undefined) {
      const detail = faults[0] === undefined ? "cannot be read as DocBook" : `is not read: it ${faults[0]}`;
      skipped.push({ location, found, reason: "parse_fault", detail });
    } else cut.push({ location, faults, document: summaryOf(cutDocument(root), location) });
    await letOthersRun();
  }
  const ids = new Map<string, KnownId>();
  const [whole, again] = withoutRepeated(cut, taken);
  for (const { location, of } of again)
    skipped.push({
      location,
      found,
      reason: "duplicate",
      detail: `has no page that is not in ${of} as well`,
    });
  const documents = placed(whole, siteUrl, ids);
  const names = new Map(documents.map(({ location, pages }) => [stemOf(location), pages[0]?.path ?? ""]));
  const writing: Writing = { source, ids, names, last: undefined, has: (location) => source.has(location) };
  return {
    pages: documents.flatMap(({ pages }) =>
      pages.filter(({ isRepeated }) => !isRepeated).map(({ path, location }) => ({ path, location })),
    ),
    skipped,
    menu: menuOfAll(documents),
    *items(imageFile) {
      for (const document of documents)
        for (const page of document.pages)
          if (!page.isRepeated)
            yield { ...pageItem(document, page, writing, found), imageFile: imageFile(page) };
    },
  };
}

const NONE: DocbookDocuments = { pages: [], skipped: [], menu: [], items: () => [] };

const stemOf = (location: string) => posix.basename(location).replace(/\.\w+$/, "");

/**
 * The documents without those that others hold: manuals have files that make one book of the pages of another, such as its
 * manual pages alone.
 */
function withoutRepeated(
  all: readonly ReadSummary[],
  taken: ReadonlyMap<string, ReadonlySet<string>>,
): [ReadSummary[], { location: string; of: string }[]] {
  const again = new Map<string, string>();
  const bySize = all.toSorted((a, b) => b.document.pages.length - a.document.pages.length);
  for (const { location, document } of all) {
    const below = document.pages.slice(1);
    if (below.length === 0) continue;
    const holds = (other: ReadSummary) =>
      below.every(({ file }) => file !== location && taken.get(other.location)?.has(file));
    const whole = bySize.find(
      (other) =>
        other.location !== location && other.document.pages.length > document.pages.length && holds(other),
    );
    if (whole !== undefined) again.set(location, whole.location);
  }
  return [
    all.filter(({ location }) => !again.has(location)),
    [...again].map(([location, of]) => ({ location, of })),
  ];
}

/** The documents that are no parts of others, and that are pages; the files that each takes in. */
async function rootsAmong(
  candidates: readonly ReadableFile[],
  source: DocbookSource,
  signal: AbortSignal | undefined,
): Promise<{ roots: string[]; taken: ReadonlyMap<string, ReadonlySet<string>> }> {
  const locations = candidates.map(({ location }) => location).sort();
  const documents = new Map<string, string>();
  for (let at = 0; at < locations.length; at += READ_AT_ONCE) {
    signal?.throwIfAborted();
    await Promise.all(
      locations.slice(at, at + READ_AT_ONCE).map(async (location) => {
        const text = await source.text(location);
        const root = text === undefined ? undefined : docbookRoot(text);
        if (root !== undefined) documents.set(location, root);
      }),
    );
  }
  const parts = new Set<string>();
  const taken = new Map<string, ReadonlySet<string>>();
  for (const location of documents.keys()) {
    const own = await filesTakenIn(location, source);
    if (own.size > 0) taken.set(location, own);
    for (const part of own) parts.add(part);
    if (parts.size % 100 === 0) await letOthersRun();
  }
  const roots = [...documents]
    .filter(([location, root]) => !parts.has(location) && PAGE_ROOTS.has(root))
    .map(([location]) => location)
    .sort();
  return { roots, taken };
}

interface ReadSummary {
  location: string;
  faults: readonly string[];
  document: CutSummary;
}

/** What is kept of a document until its pages are written: not its tree. */
interface CutSummary {
  root: string;
  pages: { name: string; title: string; file: string; isWholeFile: boolean; parent: number }[];
  ids: { id: string; page: number; isPage: boolean; words: string }[];
}

function summaryOf({ pages, places }: CutDocument, location: string): CutSummary {
  return {
    root: pages[0]?.element.name ?? "",
    pages: pages.map(({ name, title, element, parent }) => ({
      name,
      title,
      file: element.file,
      isWholeFile: element.file !== location && element.parent?.file !== element.file,
      parent: parent?.index ?? -1,
    })),
    ids: [...places].map(([id, { page, element }]) => ({
      id,
      page: page.index,
      isPage: page.element === element,
      words: generatedWords(element)?.slice(0, 200) ?? "",
    })),
  };
}

/** Gives the pages of documents their paths. */
function placed(
  cut: readonly ReadSummary[],
  siteUrl: string | undefined,
  ids: Map<string, KnownId>,
): PlacedDocument[] {
  const largest = new Map<string, ReadSummary>();
  for (const each of cut) {
    const folder = folderOf(each.location);
    const known = largest.get(folder);
    if (each.document.pages.length > (known?.document.pages.length ?? 1)) largest.set(folder, each);
  }
  const freePath = createFreeNames();
  const freeLocation = createFreeNames();
  const known = new Map<string, string>();
  const bySize = cut.toSorted((a, b) => b.document.pages.length - a.document.pages.length);
  const documents = bySize.map(({ location, faults, document }) => {
    const stem = location.replace(/\.\w+$/, "");
    // A manual is published in its folder; what lies beside it, of fewer pages, in folders of its own.
    const isMain = siteUrl !== undefined && largest.get(folderOf(location))?.location === location;
    const base = isMain || /(?:^|\/)index$/i.test(stem) ? folderOf(stem) : stem;
    const ending = siteUrl === undefined ? "" : ".html";
    const pages = document.pages.map((page, index): PlacedPage => {
      const { title, name, file } = page;
      // What a larger document takes in from the same file is that one's page.
      const own = file === location ? undefined : `${file}#${name}`;
      const path = own === undefined ? undefined : known.get(own);
      if (path !== undefined) return { index, path, location: file, title, isRepeated: true };
      const below = name === "" ? base : `${base === "" ? "" : `${base}/`}${name}${ending}`;
      const free = freePath(below);
      if (own !== undefined) known.set(own, free);
      const place = freeLocation(index === 0 ? location : locationOf(page, location));
      return { index, path: free, location: place, title, isRepeated: false };
    });
    for (const { id, page, isPage, words } of document.ids)
      if (!ids.has(id) && ids.size < IDS_MAX)
        ids.set(id, { path: pages[page]?.path ?? "", anchor: isPage ? "" : id, words });
    return { location, faults, pages, menu: menuOf(document, pages) };
  });
  return documents.sort((a, b) => (a.location < b.location ? -1 : 1));
}

const locationOf = ({ file, name, isWholeFile }: CutSummary["pages"][number], location: string) =>
  isWholeFile ? file : `${file || location}#${name.replaceAll("/", ".")}`;

function menuOf({ pages: cut }: CutSummary, pages: readonly PlacedPage[]): MenuEntry {
  const entries = pages.map(({ title, path }): MenuEntry => ({ label: title, path, children: [] }));
  for (const [index, { parent }] of cut.entries()) {
    const entry = entries[index];
    if (entry !== undefined && parent >= 0) entries[parent]?.children.push(entry);
  }
  return entries[0] ?? { label: "", children: [] };
}

/** The most documents that stand beside each other in the menu; more stand in the folders that they lie in. */
const MENU_FLAT_MAX = 12;

function menuOfAll(documents: readonly PlacedDocument[]): MenuEntry[] {
  const trees = documents.filter(({ pages }) => pages.length > 1);
  if (trees.length <= MENU_FLAT_MAX) return trees.map(({ menu }) => menu);
  const top: MenuEntry[] = [];
  const folders = new Map<string, MenuEntry[]>([["", top]]);
  const entriesOf = (folder: string): MenuEntry[] => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    const entry: MenuEntry = { label: wordsOfName(name) || name, children: [] };
    entriesOf(folderOf(folder)).push(entry);
    folders.set(folder, entry.children);
    return entry.children;
  };
  for (const { location, menu } of trees) {
    // A document with such a name is all that its folder is about.
    const isFolder = /(?:^|\/)(?:index|book|set|main|manual)\.\w+$/i.test(location);
    entriesOf(isFolder ? folderOf(folderOf(location)) : folderOf(location)).push(menu);
  }
  return top;
}

/** What the pages of a source are written with. */
interface Writing {
  source: DocbookSource;
  ids: ReadonlyMap<string, KnownId>;
  /** The first pages of documents, by the names of their files: what `olink` calls them. */
  names: ReadonlyMap<string, string>;
  /** The document that was read last: its pages are asked for one after the other. */
  last: { location: string; document: Promise<CutDocument | undefined> } | undefined;
  has(location: string): boolean;
}

function opened(location: string, writing: Writing): Promise<CutDocument | undefined> {
  if (writing.last?.location === location) return writing.last.document;
  const document = readDocument(location, writing.source).then(({ root }) =>
    root === undefined ? undefined : cutDocument(root),
  );
  writing.last = { location, document };
  return document;
}

/** A page, written when it is read. It has no validator: what it takes in may have changed although its file has not. */
function pageItem(document: PlacedDocument, page: PlacedPage, writing: Writing, found: string): SourceItem {
  const faults: string[] = page.index === 0 ? [...document.faults] : [];
  return {
    path: page.path,
    location: page.location,
    found,
    format: "written",
    faults,
    async plain() {
      const own = (await opened(document.location, writing))?.pages[page.index];
      return own && { text: textOfPage(own), format: "txt", title: page.title };
    },
    async read() {
      const cut = await opened(document.location, writing);
      const own = cut?.pages[page.index];
      if (cut === undefined || own === undefined) throw new Error("it has changed while it was read");
      const links = linksOf({ cut, own, document, page, writing });
      const written = writeDocbookPage(own, links);
      faults.push(...written.faults);
      const language = languageAround(own.element);
      const title = written.title || page.title;
      const data = {
        ...(title === "" ? {} : { title }),
        ...(written.description === undefined ? {} : { description: written.description }),
        ...(language === undefined ? {} : { language }),
      };
      // JSON is YAML.
      return new TextEncoder().encode(`---\n${JSON.stringify(data)}\n---\n${written.markdown}`);
    },
  };
}

function languageAround(element: DocbookElement): string | undefined {
  for (let at: DocbookElement | undefined = element; at !== undefined; at = at.parent) {
    const language = languageOf(at);
    if (language !== undefined) return language;
  }
  return undefined;
}

interface LinksFrom {
  cut: CutDocument;
  own: DocbookPage;
  document: PlacedDocument;
  page: PlacedPage;
  writing: Writing;
}

function linksOf({ cut, own, document, page, writing }: LinksFrom): DocbookPageLinks {
  const pathOf = (other: DocbookPage) => document.pages[other.index]?.path ?? "";
  const find = (id: string): DocbookTarget | undefined => {
    const place = cut.places.get(id);
    if (place === undefined) {
      const known = writing.ids.get(id);
      return known && { href: hrefOf(known), words: known.words };
    }
    const isSame = place.page === own;
    const anchor = place.page.element === place.element && !isSame ? "" : id;
    const href = isSame ? `#${encodePath(anchor)}` : hrefOf({ path: pathOf(place.page), anchor });
    return { href, words: "", element: place.element };
  };
  return {
    find,
    hrefOf: (other) => hrefOf({ path: pathOf(other), anchor: "" }),
    findIn(name, id) {
      const target = id === "" ? undefined : find(id);
      if (target !== undefined || name === undefined) return target;
      const path = writing.names.get(name);
      return path === undefined ? undefined : { href: hrefOf({ path, anchor: id }), words: "" };
    },
    image: (reference, from) => imageBeside(reference, from.file, { document, page, writing }),
  };
}

/** An image lies beside the file that shows it, or beside the document that the file is a part of. */
function imageBeside(
  reference: string,
  file: string,
  { document, page, writing }: Pick<LinksFrom, "document" | "page" | "writing">,
): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(reference)) return reference;
  const places = [file, document.location].flatMap(
    (from) => resolveLocation(folderOf(from), reference) ?? [],
  );
  const place = places.find(writing.has) ?? places[0];
  return place === undefined
    ? reference
    : encodePath(posix.relative(folderOf(page.location), place)).replaceAll("%2F", "/");
}
