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
const IGNORE_FILE = /(^|\/)\.(docentignore|gitignore)$/;
/** What docs generators are configured by: without it, addresses and menus could only be guessed. */
const CONFIGURATION = new RegExp(
  `(?:^|/)(?:${[
    String.raw`(?:docusaurus|astro|next|nuxt|content|source)\.config\.[cm]?[jt]s`,
    String.raw`\.navigation\.(?:ya?ml|json)|_dir\.ya?ml|\.config/docs\.(?:ya?ml|json|toml)|meta(?:\.[\w-]+)?\.json`,
    String.raw`(?:lib|app|utils|src)/(?:source|source/index|i18n|shared)\.tsx?|package\.json`,
    String.raw`\.vitepress/config(?:/[\w.-]+)?\.[cm]?[jt]s`,
    String.raw`sidebars?[\w.-]*\.(?:[cm]?[jt]s|json|ya?ml)`,
    String.raw`_category_\.(?:json|ya?ml)|_meta(?:\.global)?\.(?:[jt]sx?|json)`,
    String.raw`mkdocs\.ya?ml|zensical\.toml|\.pages|conf\.py|book\.(?:toml|json|js)`,
    String.raw`antora(?:-playbook)?\.ya?ml|\.gitbook\.ya?ml|\.readthedocs\.ya?ml`,
    String.raw`docs\.json|mint\.json|docfx\.json|toc\.ya?ml`,
    String.raw`hugo\.(?:toml|ya?ml|json)|config\.toml|config/_default/[\w.-]+\.(?:toml|ya?ml|json)`,
    String.raw`_config\.ya?ml|Gemfile|_redirects|netlify\.toml|vercel\.json`,
  ].join("|")})$`,
);
/** Folders whose names begin with a dot, and that hold such a configuration. */
const CONFIGURATION_FOLDER = /(^|\/)\.(?:vitepress|config)(?=\/)/;
const PRIVATE_NAME = /^\.|^node_modules$|^__MACOSX$/;
const ARCHIVE = /\.(zip|xar|tar|tgz|tar\.gz)$/i;

/** Files of code that pages include are no larger. */
const INCLUDED_BYTES_MAX = 500_000;
/** The largest image that the server keeps. */
const IMAGE_BYTES_MAX = 5_000_000;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;
const MEDIA = /\.(?:ico|mp4|webm|mov|zip|gz)$/i;

interface ChooseOptions {
  /** The names of files that pages include or show, without their folders. */
  named?: ReadonlySet<string>;
  /** The most that the server takes: images that would be more stay. */
  bytesMax?: number | undefined;
}

/**
 * Chooses what the server can read: text and documents that people read, what they are published by, and the code and the
 * images that are named in pages. The rest never leaves the machine.
 */
export function chooseDocs(found: readonly FoundFile[], options: ChooseOptions = {}): DocsChoice {
  const { named = new Set() } = options;
  const isNamedInPages = ({ path }: FoundFile) => named.has(path.slice(path.lastIndexOf("/") + 1));
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
    const isNamed = IGNORE_FILE.test(file.path) || CONFIGURATION.test(file.path);
    const isDocument = DOCUMENT.test(file.path);
    const isOther = !isNamed && !PAGE.test(file.path) && !isDocument && !API.test(file.path);
    const isIncluded =
      isOther && isNamedInPages(file) && file.content.size <= INCLUDED_BYTES_MAX && !MEDIA.test(file.path);
    const isBeside = isNamed || isIncluded;
    const place = isNamed ? folderOf(file.path).concat("/").replace(CONFIGURATION_FOLDER, "") : file.path;
    if (isPrivate(place)) choice.left.private += 1;
    else if (IMAGE.test(file.path) && isNamedInPages(file) && file.content.size <= IMAGE_BYTES_MAX)
      images.push(file);
    else if (isOther && !isBeside) leave(choice, file, "other");
    else if (file.content.size > (isDocument ? DOCUMENT_BYTES_MAX : FILE_BYTES_MAX))
      leave(choice, file, "large");
    else {
      choice.sent.push(file);
      choice.bytes += file.content.size;
      if (!isBeside) choice.pages += 1;
    }
  }
  addImages(choice, images, options.bytesMax ?? Number.POSITIVE_INFINITY);
  return choice;
}

function leave({ left, named }: DocsChoice, { path }: FoundFile, why: LeftFile["why"]): void {
  left[why] += 1;
  if (named.length < NAMED_MAX) named.push({ path, why });
}

const OLD_OFFICE = /\.(doc|dot|ppt|pps|xls|xlt)$/i;

/** Why a file stays, in words for whoever dropped it. */
export function whyLeft({ path, why }: LeftFile): string {
  if (why === "large")
    return `Larger than ${DOCUMENT.test(path) ? DOCUMENT_BYTES_MAX / 1e6 : FILE_BYTES_MAX / 1e6} MB`;
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

/** Whether a file or a folder around it has a name that docs never have. */
export const isPrivate = (path: string) => path.split("/").some((name) => PRIVATE_NAME.test(name));

/** Whether a folder is nobody's docs, and holds none of their configuration. */
export const isForeign = (name: string) => isPrivate(name) && name !== ".vitepress" && name !== ".config";
