import { asNumber, asText } from "@docent/kernel/text/json";
import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { isHidden, splitFrontMatter } from "../../markdown/front-matter.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { type DocPlace, placeOf } from "./address.ts";
import { type Locale, type LocalizedFile, type LocalizedFolder, localizedFiles } from "./locales.ts";
import { type ShownPage, shownIn } from "./published-page.ts";
import type { DocsInstance, DocsVersion } from "./settings.ts";

/** A page of a collection, with what its menu needs. */
export interface Doc extends DocPlace, Pick<ShownPage, "location" | "below" | "path" | "shownAt" | "isOwn"> {
  title: string;
  menuLabel: string | undefined;
  /** What its front matter says of its place. */
  menuPosition: number | undefined;
  /** What lists of pages say of it. */
  description: string | undefined;
  /** Published, and in no menu and no search. */
  isUnlisted: boolean;
}

/** The published pages of one version in a language, and the files that are not. */
export async function readDocs(
  tree: DocsTree,
  instance: DocsInstance,
  version: DocsVersion,
  content: LocalizedFolder,
): Promise<{ docs: Doc[]; leftOut: LeftOut[] }> {
  const docs: Doc[] = [];
  const leftOut: LeftOut[] = [];
  const isIncluded = matcher(instance.include);
  const isExcluded = matcher(instance.exclude);
  for (const file of localizedFiles(tree, content)) {
    const { location, below, isOwn } = file;
    if (!isIncluded(below)) continue;
    const leaveOut = (detail: string) => isOwn && leftOut.push({ location, detail });
    if (isExcluded(below)) {
      leaveOut("is left out by the configuration, as parts of other pages are");
      continue;
    }
    const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
    if (data["draft"] === true) leaveOut("is a draft");
    else docs.push(docOf({ ...file, data, body, locale: content.locale }, instance, version));
  }
  return { docs, leftOut };
}

/** A file with what its page is made of. */
interface DocSource extends LocalizedFile {
  data: Record<string, unknown>;
  body: string;
  locale: Locale;
}

function docOf(
  { location, below, isOwn, data, body, locale }: DocSource,
  { takesPrefixesOff, routeBase }: DocsInstance,
  { routePath }: DocsVersion,
): Doc {
  const place = placeOf(below, {
    takesPrefixesOff: takesPrefixesOff && data["parse_number_prefixes"] !== false,
    id: wordOf(data["id"]),
    slug: wordOf(data["slug"]),
  });
  const address = joinLocation(joinLocation(routeBase, routePath), place.slug);
  return {
    ...place,
    location,
    below,
    ...shownIn(locale, address, isOwn),
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
  let fence: FenceOpening | undefined;
  let isStatement = false;
  for (const [index, line] of lines.entries()) {
    fence = fenceBehind(line, fence);
    isStatement = line.trim() !== "" && (isStatement || STATEMENT.test(line));
    if (
      fence !== undefined ||
      isStatement ||
      NO_WORDS.test(line) ||
      /^[-=]{3,}\s*$/.test(lines[index + 1] ?? "")
    )
      continue;
    const words = plainInline(line.replace(/^\s*(?:>|[-*+]|\d+\.)\s+/, "")).trim();
    if (words !== "") return words;
  }
  return undefined;
}

/** YAML reads `slug: 404` and `id: 1` as numbers. */
const wordOf = (value: unknown) => (typeof value === "number" ? String(value) : asText(value));

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.map((pattern) => new Bun.Glob(pattern));
  return (path) => globs.some((glob) => glob.match(path));
}
