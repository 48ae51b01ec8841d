import { isHidden, splitFrontMatter } from "../../markdown/front-matter.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import { asNumber, asText } from "../../text/json.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { type DocPlace, placeOf } from "./address.ts";
import type { DocsInstance, DocsVersion } from "./settings.ts";

/** A page of a collection, with what its menu needs. */
export interface Doc extends DocPlace {
  location: string;
  path: string;
  title: string;
  menuLabel: string | undefined;
  /** What its front matter says of its place. */
  menuPosition: number | undefined;
  /** What lists of pages say of it. */
  description: string | undefined;
  /** Published, and in no menu and no search. */
  isUnlisted: boolean;
}

/** The published pages of one version, and the files that are not. */
export async function readDocs(
  tree: DocsTree,
  instance: DocsInstance,
  version: DocsVersion,
): Promise<{ docs: Doc[]; leftOut: LeftOut[] }> {
  const docs: Doc[] = [];
  const leftOut: LeftOut[] = [];
  const isIncluded = matcher(instance.include);
  const isExcluded = matcher(instance.exclude);
  for (const location of tree.below(version.folder)) {
    const below = version.folder === "" ? location : location.slice(version.folder.length + 1);
    if (!isIncluded(below)) continue;
    if (isExcluded(below)) {
      leftOut.push({ location, detail: "is left out by the configuration, as parts of other pages are" });
      continue;
    }
    const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
    if (data["draft"] === true) leftOut.push({ location, detail: "is a draft" });
    else docs.push(docOf({ location, below, data, body }, instance, version));
  }
  return { docs, leftOut };
}

function docOf(
  {
    location,
    below,
    data,
    body,
  }: { location: string; below: string; data: Record<string, unknown>; body: string },
  { takesPrefixesOff, routeBase }: DocsInstance,
  { routePath }: DocsVersion,
): Doc {
  const place = placeOf(below, {
    takesPrefixesOff: takesPrefixesOff && data["parse_number_prefixes"] !== false,
    id: wordOf(data["id"]),
    slug: wordOf(data["slug"]),
  });
  return {
    ...place,
    location,
    path: joinLocation(joinLocation(routeBase, routePath), place.slug),
    title: titleOf(data, body) ?? place.id.slice(place.id.lastIndexOf("/") + 1),
    menuLabel: wordOf(data["sidebar_label"]),
    description: wordOf(data["description"]) ?? excerptOf(body),
    menuPosition: asNumber(data["sidebar_position"]),
    isUnlisted: isHidden(data),
  };
}

const NO_WORDS = /^\s*(?:$|#|:::|<|\{|```|~~~|\||!\[|[-=]{3,}\s*$)/;
const STATEMENT = /^(?:import|export)\s/;
const EXCERPT_LINES_MAX = 200;

/** The first line with words: of code, of statements and of headings there are none. */
function excerptOf(body: string): string | undefined {
  const lines = body.split("\n", EXCERPT_LINES_MAX);
  let isCode = false;
  let isStatement = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    isStatement = line.trim() !== "" && (isStatement || STATEMENT.test(line));
    if (isCode || isStatement || NO_WORDS.test(line) || /^[-=]{3,}\s*$/.test(lines[index + 1] ?? ""))
      continue;
    const words = plainInline(line.replace(/^\s*(?:>|[-*+]|\d+\.)\s+/, "")).trim();
    if (words !== "") return words;
  }
  return undefined;
}

/** YAML reads `slug: 404` and `id: 1` as numbers. */
const wordOf = (value: unknown) => (typeof value === "number" ? String(value) : asText(value));

export function matcher(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.map((pattern) => new Bun.Glob(pattern));
  return (path) => globs.some((glob) => glob.match(path));
}
