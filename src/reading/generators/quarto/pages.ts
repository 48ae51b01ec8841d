import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { notebookToMarkdown } from "../../markdown/notebook.ts";
import { pandocWords, splitPandoc } from "../../markdown/pandoc/pandoc.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import { readConfig } from "../config/config.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { describedNotebook } from "./nbdev.ts";
import { isConfigName, mergedValues, type QuartoSettings, textsIn } from "./settings.ts";

type Values = Readonly<Record<string, unknown>>;

/** A page of a project. */
export interface QuartoPage {
  location: string;
  path: string;
  title: string | undefined;
  /** Where it stands among others in a menu that is made of folders. */
  order: number | undefined;
  aliases: string[];
  /** What the files of its folders say of it. */
  folderValues: Values;
}

const PAGE = /\.(?:qmd|rmd|md|markdown|ipynb)$/i;
const NOT_BY_ITSELF = /^(?:readme|claude|agents)\.(?:q?md)$/i;

/** The files of a book's chapters, in order, and what of it is no chapter. */
function bookFiles({ book }: QuartoSettings): string[] {
  const files: string[] = [];
  const visit = (items: unknown, depth: number): void => {
    for (const item of asList(items)) {
      const named = isRecord(item)
        ? [asText(item["part"]), asText(item["href"]), asText(item["file"])]
        : [asText(item)];
      files.push(...named.flatMap((name) => (name !== undefined && PAGE.test(name) ? [name] : [])));
      if (isRecord(item) && depth < 5) visit(item["chapters"] ?? item["contents"], depth + 1);
    }
  };
  visit(book["chapters"], 0);
  visit(book["appendices"], 0);
  return files;
}

/** What is published, and why other files that look like pages are not. */
export async function readPages(
  tree: DocsTree,
  settings: QuartoSettings,
): Promise<{ pages: QuartoPage[]; leftOut: LeftOut[] }> {
  const { root } = settings;
  const folders = createFolderValues(tree, root);
  const chosen = createChoice(tree, settings);
  const pages: QuartoPage[] = [];
  const leftOut: LeftOut[] = [];
  const paths = new Set<string>();
  for (const location of tree.below(root).filter((file) => PAGE.test(file))) {
    const below = root === "" ? location : location.slice(root.length + 1);
    const why = chosen(below);
    if (why !== undefined) {
      if (why !== "") leftOut.push({ location, detail: why });
      continue;
    }
    const { page, detail } = await pageOf(tree, settings, {
      location,
      below,
      folderValues: await folders(location),
    });
    if (page === undefined || paths.has(page.path)) {
      leftOut.push({ location, detail: detail ?? "has the address of another page" });
      continue;
    }
    paths.add(page.path);
    pages.push(page);
  }
  return { pages, leftOut };
}

/** Tells why a file is no page; undefined where it is one, "" where that is not worth a word. */
function createChoice(tree: DocsTree, settings: QuartoSettings): (below: string) => string | undefined {
  const { render, isBook, root, isNbdev } = settings;
  const inner = tree
    .below(root)
    .filter((file) => isConfigName(file) && folderOf(file) !== root)
    .map((file) => `${folderOf(file).slice(root === "" ? 0 : root.length + 1)}/`);
  const chapters = new Set(bookFiles(settings).map((file) => resolveLocation("", `./${file}`)));
  const wanted = patternsOf((render ?? []).filter((each) => !each.startsWith("!")));
  const unwanted = patternsOf(
    (render ?? []).flatMap((each) => (each.startsWith("!") ? [each.slice(1)] : [])),
  );
  return (below) => {
    if (/(?:^|\/)\./.test(below)) return "";
    if (/^404\.\w+$/.test(below)) return "is shown where there is no page";
    if (/(?:^|\/)_/.test(below)) return "is a part of other pages";
    if (isBook && render === undefined) return chapters.has(below) ? undefined : "is no chapter of the book";
    if (unwanted.some((matches) => matches(below))) return "is not rendered by the project";
    if (wanted.length > 0)
      return wanted.some((matches) => matches(below)) ? undefined : "is not rendered by the project";
    if (NOT_BY_ITSELF.test(nameOf(below))) return "is not rendered by the project";
    if (below.endsWith(".ipynb") && isNbdev) return undefined;
    return inner.some((folder) => below.startsWith(folder)) ? "belongs to another project" : undefined;
  };
}

