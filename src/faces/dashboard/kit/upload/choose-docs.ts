import {
  configurationIn,
  HOLDS_MANY_PAGES,
  isConfigurationName,
  isPrivateName,
} from "@docent/reading/generators/site-files";

/** A file as it was dropped or chosen. */
export interface FoundFile {
  /** Where it is, with the folder that was dropped. */
  path: string;
  content: Blob;
}

/** The files of a folder that are sent, and how many stay. */
export interface DocsChoice {
  sent: FoundFile[];
  bytes: number;
  /** How many of them become pages, as far as their names tell. */
  pages: number;
  images: number;
  /** How many files stay, by why; of images, those that would be more than the server takes. */
  left: Record<WhyLeft, number>;
  /** Those of them whose names nobody hides, the first so many. */
  named: LeftFile[];
}

/** Why a file stays. */
type WhyLeft = "other" | "private" | "large" | "images";

export interface LeftFile {
  path: string;
  why: Exclude<WhyLeft, "private">;
}

const NAMED_MAX = 1_000;

/** The largest file that the server reads, unless its operator allows more. */
const FILE_BYTES_MAX = 10_000_000;
/** Text that becomes a page, by its name; a test keeps it like the list of the server. */
export const PAGE =
  /\.(md|mdx|markdown|qmd|rmd|rst|adoc|asciidoc|asc|org|pod|ipynb|html?|txt|[1-9](?!z$|gp$|ds$|mf$)([a-z][a-z0-9+]{0,11})?(\.gz)?)$/i;
/** The largest document, such as a PDF. */
const DOCUMENT_BYTES_MAX = 100_000_000;
/** What else becomes one; a test keeps it like the server's list. */
export const DOCUMENT =
  /\.(pdf|docx|docm|dotx|odt|ott|fodt|rtf|pptx|pptm|ppsx|potx|odp|otp|fodp|xlsx|xlsm|xltx|ods|ots|fods|csv|tsv|epub|eml|msg|mbox)$/i;
const API = /(^|\/)(openapi|swagger)[^/]*\.(json|ya?ml)$/i;
const IGNORE_FILE = /^\.(?:docentignore|gitignore)$/;
const ARCHIVE = /\.(zip|xar|tar|tgz|tar\.gz)$/i;

/** Files of code that pages include are no larger. */
const INCLUDED_BYTES_MAX = 500_000;
/** The largest image that the server keeps. */
const IMAGE_BYTES_MAX = 5_000_000;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;
const MEDIA = /\.(?:ico|mp4|webm|mov|zip|gz)$/i;

interface ChooseOptions {
  /** What pages and configurations name: files that they include or show, without their folders, and whole paths. */
  named?: ReadonlySet<string>;
  /** The most that the server takes: images that would be more stay. */
  bytesMax?: number | undefined;
}

/** What a file is among those that were found. */
type Role = "private" | "image" | "page" | "document" | "beside" | "other";

/**
 * Chooses what the server can read: text and documents that people read, what they are published by, and the code and the
 * images that are named in pages. The rest never leaves the machine.
 */
export function chooseDocs(found: readonly FoundFile[], options: ChooseOptions = {}): DocsChoice {
  const { named = new Set() } = options;
  const roleOf = createRoles(found, named);
  const choice: DocsChoice = {
    sent: [],
    bytes: 0,
    pages: 0,
    images: 0,
    left: { other: 0, private: 0, large: 0, images: 0 },
    named: [],
  };
  const images: FoundFile[] = [];
  for (const file of found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const role = roleOf(file);
    if (role === "private") choice.left.private += 1;
    else if (role === "image") images.push(file);
    else if (role === "other") leave(choice, file, "other");
    else if (file.content.size > bytesMaxOf(file.path)) leave(choice, file, "large");
    else {
      choice.sent.push(file);
      choice.bytes += file.content.size;
      if (role !== "beside") choice.pages += 1;
    }
  }
  addImages(choice, images, options.bytesMax ?? Number.POSITIVE_INFINITY);
  return choice;
}

