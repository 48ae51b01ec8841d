import { asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { splitPandoc } from "../../markdown/pandoc/pandoc.ts";
import { askOfPrograms, readConfig } from "../config/config.ts";
import type { LeftOut, Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";

type Values = Readonly<Record<string, unknown>>;

/** A book of bookdown as its configuration says it is. */
export interface BookdownSettings {
  root: string;
  /** Its files in their order. */
  files: string[];
  leftOut: LeftOut[];
  /** The level of the headings at which pages begin; 0: the book is one page. */
  splitLevel: number;
  /** Whether pages are called by their files. */
  isByFile: boolean;
  /** Whether addresses begin with the number of the section. */
  hasNumbers: boolean;
  /** The front matter of the first file. */
  front: Values;
  /** What the only page of a book that is not split is called. */
  fileName: string;
  unknowns: Unknown[];
}

/** The folders that may be a book: a website of R Markdown has an `_output.yml` too, and is none. */
export const bookdownRoots = (tree: DocsTree): string[] =>
  rootsIn(SITE_FILES.bookdown, tree.files).filter(
    (folder) => tree.has(joinLocation(folder, "_bookdown.yml")) || indexOf(tree, folder) !== undefined,
  );

const indexOf = (tree: DocsTree, folder: string) =>
  ["index.Rmd", "index.rmd"].map((name) => joinLocation(folder, name)).find((file) => tree.has(file));

export async function readSettings(tree: DocsTree, root: string): Promise<BookdownSettings | undefined> {
  const config = await readConfig(tree, joinLocation(root, "_bookdown.yml"));
  const values = asRecord(config?.value);
  const unknowns: Unknown[] = [];
  if (config?.fault !== undefined) unknowns.push({ question: config.fault, guess: "the defaults" });
  const { files, leftOut } = filesOf(tree, root, values);
  const [first] = files;
  if (first === undefined) return undefined;
  const { data: front } = splitPandoc((await tree.text(first)) ?? "");
  const isBook = config !== undefined || /^bookdown::/.test(asText(front["site"]) ?? "");
  if (!isBook) return undefined;
  const { name, options } = await formatOf(tree, root, front);
  if (name === undefined)
    unknowns.push({
      question: "In which format is the book published? It names none for the web.",
      guess: "bookdown::gitbook",
    });
  const splitBy = name === "bs4_book" ? "chapter" : String(options["split_by"] ?? "chapter");
  const level = splitBy.replace(/\+number$/, "");
  const scripts = [values["before_chapter_script"], values["after_chapter_script"]].flatMap((each) =>
    typeof each === "string" ? [each] : [],
  );
  return {
    root,
    files,
    leftOut,
    splitLevel: LEVELS[level] ?? (/^\d$/.test(level) ? Number(level) : 1),
    isByFile: level === "rmd",
    hasNumbers: splitBy.endsWith("+number"),
    front,
    fileName: (asText(values["book_filename"]) ?? "_main").replace(/\.Rmd$/i, ""),
    unknowns: [...unknowns, ...askOfPrograms(scripts)],
  };
}

const LEVELS: Readonly<Record<string, number>> = { none: 0, chapter: 1, section: 2, rmd: 1 };
const WEB_FORMAT = /^(?:bookdown::|bookdown:::)?(gitbook|bs4_book|html_book|html_chapters|tufte_html_book)$/;

/** The first format for the web, by the first file and by `_output.yml`. */
async function formatOf(
  tree: DocsTree,
  root: string,
  front: Values,
): Promise<{ name: string | undefined; options: Values }> {
  const file = await readConfig(tree, joinLocation(root, "_output.yml"));
  const { output } = front;
  const said = isRecord(output) ? output : typeof output === "string" ? { [output]: {} } : {};
  const shared = asRecord(file?.value);
  for (const [format, options] of [...Object.entries(said), ...Object.entries(shared)]) {
    const name = WEB_FORMAT.exec(format)?.[1];
    if (name !== undefined) return { name, options: { ...asRecord(shared[format]), ...asRecord(options) } };
  }
  return { name: undefined, options: {} };
}

/** The files of a book: those that it lists, or all of its folder by name, the index first. */
function filesOf(tree: DocsTree, root: string, values: Values): { files: string[]; leftOut: LeftOut[] } {
  const PAGE = values["include_md"] === true ? /\.r?md$/i : /\.rmd$/i;
  const below = (file: string) => (root === "" ? file : file.slice(root.length + 1));
  const all = tree.below(root).filter((file) => PAGE.test(file));
  const { rmd_subdir: subdir, rmd_files: listed } = values;
  const folders = (typeof subdir === "string" ? [subdir] : Array.isArray(subdir) ? subdir : []).flatMap(
    (each) => (typeof each === "string" ? [each.replace(/\/$/, "")] : []),
  );
  const inFolders = all.filter((file) => {
    const place = below(file);
    return (
      place.includes("/") && (subdir === true || folders.some((folder) => place.startsWith(`${folder}/`)))
    );
  });
  const named = namesIn(listed).flatMap((name) => {
    const location = resolveLocation(root, `./${name}`);
    return location !== undefined && tree.has(location) ? [location] : [];
  });
  const own = named.length > 0 ? named : all.filter((file) => !below(file).includes("/"));
  const book = asText(values["book_filename"]) ?? "_main";
  const wanted = [...new Set([...own, ...inFolders])].filter(
    (file) => !nameOf(file).startsWith("_") && nameOf(file) !== `${book.replace(/\.Rmd$/i, "")}.Rmd`,
  );
  const isIndex = (file: string) => /^index\.r?md$/i.test(below(file));
  const files = [...wanted.filter(isIndex), ...wanted.filter((file) => !isIndex(file))];
  const taken = new Set(files);
  const leftOut = tree
    .below(root)
    .filter((file) => /\.r?md$/i.test(file) && !taken.has(file))
    .map((location) => ({ location, detail: "is no chapter of the book" }));
  return { files, leftOut };
}

/** A list, or one for each format. */
const namesIn = (listed: unknown): string[] => {
  const list = isRecord(listed) ? (listed["html"] ?? Object.values(listed)[0]) : listed;
  return (Array.isArray(list) ? list : [list]).flatMap((name) => asText(name) ?? []);
};
