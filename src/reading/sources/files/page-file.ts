import { documentKindOf } from "../../documents/documents.ts";
import { AUTHORED_FORMATS, type AuthoredFormat } from "../../markdown/kept-words/kept-words.ts";
import type { PageFormat } from "../../markdown/page.ts";
import type { PlainText } from "../../source-reader.ts";

/** How a file is written. AsciiDoc is made Markdown where the files are that it includes. */
export type FileFormat = PageFormat | "adoc";

/** Extensions of files, and what they say. */
export const FORMATS: Readonly<Record<string, FileFormat>> = {
  md: "md",
  markdown: "md",
  mdx: "mdx",
  qmd: "qmd",
  rmd: "qmd",
  rst: "rst",
  adoc: "adoc",
  asciidoc: "adoc",
  asc: "adoc",
  org: "org",
  pod: "pod",
  ipynb: "ipynb",
  html: "html",
  htm: "html",
  txt: "txt",
};
/** Of two files that would be one page, the one whose format has the lower number is taken. */
const PREFERENCE: Readonly<Record<FileFormat, number>> = {
  md: 0,
  mdx: 1,
  qmd: 2,
  rst: 3,
  adoc: 4,
  org: 5,
  pod: 6,
  man: 7,
  ipynb: 8,
  html: 9,
  txt: 10,
  written: 11,
  document: 12,
};

// Hugo calls a section's own page _index.
const INDEX = /(^|\/)_?index$/i;
const README = /(^|\/)readme$/i;
const API_DESCRIPTION = /^(.*\/)?((?:openapi|swagger)[^/]*)\.(json|ya?ml)$/i;
const FOR_PROGRAMS =
  /(^|\/)(robots|humans|ads|llms|llms-full|cmakelists|(requirements|constraints)[^/]*)\.txt$/i;
/**
 * The page that is shown for missing ones, at the root or that of a language: elsewhere it is a page about the number.
 */
const FOR_MISSING_PAGES = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/)?404\.(md|html?)$/i;
/** Office keeps `~$plan.docx` beside `plan.docx` while that is open, LibreOffice `.~lock.plan.odt#`. */
const LEFT_BY_OFFICE = /(^|\/)~\$[^/]*$/;
/** Hugo's page of a section; a name such as `__future__`; and any reStructuredText: its parts are seldom called so. */
const PAGE_WITH_UNDERSCORE = /^(?:_index\.[^.]+|__\w{1,100}__\.[^.]+|_.{1,200}\.rst)$/i;

const OLD_OFFICE = "is in a format of Office 2003 and older: save it as .docx, .pptx or .xlsx";
const NO_READER = "is in a format that Docent does not read: save it as PDF";
/** Documents that people write and that are not read, by their extensions: their owners are told. */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ...["doc", "ppt", "pps", "xls"].map((extension) => [extension, OLD_OFFICE] as const),
  ...["numbers", "pages", "odg", "vsd", "vsdx", "wpd", "mobi", "azw3", "djvu"].map(
    (extension) => [extension, NO_READER] as const,
  ),
]);
/** MkDocs' `.pages` is the name of a file, and no extension. */
const NAME_OF_DOTS = /(^|\/)\.[^/]*$/;

/**
 * `git.1`, `printf.3p`, `CA.pl.1ssl.gz`: a manual page, if its text is one. Other programs' files end in a digit, too, and
 * some with a letter behind it.
 */
const MANUAL = /[^/]\.[1-9](?!z$|gp$|ds$|mf$)(?:[a-z][a-z0-9+]{0,11})?(?:\.gz)?$/i;

/** What a file's name says that it is. */
type FileRole =
  | { kind: "page"; name: string; format: FileFormat; preference: number }
  | { kind: "api"; base: string }
  | { kind: "hidden"; location: string; detail: string }
  | { kind: "unread"; detail: string }
  | { kind: "other" };

/** Where questions for the docs' passages stand, below the folder that is read. */
export const WRITTEN_FILE = ".docent/questions.jsonl";

