import { asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { isComputed } from "../config/config.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { isBelow } from "../part-of-site.ts";
import { titleOf } from "../writing/writing.ts";
import { createCascade, type Data, readSource } from "./data.ts";
import type { EleventySettings } from "./settings.ts";
import { writeLine } from "./templates.ts";

export interface EleventyPage {
  location: string;
  /** Its address below the site's, without slashes around it. */
  path: string;
  /** Whether its address ends in a slash, so that links are resolved inside of it. */
  isFolder: boolean;
  title: string | undefined;
  /** All that is said of it. */
  data: Data;
}

const PAGE = /\.(md|html|liquid|njk)$/;

export async function readPages(
  tree: DocsTree,
  settings: EleventySettings,
): Promise<{ pages: EleventyPage[]; leftOut: LeftOut[] }> {
  const cascade = await createCascade(tree, settings);
  const isIgnored = ignoring(settings);
  const pages = new Map<string, EleventyPage>();
  const leftOut: LeftOut[] = [];
  for (const location of tree.below(settings.input)) {
    const format = PAGE.exec(location)?.[1];
    if (format === undefined || !settings.formats.includes(format)) continue;
    const why = isIgnored(location);
    if (why !== undefined) {
      if (why !== "" && format === "md") leftOut.push({ location, detail: why });
      continue;
    }
    const { data: own, body } = await readSource((await tree.text(location)) ?? "");
    const data = await cascade.dataOf(location, own);
    const address = addressOf(location, data, settings);
    if ("detail" in address) {
      if (address.detail !== "") leftOut.push({ location, detail: address.detail });
      continue;
    }
    const other = pages.get(address.path);
    if (other !== undefined) leftOut.push({ location, detail: `has the same address as ${other.location}` });
    else pages.set(address.path, { location, ...address, data, title: titleIn(data, body, settings) });
  }
  return { pages: [...pages.values()], leftOut };
}

/** Why a file is no page by its place alone, "" where nobody would expect one; undefined for a page. */
function ignoring({ root, includes, layouts, dataFolder, output, input, ignored }: EleventySettings) {
  const start = root === "" ? 0 : root.length + 1;
  const globs = ignored.map((pattern) => ({ pattern, glob: new Bun.Glob(pattern) }));
  return (location: string): string | undefined => {
    const isPart = [includes, layouts, dataFolder].some(
      (folder) => folder !== input && isBelow(location, folder),
    );
    if (isPart || (output !== input && isBelow(location, output)) || /(?:^|\/)node_modules\//.test(location))
      return "";
    const below = location.slice(start);
    const isIgnored = globs.some(({ pattern, glob }) => glob.match(below) || isBelow(below, pattern));
    return isIgnored ? "is ignored by the configuration" : undefined;
  };
}

type Address = Pick<EleventyPage, "path" | "isFolder"> | { detail: string };

/** Where a page is published; or why it is not, "" where nobody would expect one. */
function addressOf(location: string, data: Data, settings: EleventySettings): Address {
  if (data["draft"] === true && settings.hidesDrafts) return { detail: "is a draft" };
  if (data["pagination"] !== undefined) return { detail: "stands for pages that are made of data" };
  const computed = asRecord(data["eleventyComputed"])["permalink"];
  const said = computed ?? data["permalink"];
  const isObject = isRecord(said) && !isComputed(said) && said["call"] === undefined;
  const permalink = isObject ? (said["build"] ?? false) : said;
  if (permalink === false) return { detail: "is not published by its front matter" };
  if (permalink === undefined || permalink === null || permalink === "")
    return publishedAt(usualFile(location, settings));
  const page = pageData(location, settings);
  const names = { values: new Map(), data: { ...data, page }, ownFilters: settings.ownFilters };
  const written = typeof permalink === "string" ? writeLine(permalink, names) : undefined;
  if (written === undefined) return { detail: "has an address that only Eleventy can tell" };
  return publishedAt(written.trim());
}

function publishedAt(link: string): Address {
  const file = link.replace(/\/{2,}/g, "/").replace(/^\.?\//, "");
  const isFolder = file === "" || file.endsWith("/") || /(?:^|\/)index\.html$/.test(file);
  if (!isFolder && !/\.html?$/.test(file)) return { detail: "" };
  if (file === "404.html") return { detail: "is shown for addresses that do not exist" };
  return { path: file.replace(/(?:^|\/)index\.html$/, "").replace(/\/+$/, ""), isFolder };
}

/** The file that is written for a page which says nothing else. */
function usualFile(location: string, { input }: EleventySettings): string {
  const below = input === "" ? location : location.slice(input.length + 1);
  const folder = folderOf(below);
  const name = stemOf(nameOf(below));
  const isFolder = name === "index" || name === nameOf(folder);
  return `${joinLocation(folder, isFolder ? "" : name)}/`;
}

/** What templates know as `page`. */
export function pageData(location: string, { input, root }: EleventySettings): Data {
  const below = input === "" ? location : location.slice(input.length + 1);
  const folder = folderOf(below);
  const undated = /\d{4}-\d{2}-\d{2}-(.*)/.exec(stemOf(nameOf(below)))?.[1] ?? stemOf(nameOf(below));
  return {
    fileSlug: undated === "index" ? nameOf(folder).replace(/^\d{4}-\d{2}-\d{2}-/, "") : undated,
    filePathStem: `/${joinLocation(folder, undated)}`,
    inputPath: `./${location.slice(root === "" ? 0 : root.length + 1)}`,
    outputFileExtension: "html",
  };
}

/** The title that front matter gives, or else the first heading, or the name in the menu. */
function titleIn(data: Data, body: string, { ownFilters }: EleventySettings): string | undefined {
  const { title } = data;
  const given = typeof title === "string" ? writeLine(title, { values: new Map(), data, ownFilters }) : title;
  const heading = titleOf({ title: given }, body);
  const isPlain = heading !== undefined && !/\{[{%]/.test(heading);
  const { title: label, key } = asRecord(data["eleventyNavigation"]);
  return isPlain
    ? heading
    : (asText(label) ?? asText(key) ?? heading?.replace(/\{[{%].*?[%}]\}/g, "").trim());
}
