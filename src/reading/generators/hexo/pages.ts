import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import type { HexoSettings } from "./settings.ts";

export interface HexoPage {
  location: string;
  /** Its address below the site's, without slashes around it. */
  path: string;
  /** The file that is published for it: links of the page begin in its folder. */
  file: string;
  /** What `post_link` calls a post. */
  slug: string | undefined;
  /** The folder of files that belong to a post alone. */
  assets: string | undefined;
  title: string | undefined;
}

const PAGE = /\.(?:md|markdown|mkd|mkdn|html?)$/i;

export async function readPages(
  tree: DocsTree,
  settings: HexoSettings,
): Promise<{ pages: HexoPage[]; leftOut: LeftOut[] }> {
  const pages = new Map<string, HexoPage>();
  const leftOut: LeftOut[] = [];
  for (const location of tree.below(settings.source)) {
    if (!PAGE.test(location)) continue;
    const below = settings.source === "" ? location : location.slice(settings.source.length + 1);
    const made = await pageAt(tree, settings, location, below);
    if (typeof made === "string") {
      if (made !== "") leftOut.push({ location, detail: made });
      continue;
    }
    const other = pages.get(made.path);
    if (other === undefined) pages.set(made.path, made);
    else leftOut.push({ location, detail: `has the same address as ${other.location}` });
  }
  return { pages: [...pages.values()], leftOut };
}

/** The page of a file; or why it is none, "" where nobody would expect one. */
async function pageAt(
  tree: DocsTree,
  settings: HexoSettings,
  location: string,
  below: string,
): Promise<HexoPage | string> {
  const [, kind, name = ""] = /^_(posts|drafts)\/(.*)$/s.exec(below) ?? [];
  if (kind === "drafts" && !settings.showsDrafts) return "is a draft";
  const matches = (patterns: readonly string[]) => patterns.some((each) => new Bun.Glob(each).match(below));
  if (matches(settings.exclude) || matches(settings.skipRender))
    return "is not made a page by the configuration";
  const isHidden = /(?:^|\/)[._~]|(?:^|\/)[^/]*~$/.test(kind === undefined ? below : name);
  if (isHidden && !matches(settings.include))
    return /\.html?$/i.test(below) ? "" : "is a part of other pages";
  const { data, body } = splitFrontMatter(withOpening((await tree.text(location)) ?? ""));
  if (data["published"] === false) return "is not published";
  const post = kind === undefined ? undefined : postOf(name, data, settings);
  const given = asText(data["permalink"]);
  const file = given !== undefined ? given.replace(/^\/+/, "") : (post?.file ?? `${stemOf(below)}.html`);
  if (file === "") return "has an address that only Hexo can tell";
  return {
    location,
    file,
    path: addressOf(file, settings),
    slug: post?.slug,
    assets: post === undefined || !settings.hasPostFolders ? undefined : stemOf(location),
    title: titleOf(data, body),
  };
}

/** Hexo needs no line above the front matter. */
export const withOpening = (text: string) =>
  /^(?:[\w-]{1,40}:[^\n]*\n|[ \t][^\n]*\n|-[ \t][^\n]*\n){1,200}---[ \t]*(?:\n|$)/.test(text)
    ? `---\n${text}`
    : text;

function addressOf(file: string, { showsHtml }: HexoSettings): string {
  const plain = file.replace(/(^|\/)index\.html$/, "$1").replace(/\/+$/, "");
  return showsHtml ? plain : plain.replace(/\.html$/, "");
}

const DATED = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/;

/** Where a post is published; "" where that follows from more than its file and front matter. */
function postOf(
  name: string,
  data: Readonly<Record<string, unknown>>,
  { permalink, postName }: HexoSettings,
): { file: string; slug: string } {
  const stem = stemOf(name);
  const dated = postName.includes(":year") ? DATED.exec(nameOf(stem)) : null;
  const slug = dated === null ? stem : stem.slice(0, stem.length - nameOf(stem).length) + (dated[4] ?? "");
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(dayOf(data["date"])) ?? dated ?? [];
  const words: Record<string, string | undefined> = {
    title: slug,
    name: nameOf(slug),
    year,
    month: month?.padStart(2, "0"),
    i_month: month === undefined ? undefined : String(Number(month)),
    day: day?.padStart(2, "0"),
    i_day: day === undefined ? undefined : String(Number(day)),
  };
  let isKnown = true;
  const file = permalink.replace(/:(\w+)/g, (_, word: string) => {
    const said = words[word];
    if (said === undefined) isKnown = false;
    return said ?? "";
  });
  return { file: isKnown ? file.replace(/^\/+/, "") : "", slug };
}

const dayOf = (date: unknown) => (date instanceof Date ? date.toISOString() : (asText(date) ?? ""));
