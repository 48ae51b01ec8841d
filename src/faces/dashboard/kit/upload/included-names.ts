import { BEGINNINGS } from "@docent/reading/generators/site-files";
import { configurationOf, type FoundFile, isPrivate, PAGE } from "./choose-docs.ts";

/** As much of the pages is read for what they include. */
const READ_BYTES_MAX = 100_000_000;
const PAGE_BYTES_MAX = 2_000_000;
const NAMES_MAX = 20_000;
/** As much of a file is looked at for how it begins. */
const BEGINNING_BYTES = 4_000;

/** Lines by which pages take code from other files, as docs generators write them. */
const INCLUDES =
  /^.*(?:<<<|--8<--|\{\* |@\[code\b|#(?:include|playground|rustdoc_include)\b|literalinclude::|include::|raw-loader!|\?raw\b|<include\b|!code-|:::\s?code\b|\{%-? ?(?:include|render)|\{\{[<%] |:include\b|^openapi:|^import\b.*\bfrom\b|\bfile=|\bsrc=).*$/gm;
const FILE_NAME = /[\w@+.-]{1,200}\.\w{1,10}/g;
/** Images that pages show, and the literature that they cite. */
const SHOWN_NAME = /[^\s()<>"'`=[\]{}|:/\\]{1,200}\.(?:png|jpe?g|gif|webp|avif|svg|bib)\b/gi;

/** Ends of images' names, and names of a wiki that end there. */
const IMAGE_END = /\.(?:png|jpe?g|gif|webp|avif|svg)\b/gi;
const WIKI_NAME = /[^\n<>"[\]{}|:/\\#]+$/;
const WIKI_NAME_CHARACTERS = 200;
const DUMP = /\.xml$/i;
/** Where pages have the descriptions of modules in Python, which are made of their programs. */
const MODULES =
  /^.*(?:\bauto\w+|\b(?:current)?module)(?:::|\}).*$|^\s*:::\s+[\w.]+|^\s+~?[a-z_]\w*(?:\.\w+)+\s*$/gim;
const HAS_MODULES = /\bauto\w+(?:::|\})|^\s*::: +\w/im;
const MODULE_NAME = /[a-z_]\w*(?:\.\w+)*/gi;
const TAKES_NAMES = /^\s*from\s+(\.*)([\w.]*)\s+import\b/gm;
const MODULE_FILE = /(?:\/__init__)?\.pyi?$/;

/** What configurations name: scripts that a script imports, and files of data. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
const IN_SCRIPT = /["']((?:\.{1,2}|[@~])\/[^"'\n]{1,300})["']/g;
const IN_DATA =
  /(?<![\w./-])((?:\.{0,2}\/)?[\w@+.-][\w@+./-]{0,300}\.(?:json|ya?ml|toml|csv|txt|bib))(?![\w./-])/g;
const ENDINGS = ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs", "json"].map((ending) => `.${ending}`);
const PLACES = ["", ...ENDINGS, "/index.ts", "/index.js"];
/** A package names what programs need, and no part of docs. */
const PACKAGE = /(?:^|\/)(?:package|composer|tsconfig)\.json$/;
/** What is never sent for being named, whatever it is needed for. */
const SECRET = /(?:^|[._-])(?:secrets?|credentials?|passwords?|private|keys?|tokens?)(?:[._-]|$)/i;

const isSecret = (path: string) => SECRET.test(path.slice(path.lastIndexOf("/") + 1));
/** A program that takes names from others, which take theirs from others still. */
const IMPORTS_DEEP_MAX = 8;

/**
 * What pages and configurations name: of the files that pages include and the images that they show, the names without
 * their folders; of those that configurations take something from, and of dumps, the whole paths.
 */
export async function namesInPages(found: readonly FoundFile[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const modules = new Set<string>();
  let left = READ_BYTES_MAX;
  for (const { path, content } of found) {
    if (!PAGE.test(path) || isPrivate(path) || content.size > PAGE_BYTES_MAX) continue;
    left -= content.size;
    if (left < 0 || names.size > NAMES_MAX) break;
    const text = await content.text();
    for (const [line] of text.matchAll(INCLUDES))
      for (const [name] of line.matchAll(FILE_NAME)) names.add(name);
    for (const [name] of text.matchAll(SHOWN_NAME)) names.add(decoded(name));
    for (const name of modulesIn(text)) modules.add(name);
  }
  for (const path of await modulesAmong(found, modules)) names.add(path);
  const known = await knownByBeginning(found);
  for (const path of await namedByConfiguration(found, known)) names.add(path);
  for (const { path, content } of known) {
    names.add(path);
    left -= content.size;
    if (left > 0 && DUMP.test(path)) for (const name of imagesInDump(await content.text())) names.add(name);
  }
  return names;
}

/** The modules that a page describes, with those that they are in. */
function modulesIn(text: string): string[] {
  if (!HAS_MODULES.test(text)) return [];
  return [...text.matchAll(MODULES)].flatMap(([line]) =>
    [...line.matchAll(MODULE_NAME)].flatMap(([name]) => {
      const parts = name.split(".");
      return parts.map((_, index) => parts.slice(0, index + 1).join("."));
    }),
  );
}

/** The files of modules, and of those that they take names from. */
async function modulesAmong(
  found: readonly FoundFile[],
  named: ReadonlySet<string>,
): Promise<Iterable<string>> {
  const modules = new Set(named);
  const known = new Map<string, FoundFile>();
  const programs =
    modules.size === 0 ? [] : found.filter(({ path }) => MODULE_FILE.test(path) && !isPrivate(path));
  for (let depth = 0, before = -1; depth < IMPORTS_DEEP_MAX && known.size > before; depth++) {
    before = known.size;
    for (const file of programs) {
      const parts = file.path.replace(MODULE_FILE, "").split("/");
      const isNamed = parts.some((_, at) => modules.has(parts.slice(at).join(".")));
      if (!isNamed || known.has(file.path) || isSecret(file.path)) continue;
      known.set(file.path, file);
      if (file.content.size > PAGE_BYTES_MAX || known.size > NAMES_MAX) continue;
      for (const [, dots = "", name = ""] of (await file.content.text()).matchAll(TAKES_NAMES))
        modules.add(moduleFrom(file.path, dots.length, name));
    }
  }
  return known.keys();
}

/** A module as a program names it, a dot for its own folder and one more for each above. */
function moduleFrom(path: string, dots: number, name: string): string {
  const folder = dots === 0 ? [] : path.split("/").slice(0, -dots);
  return [...folder, ...(name === "" ? [] : [name])].join(".");
}

/** The files that configurations name, and those that these name. */
async function namedByConfiguration(
  found: readonly FoundFile[],
  known: readonly FoundFile[],
): Promise<ReadonlySet<string>> {
  const byPath = new Map(found.map((file) => [file.path, file]));
  const isConfiguration = configurationOf(found);
  const own = [...byPath.keys()].filter((path) => !isPrivate(path) && isConfiguration(path));
  const wanted = [...own, ...known.flatMap(({ path }) => (DUMP.test(path) ? [] : [path]))];
  const named = new Set<string>();
  let left = READ_BYTES_MAX;
  for (const path of wanted) {
    const content = byPath.get(path)?.content;
    if (content === undefined || PAGE.test(path) || PACKAGE.test(path) || content.size > PAGE_BYTES_MAX)
      continue;
    left -= content.size;
    if (left < 0 || named.size > NAMES_MAX) break;
    for (const each of filesIn(await content.text(), path, byPath)) {
      if (named.has(each) || isPrivate(each) || isSecret(each)) continue;
      named.add(each);
      // What is taken in may take in more.
      if (!isConfiguration(each)) wanted.push(each);
    }
  }
  return named;
}

/** The files of a folder that a configuration names from where it lies, or from the folder of its program. */
function filesIn(text: string, path: string, found: { has(path: string): boolean }): string[] {
  const isScript = SCRIPT.test(path);
  const folder = path.split("/").slice(0, -1);
  const around = folder.map((_, index) => folder.slice(0, folder.length - index));
  return [...text.matchAll(isScript ? IN_SCRIPT : IN_DATA)].flatMap(([, written = ""]) => {
    const isFromProgram = /^[@~]\//.test(written);
    const plain = (isFromProgram ? around : [folder]).flatMap(
      (each) => placeFrom(each, written.replace(/^[@~]\//, "")) ?? [],
    );
    const places = plain.flatMap((each) => [
      each,
      ...(isScript ? PLACES.map((place) => each.replace(/\.js$/, "") + place) : []),
    ]);
    return places.find((each) => found.has(each)) ?? [];
  });
}

function placeFrom(folder: readonly string[], written: string): string | undefined {
  const segments = [...folder];
  for (const name of written.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") segments.push(name);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}

/** The files that say at their beginning what they are. */
async function knownByBeginning(found: readonly FoundFile[]): Promise<FoundFile[]> {
  const known: FoundFile[] = [];
  for (const file of found) {
    const says = BEGINNINGS.flatMap((each) => (each.name.test(file.path) ? [each.says] : []));
    if (says.length === 0 || isPrivate(file.path) || known.length > NAMES_MAX) continue;
    const beginning = await file.content.slice(0, BEGINNING_BYTES).text();
    if (says.some((each) => each.test(beginning))) known.push(file);
  }
  return known;
}

/** A wiki writes spaces in names that are signs in those of files. */
const imagesInDump = (text: string): string[] =>
  [...text.matchAll(IMAGE_END)].flatMap(({ index, 0: end }) => {
    const [name] = WIKI_NAME.exec(text.slice(Math.max(0, index - WIKI_NAME_CHARACTERS), index)) ?? [];
    return name === undefined ? [] : [`${name.trim().replaceAll(" ", "_")}${end}`];
  });

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