/** Says what a file is: by its name, by what lies around it, and by what pages and configurations name. */
function createRoles(found: readonly FoundFile[], named: ReadonlySet<string>): (file: FoundFile) => Role {
  const isConfiguration = configurationOf(found);
  return ({ path, content }) => {
    const isNamed = named.has(nameOf(path)) || named.has(path);
    const isBeside = IGNORE_FILE.test(nameOf(path)) || isConfiguration(path);
    if (isPrivate(IGNORE_FILE.test(nameOf(path)) ? folderOf(path) : path)) return "private";
    const isImage = IMAGE.test(path) && isNamed && content.size <= IMAGE_BYTES_MAX;
    const isIncluded = isNamed && !MEDIA.test(path) && content.size <= namedMax(named.has(path));
    // What docs' own hidden folders hold besides is made by programs.
    if (isHidden(path) && !isBeside && !isImage && !isIncluded) return "private";
    if (isImage) return "image";
    if (isHidden(path)) return "beside";
    if (DOCUMENT.test(path)) return "document";
    if (PAGE.test(path) || API.test(path)) return "page";
    return isBeside || isIncluded ? "beside" : "other";
  };
}

/** Says which files configure the docs: nothing that is nobody's docs counts. */
export const configurationOf = (found: readonly FoundFile[]) =>
  configurationIn(found.flatMap(({ path }) => (isPrivate(path) ? [] : [path])));

/** A name without its folders may be meant to be another file: of its own path, a file is what was named. */
const namedMax = (isWhole: boolean) => (isWhole ? Number.POSITIVE_INFINITY : INCLUDED_BYTES_MAX);

/** The largest that a file may be. */
const bytesMaxOf = (path: string) =>
  DOCUMENT.test(path) || HOLDS_MANY_PAGES.test(path) ? DOCUMENT_BYTES_MAX : FILE_BYTES_MAX;

function leave({ left, named }: DocsChoice, { path }: FoundFile, why: LeftFile["why"]): void {
  left[why] += 1;
  if (named.length < NAMED_MAX) named.push({ path, why });
}

const OLD_OFFICE = /\.(doc|dot|ppt|pps|xls|xlt)$/i;

/** Why a file stays, in words for whoever dropped it. */
export function whyLeft({ path, why }: LeftFile): string {
  if (why === "large") return `Larger than ${bytesMaxOf(path) / 1e6} MB`;
  if (why === "images") return "An image, more than this server takes";
  if (OLD_OFFICE.test(path)) return "A format of Office 2003 and older: save it as .docx, .pptx or .xlsx";
  return IMAGE.test(path) ? "An image that no page shows" : "No format that Docent reads";
}

function addImages(choice: DocsChoice, images: readonly FoundFile[], bytesMax: number): void {
  for (const image of images) {
    if (choice.bytes + image.content.size > bytesMax) {
      leave(choice, image, "images");
      continue;
    }
    choice.sent.push(image);
    choice.bytes += image.content.size;
    choice.images += 1;
  }
}

/** The one archive that was dropped, which is sent as it is. */
export function archiveIn(found: readonly FoundFile[]): FoundFile | undefined {
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 && ARCHIVE.test(only.path) ? only : undefined;
}

/** What an upload is called: after the folder that all files are in. */
export function uploadNameOf(found: readonly FoundFile[]): string {
  const folder = found[0]?.path.split("/")[0] ?? "";
  const isOne = found.every(({ path }) => path.startsWith(`${folder}/`));
  const [only, ...others] = found;
  const file = only !== undefined && others.length === 0 ? only.path.replace(/\.\w+$/, "") : "docs";
  return `${(isOne && folder !== "" ? folder : file).slice(0, 180) || "docs"}.zip`;
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Whether a folder is nobody's docs, and holds none of their configuration. */
export const isForeign = (name: string) => isPrivateName(name) && !isConfigurationName(name);

/** Whether a file or a folder around it has a name that docs never have. */
export const isPrivate = (path: string) => path.split("/").some(isForeign);

/** Whether a name of a path begins with a dot. */
const isHidden = (path: string) => path.split("/").some((name) => name.startsWith("."));
