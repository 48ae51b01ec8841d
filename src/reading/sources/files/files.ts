import { posix } from "node:path";
import { documentItem } from "../../document-process/documents.ts";
import { documentKindOf } from "../../documents/documents.ts";
import { folderOf, isBelow } from "../../generators/generators.ts";
import { REST } from "../../page/menu.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";
import { apiBeside, apiItems } from "../openapi/openapi.ts";
import { type AccessRules, idleGlobs, ruleFaults } from "./access/access.ts";
import { madeElsewhere } from "./apart.ts";
import { asciidocBooks, asciidocItem } from "./asciidoc/asciidoc.ts";
import { leadingRedirects, type WithoutBuilt, withoutBuilt } from "./built-html.ts";
import { describedApis } from "./described-apis.ts";
import { type DocbookDocuments, findDocbook } from "./docbook/docbook.ts";
import {
  docsItems,
  isTakenAsItLies,
  recognizeDocs,
  saidFrom,
  someOf,
  type TreeOptions,
  unknownsOf,
} from "./docs-items.ts";
import { endingOf, type HtmlEnding } from "./html-address.ts";
import { htmlItem, htmlPages } from "./html-item.ts";
import { menuOfHtml } from "./html-menu.ts";
import { createImageFinder } from "./image-files.ts";
import { includedFiles, includedFrom } from "./included-files.ts";
import { manualItem, manualNames, manualRedirects } from "./manual-item.ts";
import { findManuals, type Manuals } from "./manuals.ts";
import { orgItem, orgPages } from "./org-item.ts";
import { apiBaseOf, type FileFormat, isReadme, pagePath, roleOf, WRITTEN_FILE } from "./page-file.ts";
import { podItem, podPages } from "./pod-item.ts";
import { bytesMaxOf, type FileBounds, type ReadableFile, type TreeFile } from "./tree-file.ts";
import { quartoItem } from "./written-item.ts";

export { isConfigurationName, isPrivateName } from "../../generators/site-files.ts";
export {
  type AccessRules,
  createAccessRules,
  isRuleFile,
  RULE_FILE_BYTES_MAX,
  readAccessRules,
  readRule,
  ruleFaults,
  rulesFrom,
} from "./access/access.ts";
export { elsewhere } from "./apart.ts";
export { asciidocBooks, asciidocItem } from "./asciidoc/asciidoc.ts";
export { mayBeDocbook } from "./docbook/docbook.ts";
export { isHtmlName } from "./html-address.ts";
export {
  createIgnored,
  IGNORE_FILE_BYTES_MAX,
  type Ignored,
  isIgnoreFile,
  type Tracked,
  withoutIgnored,
} from "./ignored.ts";
export { isImageName } from "./image-files.ts";
export { includedFiles } from "./included-files.ts";
export { manualItem, manualNames } from "./manual-item.ts";
export { manualIn, unpacked } from "./manuals.ts";
export { orgItem, orgPages } from "./org-item.ts";
export type { FileFormat } from "./page-file.ts";
export {
  mayBeAnything,
  needsOthers,
  roleOf,
  WRITTEN_FILE,
} from "./page-file.ts";
export { podItem, podPages } from "./pod-item.ts";
export {
  boundsOf,
  bytesMaxOf,
  type FileBounds,
  type GivenBounds,
  type MadePage,
  type OpenTree,
  type PageOfTree,
  type ReadApart,
  type ReadableFile,
  type TreeApart,
  type TreeFile,
} from "./tree-file.ts";
export { quartoItem } from "./written-item.ts";

/** What of a tree becomes pages. */
interface Choice<File extends TreeFile> {
  pages: { file: File; path: string; format: FileFormat }[];
  /** Descriptions of an API, whose operations become pages below `base`, and `others` that would have the same place. */
  apis: { file: File; base: string; others: File[] }[];
  skipped: Skipped[];
}

interface Candidate<File> {
  file: File;
  name: string;
  format: FileFormat;
  preference: number;
}

/**
 * Decides which files are pages, and at which paths: the same, in whatever order the files come. `described` are files that
 * describe an API and are not called as such; `reserved` are paths that pages of other files have. `ending` is how pages of
 * HTML are published.
 */
