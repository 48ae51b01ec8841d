import { keepLatest } from "@docent/kernel/lib/remember";
import { readZipDirectory, readZipEntry, type ZipBytes, ZipFault } from "@docent/kernel/lib/zip/zip";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { textToMarkdown } from "../../markdown/txt.ts";
import { encodePath, fragmentOf } from "../../page/page-path.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, HeldFile, ReadDocsPage } from "../docs-site.ts";
import {
  createDocsTree,
  type DocsFile,
  type DocsTree,
  folderOf,
  joinLocation,
  nameOf,
} from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { type PageNames, type PagePlaces, placeOf, placesIn, writePage } from "./markup.ts";
import { type PageFile, readAttached, readPageFile } from "./page-file.ts";
import { keyOf, namedPages, namesOf } from "./references.ts";
import { readWiki, type Wiki, type WikiPage } from "./wiki.ts";

/** XWiki, by what it exports: a XAR, as the file that it is or unpacked. */
export const xwiki: GeneratorAdapter = {
  name: "XWiki",
  knowsRights: true,
  roots(tree) {
    const homes = rootsIn(SITE_FILES.xwiki, tree.files);
    const packages = tree.files.filter((file) => nameOf(file) === "package.xml").map(folderOf);
    const whole = packages.filter((folder) => homes.some((home) => isIn(home, folder)));
    const loose = homes.filter((home) => !whole.some((folder) => isIn(home, folder)));
    const xars = tree.files.filter((file) => file.toLowerCase().endsWith(".xar")).slice(0, XARS_MAX);
    return [...whole, ...(loose.length > 0 ? [commonFolder(loose)] : []), ...xars];
  },
  async open(tree, root) {
    if (!root.toLowerCase().endsWith(".xar"))
      return openSite({ tree, root, source: root, name: (file) => file });
    const content = await tree.bytes(root);
    const inside = content === undefined ? undefined : await openXar(content);
    if (inside === undefined) return undefined;
    if (typeof inside === "string") return damagedSite(root, inside);
    return openSite({ tree: inside, root: "", source: root, name: (file) => `${root}#${file}` });
  },
};

const XARS_MAX = 3;
const isIn = (place: string, folder: string) =>
  folder === "" || place === folder || place.startsWith(`${folder}/`);

/** The folder that all of some folders are in; of one of them, the one above it: it is a space. */
function commonFolder(folders: readonly string[]): string {
  const [first = "", ...others] = folders;
  let shared = folderOf(first);
  while (shared !== "" && !others.every((each) => isIn(each, shared))) shared = folderOf(shared);
  return shared;
}

/** Nothing of such a file is taken as it lies either; what lies beside it is. */
const damagedSite = (root: string, fault: string): DocsSite => ({
  generator: "XWiki",
  root,
  pages: [],
  leftOut: [],
  menu: [],
  redirects: [],
  unknowns: [{ question: `Is the export whole? ${root} cannot be read: ${fault}.`, guess: "nothing of it" }],
  read: async () => ({ data: {}, markdown: "", faults: [] }),
});

interface Export {
  tree: DocsTree;
  /** The folder of the pages in the tree. */
  root: string;
  /** What the site is known by: that folder, or the file of a XAR. */
  source: string;
  /** What a file is called in the ledger. */
  name(file: string): string;
}

interface Reading extends Export {
  wiki: Wiki;
  /** The places of pages that links with an anchor led to. */
  places: Map<string, PagePlaces>;
}