/** `*.qmd`, `guide/`, `guide/**` and names of files, from the project's folder. */
function patternsOf(patterns: readonly string[]): ((below: string) => boolean)[] {
  return patterns.map((written) => {
    const pattern = written.replace(/^\.?\//, "").replace(/\/$/, "");
    const glob = new Bun.Glob(pattern);
    return (below) => pattern === below || below.startsWith(`${pattern}/`) || glob.match(below);
  });
}

/** What `_metadata.yml` of a file's folders says, the nearest last. */
function createFolderValues(tree: DocsTree, root: string): (location: string) => Promise<Values> {
  const known = new Map<string, Promise<Values>>();
  const of = (folder: string): Promise<Values> => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const read = (async () => {
      const above = folder === root || folder === "" ? {} : await of(folderOf(folder));
      const file = await readConfig(tree, joinLocation(folder, "_metadata.yml"));
      return file === undefined ? above : mergedValues(above, asRecord(file.value));
    })();
    known.set(folder, read);
    return read;
  };
  return (location) => of(folderOf(location));
}

/** A page's text as Markdown of Pandoc: a notebook's cells are written out. */
export async function pageText(
  tree: DocsTree,
  location: string,
  { isNbdev }: Pick<QuartoSettings, "isNbdev">,
): Promise<string> {
  const text = (await tree.text(location)) ?? "";
  if (!location.endsWith(".ipynb")) return text;
  return notebookToMarkdown(isNbdev ? describedNotebook(text) : text).markdown;
}

async function pageOf(
  tree: DocsTree,
  settings: QuartoSettings,
  { location, below, folderValues }: { location: string; below: string; folderValues: Values },
): Promise<{ page?: QuartoPage; detail?: string }> {
  const { data: own, body } = splitPandoc(await pageText(tree, location, settings));
  const data = { ...folderValues, ...own };
  const isDraft = data["draft"] === true || textsIn(settings.website["drafts"]).includes(below);
  if (isDraft && !settings.showsDrafts) return { detail: "is a draft" };
  const stem = nameOfPage(settings, below);
  const named = asText(data["output-file"])?.replace(/\.html?$/, "");
  const path = named === undefined ? stem : joinLocation(folderOf(stem), named);
  const { order, aliases } = data;
  return {
    page: {
      location,
      path: addressOf(`${path}.html`),
      title: titleIn(data, body, settings),
      order: typeof order === "number" ? order : undefined,
      aliases: textsIn(aliases).flatMap((alias) => aliasOf(alias, folderOf(path)) ?? []),
      folderValues,
    },
  };
}

/** nbdev leaves the number in front of a notebook's name out, and writes it in small letters. */
function nameOfPage({ isNbdev }: QuartoSettings, below: string): string {
  const stem = joinLocation(folderOf(below), stemOf(nameOf(below)));
  if (!isNbdev || !below.endsWith(".ipynb")) return stem;
  return joinLocation(
    folderOf(below),
    stemOf(nameOf(below))
      .toLowerCase()
      .replace(/^\d+[a-z0-9]*_/, ""),
  );
}

const addressOf = (file: string) => file.replace(/(^|\/)index\.html$/, "$1").replace(/\/$/, "");

function aliasOf(alias: string, folder: string): string | undefined {
  if (/^[a-z]+:/i.test(alias)) return undefined;
  const place = resolveLocation(
    alias.startsWith("/") ? "" : folder,
    alias.startsWith("/") ? `.${alias}` : `./${alias}`,
  );
  return place === undefined ? undefined : addressOf(place);
}

function titleIn(data: Values, body: string, { variables, values }: QuartoSettings): string | undefined {
  const said = titleOf(data, body) ?? asText(data["pagetitle"]);
  if (said === undefined) return undefined;
  const words = plainInline(pandocWords(said, { variables, metadata: { ...values, ...data } })).replace(
    /(?<!\s)\s*\{[^{}]*\}$/,
    "",
  );
  return words === "" ? undefined : words;
}