export function chooseFiles<File extends TreeFile>(
  files: File[],
  {
    found,
    described = [],
    reserved = new Set(),
    ending = "file",
    ...bounds
  }: {
    found: string;
    described?: readonly File[];
    reserved?: ReadonlySet<string>;
    ending?: HtmlEnding;
  } & FileBounds,
): Choice<File> {
  const candidates: Candidate<File>[] = [];
  const apis = new Map<string, { file: File; others: File[] }>();
  const skipped = new Map<string, Skipped>();
  const skip = (location: string, reason: Skipped["reason"], detail: string) =>
    skipped.set(location, { location, found, reason, detail });

  for (const file of files.toSorted((a, b) => compare(a.location, b.location))) {
    const role = roleOf(file.location);
    if (role.kind === "other") continue;
    if (role.kind === "hidden") skip(role.location, "hidden", role.detail);
    else if (role.kind === "unread") skip(file.location, "parse_fault", role.detail);
    else if (file.sizeBytes > bytesMaxOf(file, bounds))
      skip(file.location, "too_large", `is larger than ${bytesMaxOf(file, bounds)} bytes`);
    else if (role.kind === "page") candidates.push({ file, ...role });
    else addApi(apis, role.base, file);
  }
  for (const file of described) addApi(apis, apiBaseOf(file.location), file);
  const pages: Choice<File>["pages"] = [];
  const isTaken = createClaims(reserved);
  for (const { plain, ...page } of withPaths(candidates, { reserved, ending })) {
    const first = isTaken({ ...page, plain });
    if (first !== undefined)
      skip(page.file.location, "duplicate", `has the same path as ${first}: /${plain}`);
    else pages.push(page);
  }
  return {
    pages: pages.sort((a, b) => compare(a.file.location, b.file.location)),
    apis: [...apis].map(([base, api]) => ({ base, ...api })),
    skipped: [...skipped.values()],
  };
}

function addApi<File>(apis: Map<string, { file: File; others: File[] }>, base: string, file: File): void {
  const first = apis.get(base);
  if (first) first.others.push(file);
  else apis.set(base, { file, others: [] });
}

/** A page with its path as it would be without an extension: no page of another format may have that one. */
type PlacedPage<File extends TreeFile> = Choice<File>["pages"][number] & { plain: string };

/**
 * Says which file has a page's path already, and takes the path where none has. On a static host, `a.html` and
 * `a/index.html` are two pages; `a.md` and `a.html` are one that was written and built.
 */
function createClaims(reserved: ReadonlySet<string>) {
  const paths = new Map<string, string>();
  const names = new Map<string, { location: string; isHtml: boolean }>();
  return ({ file: { location }, path, plain, format }: PlacedPage<TreeFile>): string | undefined => {
    const isHtml = format === "html";
    const named = names.get(plain);
    const other = named !== undefined && !(isHtml && named.isHtml) ? named.location : undefined;
    const first = paths.get(path) ?? other ?? (reserved.has(plain) ? "a document of DocBook" : undefined);
    if (first !== undefined) return first;
    paths.set(path, location);
    if (named === undefined) names.set(plain, { location, isHtml });
    return undefined;
  };
}

