import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { type JekyllCollection, type JekyllSettings, textsIn, trimmed } from "./settings.ts";

export interface JekyllPage {
  location: string;
  /** Where it is below the site's folder, by which `{% link %}` names it. */
  below: string;
  /** Its address below the site's, without slashes around it. */
  path: string;
  /** Whether its address ends in a slash, so that links are resolved inside of it. */
  isFolder: boolean;
  /** "pages", "posts" or the name of a collection. */
  type: string;
  /** With the defaults for its folder. */
  data: Readonly<Record<string, unknown>>;
  title: string | undefined;
}

const MARKDOWN = /\.(?:markdown|mkdown|mkdn|mkd|md)$/i;
const PAGE = /\.(?:markdown|mkdown|mkdn|mkd|md|html?)$/i;
const POST = /^(.*\/)?_posts\/(?:.*\/)?(\d{2,4}-\d{1,2}-\d{1,2})-([^/]*)\.[^./]+$/;

export async function readPages(
  tree: DocsTree,
  settings: JekyllSettings,
  now: number,
): Promise<{ pages: JekyllPage[]; leftOut: LeftOut[] }> {
  const pages: JekyllPage[] = [];
  const leftOut: LeftOut[] = [];
  const { source } = settings;
  for (const location of tree.below(source)) {
    if (!PAGE.test(location)) continue;
    const below = source === "" ? location : location.slice(source.length + 1);
    const collection = settings.collections.find(({ folder }) => location.startsWith(`${folder}/`));
    const post = POST.exec(below);
    const why = whyHidden(below, settings, collection !== undefined || post !== null);
    if (why !== undefined) {
      if (why !== "" && MARKDOWN.test(location)) leftOut.push({ location, detail: why });
      continue;
    }
    const text = (await tree.text(location)) ?? "";
    const hasFrontMatter = /^---[ \t]*\r?\n/.test(text);
    if (!hasFrontMatter && !(settings.isOnGitHub && MARKDOWN.test(location))) {
      const detail = "has no front matter, so that Jekyll publishes the file as it is";
      if (MARKDOWN.test(location)) leftOut.push({ location, detail });
      continue;
    }
    const { data: own, body } = splitFrontMatter(text);
    const type = post !== null ? "posts" : (collection?.name ?? "pages");
    const data = withDefaults(own, below, type, settings);
    const file = { location, below, data, type, collection, post };
    const whyNot = whyNotBuilt(file, settings, now);
    if (whyNot !== undefined) leftOut.push({ location, detail: whyNot });
    else pages.push(pageOf(file, titleOf(data, body), settings, tree));
  }
  return { pages, leftOut };
}

interface PageFile {
  location: string;
  below: string;
  data: Readonly<Record<string, unknown>>;
  type: string;
  collection: JekyllCollection | undefined;
  post: RegExpExecArray | null;
}

