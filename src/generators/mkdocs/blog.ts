import { asRecord, asText } from "../../text/json.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { unicodeSlug } from "./heading-names.ts";
import { readSource } from "./markup/markup.ts";
import type { MkDocsPage } from "./pages.ts";
import type { MkDocsSettings } from "./settings.ts";
import { titlesOf } from "./titles.ts";

type Options = Readonly<Record<string, unknown>>;

/** The pages with posts of Material's blog at their addresses: `blog/2026/01/31/title`. */
export async function placePosts(
  tree: DocsTree,
  settings: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<{ pages: MkDocsPage[]; leftOut: LeftOut[] }> {
  const options = settings.plugins.get("blog");
  if (options === undefined || !settings.isMaterial) return { pages: [...pages], leftOut: [] };
  const blog = (asText(options["blog_dir"]) ?? "blog").replace(/^\.?\/|\/$|^\.$/g, "");
  const folder = (asText(options["post_dir"]) ?? "{blog}/posts").replace("{blog}", blog).replace(/^\//, "");
  const placed: MkDocsPage[] = [];
  const leftOut: LeftOut[] = [];
  for (const page of pages) {
    if (!page.name.startsWith(`${folder}/`)) {
      placed.push(page);
      continue;
    }
    const source = await readSource(tree, settings, page.location);
    if (source.data["draft"] === true) leftOut.push({ location: page.location, detail: "is a draft" });
    else {
      const slug = asText(source.data["slug"]) ?? unicodeSlug(titlesOf(page, source, settings).usual);
      const address = joinLocation(blog, addressOf(options, source.data, slug));
      const path = settings.usesFolders ? address : `${address}.html`;
      placed.push({ ...page, path, isInMenu: false });
    }
  }
  return { pages: placed, leftOut };
}

/** A post's address below the blog's, by `post_url_format`. */
function addressOf(options: Options, data: Options, slug: string): string {
  const categories = Array.isArray(data["categories"]) ? data["categories"] : [];
  const most =
    typeof options["post_url_max_categories"] === "number" ? options["post_url_max_categories"] : 1;
  const names = categories.slice(0, most).flatMap((each) => asText(each) ?? []);
  const written = asText(options["post_url_format"]) ?? "{date}/{slug}";
  return written
    .replace("{date}", dateOf(data["date"], asText(options["post_url_date_format"]) ?? "yyyy/MM/dd"))
    .replace("{categories}", names.map(unicodeSlug).join("/"))
    .replace("{slug}", slug)
    .split("/")
    .filter((part) => part !== "")
    .join("/");
}

function dateOf(date: unknown, format: string): string {
  const written = asText(date) ?? asText(asRecord(date)["created"]) ?? "";
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(written) ?? [];
  const values: Record<string, string> = {
    yyyy: year,
    yy: year.slice(2),
    MM: month.padStart(2, "0"),
    M: String(Number(month)),
    dd: day.padStart(2, "0"),
    d: String(Number(day)),
  };
  return format.replace(/yyyy|yy|MM|M|dd|d/g, (part) => values[part] ?? "");
}