async function openSite(opened: Export): Promise<DocsSite | undefined> {
  const { tree, root, source, name } = opened;
  const wiki = await readWiki(tree, root, name);
  if (wiki === undefined) return undefined;
  const reading: Reading = { ...opened, wiki, places: new Map() };
  const byLocation = new Map(wiki.pages.map((page) => [name(page.file), page]));
  const held = wiki.pages.flatMap((page) =>
    page.language === "" ? heldFiles(tree, page, heldFolder(source)) : [],
  );
  const addresses = new Map(held.map(({ file, path }) => [file.location, path]));
  return {
    generator: "XWiki",
    root: source,
    language: wiki.language,
    pages: wiki.pages.map(
      (page): DocsPage => ({
        location: name(page.file),
        path: page.path,
        edition: { language: page.language || wiki.language, topic: page.key },
      }),
    ),
    leftOut: wiki.leftOut,
    menu: wiki.menu,
    redirects: [],
    unknowns: [],
    holdsRestricted: wiki.holdsRestricted,
    held: held.map(({ file }) => file),
    documentPath: (location) => addresses.get(location),
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no page of this wiki`);
      return readPage(reading, page);
    },
    async plain({ location }) {
      const page = byLocation.get(location);
      const text = page && (await pageFileOf(reading, page))?.content;
      return text === undefined ? undefined : { text, format: "txt", title: page?.label ?? "" };
    },
  };
}

/** Where the files in pages would lie. */
const heldFolder = (source: string) => (source.toLowerCase().endsWith(".xar") ? folderOf(source) : source);

/** What is attached to a page, by the page's address. */
function heldFiles(tree: DocsTree, page: WikiPage, folder: string): { file: HeldFile; path: string }[] {
  return page.files
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, sizeBytes }) => ({
      path: joinLocation(page.path, name),
      file: {
        location: joinLocation(folder, attachedPath(page, name)),
        sizeBytes,
        async read() {
          const content = await readAttached((await tree.text(page.file)) ?? "", name);
          if (content === undefined) throw new Error(`${page.file} does not hold ${name}`);
          return content;
        },
      },
    }));
}

const attachedPath = (page: WikiPage, name: string) => `attachments/${joinLocation(page.path, name)}`;

const SYNTAX = /^xwiki\/2\.\d$/;

async function readPage(reading: Reading, page: WikiPage): Promise<ReadDocsPage> {
  const { content = "", syntax = "" } = (await pageFileOf(reading, page)) ?? {};
  const { markdown, faults } =
    SYNTAX.test(syntax) || syntax === ""
      ? writePage(await createNames(reading, page, content), content)
      : otherSyntax(syntax, content);
  return {
    data: { title: page.label, ...(page.tags.length > 0 ? { tags: page.tags } : {}) },
    markdown: markdown === "" ? listBelow(reading, page) : markdown,
    faults,
  };
}

const pageFileOf = async ({ tree }: Reading, { file }: WikiPage): Promise<PageFile | undefined> =>
  readPageFile((await tree.text(file)) ?? "");

/** Markdown is what it is; of any other syntax the words are kept. */
function otherSyntax(syntax: string, content: string): { markdown: string; faults: string[] } {
  if (/^markdown\//.test(syntax)) return { markdown: content, faults: [] };
  return {
    markdown: textToMarkdown(content),
    faults: [`It is written in ${syntax}, which is not read: its text is shown as it is.`],
  };
}

/** A page without words of its own shows what is below it. */
function listBelow({ wiki }: Reading, own: WikiPage): string {
  const depth = namesOf(own).length;
  return [...wiki.byKey.values()]
    .filter((page) => namesOf(page).length === depth + 1)
    .filter((page) => JSON.stringify(namesOf(page).slice(0, depth)) === own.key)
    .map(({ label, path }) => `- [${escapeLabel(label)}](/${encodePath(path)})`)
    .join("\n");
}

const KEPT_PLACES_MAX = 200;
const INCLUDES_MAX = 100;
const INCLUDED_CHARACTERS_MAX = 2_000_000;
const INCLUDED =
  /\{\{(?:include|display|includePage)\s[^{}]{0,500}?(?:reference|document|page)\s*=\s*"?([^"{}|]{1,500}?)"?[\s/}]/gi;

/** What a page's text is read with. Other pages that it needs are read before. */
async function createNames(reading: Reading, page: WikiPage, content: string): Promise<PageNames> {
  const { wiki, source } = reading;
  const meant = (scheme: string, reference: string) =>
    namedPages(scheme, reference, page)
      .map((each) => wiki.byKey.get(keyOf(each)))
      .find((each) => each !== undefined);
  const texts = await includedTexts(reading, meant, content);
  await readPlaces(reading, meant, [content, ...texts.values()]);
  const own = placesIn(content);
  const fileOf = (reference: string) => {
    const [, owner, name = reference] = /^(.*)@([^@]+)$/s.exec(reference) ?? [];
    const holder = owner === undefined ? wiki.byKey.get(page.key) : meant("", owner);
    const plain = name.replaceAll("\\", "").replace(/[?#].*$/s, "");
    return holder?.files.some((file) => file.name === plain) ? { holder, name: plain } : undefined;
  };
  let left = INCLUDES_MAX;
  return {
    pageHref(scheme, reference, anchor) {
      const target = reference === "" && anchor !== "" ? page : meant(scheme, reference);
      if (target === undefined) return undefined;
      const places = target.key === page.key ? own : reading.places.get(target.key);
      const place = places === undefined || anchor === "" ? "" : (placeOf(places, anchor) ?? "");
      const fragment = fragmentOf(place);
      if (target.key === page.key && anchor !== "") return fragment || undefined;
      return `/${encodePath(target.path)}${fragment}`;
    },
    pageTitle: (scheme, reference) => meant(scheme, reference)?.label,
    imageSource(reference) {
      const found = fileOf(reference);
      return found === undefined
        ? undefined
        : `/${encodePath(joinLocation(isXar(source) ? "" : source, attachedPath(found.holder, found.name)))}`;
    },
    fileHref(reference) {
      const found = fileOf(reference);
      return found === undefined ? undefined : `/${encodePath(joinLocation(found.holder.path, found.name))}`;
    },
    includedText(reference) {
      left -= 1;
      return left < 0 ? undefined : texts.get(reference);
    },
  };
}

const isXar = (source: string) => source.toLowerCase().endsWith(".xar");

type Meant = (scheme: string, reference: string) => WikiPage | undefined;

/** The texts of the pages that stand in another one, and in these, by how they are written. */
async function includedTexts(reading: Reading, meant: Meant, content: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const open = [content];
  let left = INCLUDED_CHARACTERS_MAX;
  for (let text = open.pop(); text !== undefined && texts.size < INCLUDES_MAX; text = open.pop())
    for (const [, reference = ""] of text.matchAll(INCLUDED)) {
      const page = texts.has(reference) ? undefined : meant("", reference);
      const found = page === undefined ? undefined : (await pageFileOf(reading, page))?.content;
      if (found === undefined || found.length > left) continue;
      left -= found.length;
      texts.set(reference, found);
      open.push(found);
    }
  return texts;
}

const ANCHORED =
  /\[\[(?:[^[\]]{0,500}>>)?([^[\]|#]{0,500})(?:\|\|[^[\]]{0,500}?anchor="|#)[^[\]]{1,300}\]\]/g;

/** Reads the places of the pages that links with an anchor lead to. */
async function readPlaces(reading: Reading, meant: Meant, texts: readonly string[]): Promise<void> {
  for (const text of texts)
    for (const [, written = ""] of text.matchAll(ANCHORED)) {
      const [, scheme = "", reference = ""] = /^(?:(doc|page|space):)?(.*)$/s.exec(written.trim()) ?? [];
      const page = meant(scheme, reference);
      if (page === undefined || reading.places.has(page.key)) continue;
      const content = (await pageFileOf(reading, page))?.content ?? "";
      keepLatest(reading.places, page.key, placesIn(content), KEPT_PLACES_MAX);
    }
}

const ENTRIES_MAX = 200_000;
const UNPACKED_BYTES_MAX = 4_000_000_000;
const FILE_BYTES_MAX = 500_000_000;

/** The files in a XAR, which is a zip; or why it cannot be read. */
async function openXar(content: Uint8Array): Promise<DocsTree | string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const zip: ZipBytes = {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
  try {
    const entries = (await readZipDirectory(zip, ENTRIES_MAX)).filter(({ kind }) => kind === "file");
    const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (total > UNPACKED_BYTES_MAX) return `it unpacks to more than ${UNPACKED_BYTES_MAX} bytes`;
    const files = entries
      .filter(({ refusal, sizeBytes }) => refusal === undefined && sizeBytes <= FILE_BYTES_MAX)
      .map((entry): DocsFile => ({ location: entry.name, read: () => readZipEntry(zip, entry) }));
    return createDocsTree(files);
  } catch (error) {
    if (error instanceof ZipFault) return error.detail;
    throw error;
  }
}
