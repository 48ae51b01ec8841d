import { posix } from "node:path";
import { documentItem } from "../../document-process/documents.ts";
import { documentKindOf } from "../../documents/documents.ts";
import {
  createDocsTree,
  type DocsPage,
  type DocsSite,
  type DocsTree,
  folderOf,
  isBelow,
  nameOf,
  type OpenOptions,
  recognizeSite,
} from "../../generators/generators.ts";
import { groupsSaidBy, saysGroups } from "../../markdown/front-matter.ts";
import type { Authored } from "../../markdown/kept-words/kept-words.ts";
import { isInAnswersFolder } from "../../page/answer-file.ts";
import type { ListContext, Skipped, SourceItem } from "../../source-reader.ts";
import type { AccessRules } from "./access/access.ts";
import { createImageFinder, PUBLIC_FOLDERS } from "./image-files.ts";
import { authoredAs, pagePath, plainFormatOf, roleOf } from "./page-file.ts";
import { bytesMaxOf, type FileBounds, type ReadableFile } from "./tree-file.ts";

/** How a tree of files is read. */
export interface TreeOptions
  extends Omit<OpenOptions, "asciidoc">,
    FileBounds,
    Pick<ListContext, "onRecognized" | "onWritten"> {
  found: string;
  /** The folder whose pages are wanted, and which their locations are said from; all of the tree where it is not named. */
  subfolder?: string | undefined;
  /** What the rules of the tree's folders say. */
  access: AccessRules;
  /** The files that could not be read where pages are made elsewhere. */
  unread?: (() => ReadonlyMap<string, unknown>) | undefined;
  signal?: AbortSignal | undefined;
}

/** The docs that a tree of files holds, with the files that they are read from. */
interface HeldDocs {
  site: DocsSite;
  tree: DocsTree;
}

/** The docs of a tree of files, where they are some generator's. `others` are files that are no pages by themselves. */
export async function recognizeDocs(
  { files, others }: { files: readonly ReadableFile[]; others: readonly ReadableFile[] },
  options: TreeOptions,
): Promise<HeldDocs | undefined> {
  const { subfolder = "", version, siteUrl, answers, clock, asciidoc, signal, onRecognized } = options;
  const small = [...files, ...others].filter((file) => file.sizeBytes <= textBytesMax(file, options));
  const tree = createDocsTree(small, signal);
  const site = await recognizeSite(tree, { within: subfolder, version, siteUrl, answers, clock, asciidoc });
  if (site === undefined) return undefined;
  const { generator, root, pages, menu, redirects, unknowns, beside } = site;
  const samples = someOf(pages).map((page) => saidFrom(subfolder, page));
  if (pages.length > 0)
    onRecognized?.({ generator, root, pages: pages.length, samples, menu, redirects, unknowns, beside });
  return { site, tree };
}

/** A document is no text, however large it may be. */
const textBytesMax = (file: ReadableFile, options: TreeOptions) =>
  documentKindOf(file.location) === undefined ? bytesMaxOf(file, options) : options.fileBytesMax;

/** What is somewhere in a tree, with its location as it is said from a folder of it. */
export const saidFrom = <T extends { location: string }>(folder: string, what: T): T =>
  folder === "" ? what : { ...what, location: posix.relative(folder, what.location) || "." };

/** Whether a site has no pages, and none that were left out because they are not for everyone. */
export const isTakenAsItLies = ({ pages, holdsRestricted }: DocsSite) =>
  pages.length === 0 && holdsRestricted !== true;

/** What of a site's configuration cannot be known, and that none of its pages was found. */
export function unknownsOf(site: DocsSite, found: string): Skipped[] {
  const { generator, root, unknowns } = site;
  const questions = unknowns.map(({ question, guess }) => `${question} Assumed: ${guess}.`);
  if (isTakenAsItLies(site)) questions.push("No page was found by it: the files are taken as they lie.");
  if (questions.length === 0) return [];
  const detail = `is configured for ${generator}, and not all of that can be known. ${questions.join(" ")}`;
  return [
    {
      location: root === "" ? "." : root,
      found,
      reason: "assumed",
      detail: detail.slice(0, DETAIL_CHARACTERS_MAX),
    },
  ];
}