/** The candidates with their paths, those first that have a first claim to them. */
function withPaths<File extends TreeFile>(
  candidates: Candidate<File>[],
  { reserved, ending }: { reserved: ReadonlySet<string>; ending: HtmlEnding },
): PlacedPage<File>[] {
  const ranked = candidates.toSorted((a, b) => a.preference - b.preference);
  const [readmes, others] = [
    ranked.filter((each) => isReadme(each.name)),
    ranked.filter((each) => !isReadme(each.name)),
  ];
  const taken = reserved.union(new Set(others.map(({ name }) => pagePath(name, new Set()))));
  return [...others, ...readmes].map(({ file, name, format }) => {
    const plain = pagePath(name, taken);
    // The index of a folder is at the folder's address.
    const isAsItsFile = format === "html" && ending === "file" && plain === name;
    return { file, format, plain, path: isAsItsFile ? file.location : plain };
  });
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The pages of a tree that can be read in any order: as its docs generator publishes them, or else as its files lie. Each is
 * for whom the rules of its folders say.
 */
export function itemsOfTree(
  tree: { files: ReadableFile[]; others: ReadableFile[] },
  options: TreeOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const open = options.apart?.open({ ...options, ...tree, rules: options.access.notes() });
  if (open === undefined) return listTree(tree, options);
  return madeElsewhere(listTree(open.tree, { ...options, unread: open.unread }), open);
}

async function* listTree(
  tree: { files: ReadableFile[]; others: ReadableFile[] },
  options: TreeOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const { subfolder = "", found, access, onWritten } = options;
  if (onWritten !== undefined) await readWritten(tree.others, subfolder, onWritten);
  const said = (all: Skipped[]) => all.map((each) => saidFrom(subfolder, each));
  yield* said(ruleFaults(access, found).filter(({ location }) => isOnTheWay(location, subfolder)));
  const locations = [...tree.files, ...tree.others].map(({ location }) => location);
  yield* withRules(pagesOfTree(tree, options), { access, subfolder, locations });
  yield* said(idleGlobs(access, found).filter(({ location }) => isBelow(location, subfolder)));
}

/** A larger file is of more passages than a site has. */
const WRITTEN_BYTES_MAX = 256_000_000;

async function readWritten(
  others: readonly ReadableFile[],
  subfolder: string,
  onWritten: (content: Uint8Array) => void,
): Promise<void> {
  const wanted = subfolder === "" ? WRITTEN_FILE : `${subfolder}/${WRITTEN_FILE}`;
  const file = others.find(({ location }) => location === wanted);
  if (file !== undefined && file.sizeBytes <= WRITTEN_BYTES_MAX) onWritten(await file.read());
}

/** Whether what a rule closes is in the folder that is read, or around it. */
function isOnTheWay(rule: string, subfolder: string): boolean {
  const folder = folderOf(rule);
  return isBelow(subfolder, folder) || isBelow(folder, subfolder);
}

/** Says of each page what the rule of its file's folder says, and of what is kept in the place of pages. */
export async function* withRules(
  items: AsyncIterable<SourceItem | Skipped>,
  { access, subfolder, locations }: { access: AccessRules; subfolder: string; locations: Iterable<string> },
): AsyncGenerator<SourceItem | Skipped> {
  const files = new Set(locations);
  for await (const item of items) {
    const isOfPages = !isSkipped(item) || item.keeps !== undefined;
    const place = subfolder === "" ? item.location : posix.join(subfolder, item.location);
    const rule = isOfPages ? access.of(fileOf(place, files)) : undefined;
    if (rule !== undefined) item.rule = rule;
    yield item;
  }
}

/** The file that a page is made from, where it holds many: `openapi.yaml#/paths/…`, `entities.xml#Title`. */
function fileOf(location: string, files: ReadonlySet<string>): string {
  if (files.has(location)) return location;
  for (let end = location.length - 1; end > 0; end--) {
    const mark = location[end];
    if (mark !== "#" && mark !== "/" && mark !== " ") continue;
    const file = location.slice(0, end);
    if (files.has(file)) return file;
  }
  return location;
}

async function* pagesOfTree(
  all: { files: ReadableFile[]; others: ReadableFile[] },
  options: TreeOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const { subfolder = "", found } = options;
  const manuals = await findManuals(all.files, options);
  const tree = { files: manuals.files, others: [...all.others, ...manuals.others] };
  const isWanted = ({ location }: { location: string }) => isBelow(location, subfolder);
  const files = tree.files.filter(isWanted);
  const docs = await recognizeDocs(tree, options);
  if (docs !== undefined)
    for (const unknown of unknownsOf(docs.site, found)) yield saidFrom(subfolder, unknown);
  if (docs === undefined || isTakenAsItLies(docs.site)) {
    const said = (file: ReadableFile) => saidFrom(subfolder, file);
    const own = { files: files.map(said), others: tree.others.filter(isWanted).map(said) };
    const built = await withoutBuilt(own, options);
    const described = await describedApis(own.others, options);
    const docbook = await findDocbook(own.others, options);
    const reserved = new Set(docbook.pages.map(({ path }) => path));
    const ending = await endingOf(built.files, options.signal);
    const choice = chooseFiles(built.files, { ...options, described, reserved, ending });
    const pages = [
      ...choice.pages.map(({ file, path }) => ({ location: file.location, path })),
      ...docbook.pages,
    ];
    const { aliases, skipped } = manualsFrom(manuals, subfolder);
    const redirects = [...manualRedirects(pages, aliases), ...leadingRedirects(pages, built.leading)];
    const html = choice.pages.filter(({ format }) => format === "html");
    const menu = [...docbook.menu, ...(await menuOfHtml(html, { ...options, ...built }))];
    if (pages.length > 0)
      options.onRecognized?.({
        generator: undefined,
        pages: pages.length,
        samples: someOf(pages),
        ...(redirects.length > 0 && { redirects }),
        ...(menu.length > 0 && { menu: [...menu, REST] }),
      });
    yield* skipped;
    yield* built.skipped;
    yield* toItems(choice, { ...own, aliases, leftOut: built.leftOut }, options);
    return yield* docbookItems(docbook, own.others);
  }
  // What pages take from the rest of the tree is read there.
  for await (const item of docsItems(docs, { files, others: tree.others }, options))
    if (subfolder === "") yield item;
    else if (isWanted(item)) yield withImagesFrom(subfolder, saidFrom(subfolder, item));
}

function* docbookItems(
  docbook: DocbookDocuments,
  others: readonly ReadableFile[],
): Generator<SourceItem | Skipped> {
  yield* docbook.skipped;
  yield* docbook.items(createImageFinder(others));
}

/** Other names of manual pages as they are said from a folder, and what of manual pages is not taken. */
function manualsFrom({ aliases, skipped }: Manuals, subfolder: string): Pick<Manuals, "aliases" | "skipped"> {
  const said = (location: string) => saidFrom(subfolder, { location }).location;
  const below = [...aliases].filter(
    ([location, page]) => isBelow(location, subfolder) && isBelow(page, subfolder),
  );
  return {
    aliases: new Map(below.map(([location, page]) => [said(location), said(page)])),
    skipped: skipped
      .filter(({ location }) => isBelow(location, subfolder))
      .map((each) => saidFrom(subfolder, each)),
  };
}

function withImagesFrom(subfolder: string, item: SourceItem | Skipped): SourceItem | Skipped {
  const imageFile = "imageFile" in item ? item.imageFile : undefined;
  if (imageFile === undefined) return item;
  return {
    ...item,
    imageFile(reference) {
      const image = imageFile(reference);
      return image && saidFrom(subfolder, image);
    },
  };
}

/** The pages of a tree as its files lie, and what the descriptions of APIs in it become. */
async function* toItems(
  choice: Choice<ReadableFile>,
  tree: Pick<Manuals, "aliases"> &
    Pick<WithoutBuilt<unknown>, "leftOut"> & {
      files: readonly ReadableFile[];
      others: readonly ReadableFile[];
    },
  options: TreeOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const { found, asciidoc } = options;
  const findImages = createImageFinder(tree.others);
  const manuals = choice.pages.filter(({ format }) => format === "man");
  const names = manualNames(
    manuals.map(({ file, path }) => ({ location: file.location, path })),
    tree.aliases,
  );
  const beside = includedFiles([...tree.files, ...tree.others], options);
  const others = orgPages(choice.pages, beside);
  const pods = podPages(choice.pages, beside);
  const html = htmlPages(choice.pages, tree.leftOut);
  const books = asciidocBooks(
    choice.pages.flatMap(({ file, format }) => (format === "adoc" ? [file.location] : [])),
    beside,
  );
  yield* choice.skipped;
  for (const { file, path, format } of choice.pages) {
    const { location, validator, read } = file;
    const imageFile = findImages({ location, path });
    const kind = documentKindOf(location);
    if (format === "document" && kind !== undefined) yield documentItem(file, { ...options, path, kind });
    else if (format === "man") yield manualItem(file, { path, found, names });
    else if (format === "org") yield { ...orgItem(file, { path, found, tree: beside, others }), imageFile };
    else if (format === "pod") yield podItem(file, { path, found, pods });
    else if (format === "adoc") yield { ...asciidocItem(file, { path, found, books, asciidoc }), imageFile };
    else if (format === "qmd") yield { ...quartoItem(file, { path, found, tree: beside }), imageFile };
    else if (format === "html") yield { ...htmlItem(file, { path, found, beside: html }), imageFile };
    else yield { path, location, found, format, validator, read, imageFile };
  }
  const taken = new Set(choice.pages.map(({ path }) => path));
  const include = (target: string, from: string) => includedFrom(beside, target, from);
  for (const { file, base, others } of choice.apis) {
    const { location } = file;
    const content = await contentOf(file, found);
    if (content instanceof Uint8Array)
      yield* await apiItems(content, { location, found, base, taken, beside: include });
    else yield { ...content, keeps: { below: base } };
    for (const other of others) {
      const beside = await contentOf(other, found);
      const isRead = beside instanceof Uint8Array;
      yield isRead ? apiBeside(beside, { location: other.location, found, first: location }) : beside;
    }
  }
}

/** What is in a file, or why that cannot be told. */
async function contentOf({ location, read }: ReadableFile, found: string): Promise<Uint8Array | Skipped> {
  try {
    return await read();
  } catch (cause) {
    const detail = `cannot be read: ${cause instanceof Error ? cause.message : cause}`;
    return { location, found, reason: "failed", detail };
  }
}