/** What a file of a tree is, from where it is below the tree's root. */
export function roleOf(location: string): FileRole {
  const api = API_DESCRIPTION.exec(location);
  const format = formatOf(location);
  const unread = NAME_OF_DOTS.test(location) ? undefined : UNREAD.get(extensionOf(location));
  if (unread !== undefined) return { kind: "unread", detail: unread };
  if (!api && format === undefined) return { kind: "other" };
  const part = firstPart(location);
  if (part !== undefined)
    return {
      kind: "hidden",
      location: part,
      detail: "begins with an underscore, as parts of other pages do",
    };
  if (api) return { kind: "api", base: apiBase(api[1] ?? "", api[2] ?? "") };
  if (format === undefined) return { kind: "other" };
  if (FOR_PROGRAMS.test(location))
    return { kind: "hidden", location, detail: "is read by programs, not by people" };
  if (FOR_MISSING_PAGES.test(location))
    return { kind: "hidden", location, detail: "is shown where there is no page" };
  if (LEFT_BY_OFFICE.test(location))
    return { kind: "hidden", location, detail: "says that someone has a document open" };
  // What is downloaded has its extension in its address.
  const name =
    format === "document"
      ? location
      : format === "man"
        ? location.replace(/\.gz$/i, "")
        : location.slice(0, location.lastIndexOf("."));
  return { kind: "page", name, format, preference: PREFERENCE[format] };
}

const formatOf = (location: string): FileFormat | undefined =>
  FORMATS[extensionOf(location)] ??
  (documentKindOf(location) !== undefined ? "document" : isManualName(location) ? "man" : undefined);

/** Whether a file is a manual page, or packed one, as far as its name tells. */
export const isManualName = (location: string) => MANUAL.test(location);

const IN_MANUAL = /(?:^|\/)(?:man|cat)[1-9]\w*\/[^/]*$/;

/** Whether only its name makes a file a manual page, and so little that nothing is said of it unread: a log, a library. */
export const mayBeAnything = (location: string) => isManualName(location) && !IN_MANUAL.test(location);

/** The path of a page. A README stands for its folder where no other file does. */
export function pagePath(name: string, taken: { has(path: string): boolean }): string {
  if (INDEX.test(name)) return name.replace(INDEX, "");
  const folder = name.replace(README, "");
  return isReadme(name) && !taken.has(folder) ? folder : name;
}

const TAKING: ReadonlySet<FileFormat | undefined> = new Set(["adoc", "org", "pod", "man", "qmd"]);

/** Whether a page takes something from other files, as far as its name tells: what it includes, or the names of others. */
export function authoredAs(location: string): AuthoredFormat | undefined {
  const format = formatOf(location);
  return AUTHORED_FORMATS.find((each) => each === format);
}

/** As what the words of a file are taken that is no page by itself, too: as XML, or as no more than text. */
export function plainFormatOf(location: string): PlainText["format"] {
  const format = formatOf(location);
  if (format !== undefined && format !== "document") return format;
  return /\.(?:xml|xhtml|dbk|docbook|sgml)$/i.test(location) ? "html" : "txt";
}

export const needsOthers = (location: string) => TAKING.has(formatOf(location));

export const isReadme = (name: string) => README.test(name);

function extensionOf(location: string): string {
  const name = location.slice(location.lastIndexOf("/") + 1);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}

/** The outermost folder, or else the file, that is marked as a part of other pages. */
function firstPart(location: string): string | undefined {
  const segments = location.split("/");
  const index = segments.findIndex((name) => name.startsWith("_") && !PAGE_WITH_UNDERSCORE.test(name));
  return index < 0 ? undefined : segments.slice(0, index + 1).join("/");
}

/** Where the pages of an API description go that is not called as one. */
export const apiBaseOf = (location: string) => location.replace(/\.[^./]*$/, "").toLowerCase();

/** Where the pages of an API description go: beside it, under `api`, or under its own name where it has one. */
function apiBase(folder: string, stem: string): string {
  return `${folder}${/^(openapi|swagger)$/i.test(stem) ? "api" : stem.toLowerCase()}`;
}