const DETAIL_CHARACTERS_MAX = 1000;

const SAMPLES = 10;

/** A few pages from the first to the last. */
export function someOf(pages: readonly DocsPage[]): DocsPage[] {
  const step = Math.max(1, (pages.length - 1) / (SAMPLES - 1));
  const places = Array.from({ length: Math.min(SAMPLES, pages.length) }, (_, index) =>
    Math.round(index * step),
  );
  return places.flatMap((place) => pages[place] ?? []).map(({ location, path }) => ({ location, path }));
}

/** What a generator publishes, and why the other files that look like pages are not taken. */
export async function* docsItems(
  { site, tree }: HeldDocs,
  { files, others }: { files: readonly ReadableFile[]; others: readonly ReadableFile[] },
  options: TreeOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const { found } = options;
  for (const { location, detail, isRestricted } of site.leftOut)
    yield { location, found, reason: isRestricted === true ? "restricted" : "hidden", detail };
  const pages = new Set(site.pages.map(({ location }) => location));
  const ofSite = pages.union(new Set(site.leftOut.map(({ location }) => location)));
  const held = site.held ?? [];
  const besides = [...files.filter(({ location }) => !ofSite.has(location)), ...held];
  const answers = besides.flatMap((file) => answerItem(file, found));
  const answering = new Set(answers.map(({ location }) => location));
  const pathOf = site.documentPath ?? createDocumentPaths(site.pages, site.root);
  for (const file of besides)
    if (!answering.has(file.location)) yield* besideSite(file, { site, pathOf, options });
  const readers = new Map(files.map(({ location, read }) => [location, read]));
  const findImages = createImageFinder([...others, ...held], site.root);
  const isListed = createListing(site, options.access);
  for (const page of site.pages)
    yield { ...pageItem({ site, tree }, page, { found, readers, isListed }), imageFile: findImages(page) };
  yield* answers;
  for (const [location, error] of new Map([...tree.unread(), ...(options.unread?.() ?? [])])) {
    if (pages.has(location)) continue;
    const why = error instanceof Error ? error.message : String(error);
    yield { location, found, reason: "failed", detail: `is a part of pages, and cannot be read: ${why}` };
  }
}

/** A file that the generator makes no page of: a document is published as it is. */
function* besideSite(
  file: ReadableFile,
  {
    site,
    pathOf,
    options,
  }: { site: DocsSite; pathOf: ReturnType<typeof createDocumentPaths>; options: TreeOptions },
): Generator<SourceItem | Skipped> {
  const { location, sizeBytes } = file;
  const { found } = options;
  const role = roleOf(location);
  const kind = documentKindOf(location);
  const path = kind === undefined ? undefined : pathOf(location);
  if (role.kind === "other") return;
  if (role.kind === "unread") yield { location, found, reason: "parse_fault", detail: role.detail };
  else if (sizeBytes > bytesMaxOf(file, options))
    yield {
      location,
      found,
      reason: "too_large",
      detail: `is larger than ${bytesMaxOf(file, options)} bytes`,
    };
  else if (role.kind === "page" && kind !== undefined && path !== undefined)
    yield documentItem(file, { ...options, path, kind });
  else
    yield {
      location,
      found,
      reason: "hidden",
      detail: `is no page of the site that ${site.generator} makes`,
      isBeside: true,
    };
}