/** Why a file is no page by its place alone; "" where nobody would expect one. */
function whyHidden(below: string, settings: JekyllSettings, isInCollection: boolean): string | undefined {
  const { include, exclude, showsDrafts } = settings;
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => {
      const plain = trimmed(pattern);
      return below === plain || below.startsWith(`${plain}/`) || new Bun.Glob(plain).match(below);
    });
  if (matches(include)) return undefined;
  if (/^404\.[a-z]+$/.test(below)) return "is shown for addresses that do not exist";
  if (matches(exclude)) return "is left out by the configuration";
  if (/(?:^|\/)_drafts\//.test(below) && !showsDrafts) return "is a draft";
  const hidden = below.split("/").filter((name) => /^[_.#~]/.test(name) || name.endsWith("~"));
  const own = isInCollection ? hidden.slice(1) : hidden;
  if (own.length === 0) return undefined;
  return /(?:^|\/)(?:_includes|_layouts|_site|\.[^/]*)\//.test(`${below}/`)
    ? ""
    : "is in a folder that is not published";
}

/** What is said for the nearest folder wins, and the page's own above all. */
function withDefaults(
  own: Readonly<Record<string, unknown>>,
  below: string,
  type: string,
  { defaults }: JekyllSettings,
): Record<string, unknown> {
  const meant = defaults.filter(
    ({ path, type: of }) =>
      (of === "" || of === type) &&
      (path === "" || below === path || below.startsWith(`${path}/`) || new Bun.Glob(path).match(below)),
  );
  const data: Record<string, unknown> = Object.create(null);
  for (const { values } of meant.sort((a, b) => a.path.length - b.path.length)) Object.assign(data, values);
  return Object.assign(data, own);
}

function whyNotBuilt({ data, post }: PageFile, settings: JekyllSettings, now: number): string | undefined {
  if (data["redirect_to"] !== undefined) return "only leads to another address";
  if (asText(data["permalink"]) === "/404.html") return "is shown for addresses that do not exist";
  if (data["published"] === false && !settings.showsUnpublished) return "is not published";
  if (data["draft"] === true && post !== null && !settings.showsDrafts) return "is a draft";
  const date = Date.parse(asText(data["date"]) ?? post?.[2] ?? "");
  const isFuture = post !== null && date > now && !settings.showsFuture;
  return isFuture ? "is to be published in the future" : undefined;
}

function pageOf(
  file: PageFile,
  title: string | undefined,
  settings: JekyllSettings,
  tree: DocsTree,
): JekyllPage {
  const url = urlOf(file, settings, tree);
  const plain = trimmed(url).replace(/(^|\/)index\.html$/, "");
  return {
    location: file.location,
    below: file.below,
    path: plain,
    isFolder: url.endsWith("/") || /(?:^|\/)index\.html$/.test(url),
    type: file.type,
    data: file.data,
    title,
  };
}

const STYLES: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title:output_ext",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title:output_ext",
  none: "/:categories/:title:output_ext",
};

function urlOf(file: PageFile, settings: JekyllSettings, tree: DocsTree): string {
  const { data, post, collection, below } = file;
  const given = asText(data["permalink"]);
  const named = given === undefined ? undefined : (STYLES[given] ?? given);
  if (post !== null)
    return expand(
      named ?? settings.postPermalink ?? STYLES[settings.permalink] ?? settings.permalink,
      file,
      settings,
    );
  if (collection !== undefined)
    return expand(
      named ?? collection.permalink ?? `/:collection/:path${suffixOf(settings.permalink)}`,
      file,
      settings,
    );
  if (given !== undefined) return expand(given, file, settings);
  const stem = stemOf(nameOf(below));
  const folder = folderOf(below);
  const isReadme = settings.isOnGitHub && /^readme$/i.test(stem) && !hasIndex(tree, folderOf(file.location));
  if (stem === "index" || isReadme) return `/${folder}/`;
  return `/${joinLocation(folder, stem)}${suffixOf(settings.permalink)}`;
}

const hasIndex = (tree: DocsTree, folder: string) =>
  ["index.md", "index.html", "index.markdown"].some((name) => tree.has(joinLocation(folder, name)));

/** What the site's style for posts leaves for pages. */
function suffixOf(permalink: string): string {
  if (permalink === "pretty" || permalink.endsWith("/")) return "/";
  return permalink in STYLES || permalink.endsWith(":output_ext") ? ".html" : "";
}

function expand(
  pattern: string,
  { data, post, collection, location, below }: PageFile,
  { timeZone }: JekyllSettings,
): string {
  const [, above = "", dated = "", postName = ""] = post ?? [];
  const [year = "", month = "", day = ""] = (dayOf(asText(data["date"]), timeZone) ?? dated).split("-");
  const inside = collection === undefined ? below : location.slice(collection.folder.length + 1);
  const path = stemOf(inside);
  const name = post === null ? stemOf(nameOf(inside)) : postName;
  const said = data["categories"] ?? data["category"];
  const categories = [
    ...above.split("/"),
    ...(typeof said === "string" ? said.split(/\s+/) : textsIn(said)),
  ].filter((each) => each !== "");
  const two = (number: string) => number.padStart(2, "0");
  const values: Record<string, string> = {
    collection: collection?.name ?? "",
    path,
    name: slugged(name),
    basename: name,
    title: asText(data["slug"]) ?? (post === null ? slugged(name) : postName),
    slug: slugged(asText(data["slug"]) ?? name),
    categories: [...new Set(categories)].map((each) => each.toLowerCase()).join("/"),
    year,
    month: two(month),
    i_month: String(Number(month)),
    day: two(day),
    i_day: String(Number(day)),
    short_year: year.slice(-2),
    output_ext: ".html",
  };
  const isTemplated = post !== null || collection !== undefined;
  const filled = pattern.replace(/:([a-z_]+)/g, (whole, key: string) =>
    isTemplated || key === "path" || key === "basename" || key === "output_ext"
      ? (values[key] ?? whole)
      : whole,
  );
  return filled.replace(/\/{2,}/g, "/");
}

/** The day of a time, where the site is; of a date as it is written. */
function dayOf(date: string | undefined, timeZone: string | undefined): string | undefined {
  if (date === undefined || timeZone === undefined || !/^\d{4}-\d{2}-\d{2}[T ]\d/.test(date))
    return date?.slice(0, 10);
  const time = Date.parse(date.replace(/ ([+-]\d)/, "$1").replace(" ", "T"));
  // Swedish dates are written as this one.
  return Number.isNaN(time) ? date.slice(0, 10) : new Date(time).toLocaleDateString("sv", { timeZone });
}

const slugged = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** A page's address from the site's root. */
export const addressOf = ({ path, isFolder }: JekyllPage) =>
  `/${encodeURI(path)}${isFolder && path !== "" ? "/" : ""}`;
