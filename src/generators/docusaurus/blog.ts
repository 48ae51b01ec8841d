import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { MenuEntry } from "../../pages/navigation/menu.ts";
import { asText } from "../../text/json.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { contentRootsOf, type LocalizedFolder, localizedFiles } from "./locales.ts";
import { type ShownPage, shownIn } from "./published-page.ts";
import type { BlogSettings } from "./settings.ts";

/** A date before a post's name, in its file's or its folders' names. */
const DATED =
  /^(?<folder>.*\/)?(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})[-/]?(?<name>.*?)(?:\/index)?$/;

interface Post extends ShownPage {
  title: string;
  /** "2024/01/31", by which the newest comes first. */
  date: string;
}

/** The posts of a blog. */
export async function readBlog(
  tree: DocsTree,
  { routeBase }: BlogSettings,
  content: LocalizedFolder,
): Promise<{ pages: ShownPage[]; leftOut: LeftOut[]; menu: MenuEntry[] }> {
  const posts: Post[] = [];
  const leftOut: LeftOut[] = [];
  const contentRoots = contentRootsOf(content);
  for (const { location, below, isOwn } of localizedFiles(tree, content)) {
    if (!/\.mdx?$/i.test(below) || /(^|\/)_/.test(below)) continue;
    const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
    if (data["draft"] === true) {
      if (isOwn) leftOut.push({ location, detail: "is a draft" });
      continue;
    }
    const { slug, date } = placeOfPost(stemOf(below), data);
    const address = joinLocation(routeBase, slug);
    const title = titleOf(data, body) ?? nameOf(address);
    const shown = shownIn(content.locale, address, isOwn);
    posts.push({ location, below, title, date, contentRoots, isFolder: false, ...shown });
  }
  posts.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
  const children = posts.map(({ title, path }) => ({ label: title, path, children: [] }));
  return { pages: posts, leftOut, menu: posts.length === 0 ? [] : [{ label: "Blog", children }] };
}

function placeOfPost(stem: string, data: Readonly<Record<string, unknown>>): { slug: string; date: string } {
  const { folder = "", year, month = "", day = "", name = "" } = DATED.exec(stem)?.groups ?? {};
  const two = (number: string) => number.padStart(2, "0");
  const dated = year === undefined ? undefined : `${year}/${two(month)}/${two(day)}`;
  const written = asText(data["date"])?.slice(0, 10).replaceAll("-", "/");
  const given = asText(data["slug"])?.replace(/^\/+|\/+$/g, "");
  const usual = dated === undefined ? stem.replace(/\/index$/, "") : `${dated}/${folder}${name}`;
  return { slug: given ?? usual.replace(/\/$/, ""), date: written ?? dated ?? "" };
}