/** A page of the site in a list that a generator makes, as of what is in a category. */
const LISTED = /^- \[.{0,500}\]\(<\/([^>#\n]{0,2000})[^>\n]{0,2000}>\).*\n?/gm;

/** Whether a page that a generator makes shows another one in a list. */
type IsListed = (list: DocsPage, path: string) => boolean;

/** A list shows no page that is for fewer than the list is, as far as rules say: with its title, what it is about. */
function createListing({ pages }: DocsSite, access: AccessRules): IsListed {
  const locations = new Map(pages.map(({ path, location }) => [path, location]));
  return (list, path) => {
    const location = locations.get(path);
    const listed = location === undefined ? [] : (access.of(location)?.groups ?? []);
    if (listed.length === 0) return true;
    const own = access.of(list.location)?.groups ?? [];
    return own.length > 0 && own.every((group) => listed.includes(group));
  };
}

/** How much of what is wrong with a page is said. */
const FAULTS_MAX = 100;

/**
 * A page as it is published. It has no validator: what it takes from other files may have changed although its own has
 * not, so it is made anew each time, and what came of it is compared.
 */
function pageItem(
  { site, tree }: HeldDocs,
  page: DocsPage,
  {
    found,
    readers,
    isListed,
  }: { found: string; readers: ReadonlyMap<string, ReadableFile["read"]>; isListed: IsListed },
): SourceItem {
  const { path, location, marks } = page;
  const faults: string[] = [];
  let authored: Authored | undefined;
  return {
    path,
    location,
    authored: () => authored,
    async plain() {
      const held = await site.plain?.(page);
      const text = held === undefined ? await tree.text(location) : undefined;
      return text === undefined ? held : { text, format: plainFormatOf(location) };
    },
    ...(marks === undefined ? {} : { marks }),
    found,
    format: "md",
    faults,
    async read() {
      const readFile = readers.get(location);
      // Its own bytes raise why they cannot be read, or are no text, as those of any other file.
      const own = await tree.text(location);
      if (readFile !== undefined && own === undefined) return readFile();
      const { data: made, markdown: whole, faults: met } = await site.read(page);
      const written = authoredAs(location);
      authored = own === undefined || written === undefined ? undefined : { text: own, format: written };
      const isMade = readFile === undefined;
      const markdown = isMade
        ? whole.replace(LISTED, (line, path) => (isListed(page, path) ? line : ""))
        : whole;
      const data = own === undefined || saysGroups(made) ? made : { ...made, ...groupsSaidBy(own) };
      faults.push(...met.slice(0, FAULTS_MAX));
      // JSON is YAML.
      return new TextEncoder().encode(`---\n${JSON.stringify(data)}\n---\n${markdown}`);
    },
  };
}

/** A curated answer lies beside the docs, and no generator knows of it. */
function answerItem({ location, validator, read }: ReadableFile, found: string): SourceItem[] {
  const role = roleOf(location);
  if (role.kind !== "page" || role.format === "adoc") return [];
  if (!isInAnswersFolder({ location, format: role.format })) return [];
  const path = pagePath(role.name, new Set());
  return [{ path, location, found, format: role.format, validator, read }];
}

interface Placed {
  location: string;
  path: string;
}

/**
 * Finds the addresses at which a generator publishes documents: as they are, beside the pages that lie in their folder or
 * above it, or from the top where they lie in a folder of what is published untouched. `root` is the folder of the site's
 * configuration.
 */
function createDocumentPaths(pages: readonly Placed[], root: string) {
  const folders = new Map<string, string>();
  for (const page of pages) {
    const folder = folderOf(page.location);
    if (!folders.has(folder) && keepsName(page)) folders.set(folder, pathFolderOf(page));
  }
  return (location: string): string | undefined => {
    for (const published of PUBLIC_FOLDERS) {
      const folder = [root, published].filter((each) => each !== "").join("/");
      if (published !== "" && isBelow(location, folder)) return location.slice(folder.length + 1);
    }
    for (let folder = folderOf(location); ; folder = folderOf(folder)) {
      const path = folders.get(folder);
      const below = location.slice(folder === "" ? 0 : folder.length + 1);
      if (path !== undefined) return path === "" ? below : `${path}/${below}`;
      if (folder === "") return undefined;
    }
  };
}

const INDEX = /^(?:_?index|readme)$/i;

const stemOf = (location: string) => nameOf(location).replace(/\.[^.]*$/, "");

/** Whether a page's address ends as its file is called: others say nothing of their folder's. */
const keepsName = ({ location, path }: Placed) =>
  INDEX.test(stemOf(location)) || nameOf(path).toLowerCase() === stemOf(location).toLowerCase();

const pathFolderOf = ({ location, path }: Placed) => (INDEX.test(stemOf(location)) ? path : folderOf(path));
