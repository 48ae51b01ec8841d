import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, titleOf, writeHeadingIds } from "../writing/writing.ts";
import type { Locale } from "./locales.ts";
import { createHeadingNames, readMarkup } from "./markup.ts";
import type { PageOfLocale, PublishedPage } from "./published-page.ts";
import { trimSlashes } from "./settings.ts";

/** What reading a page takes from its site. */
export interface Surroundings {
  tree: DocsTree;
  root: string;
  base: string;
  /** Whether all addresses end in a slash, or none; undefined where it depends on the page. */
  trailingSlash: boolean | undefined;
  byLocation: ReadonlyMap<string, PageOfLocale>;
  /** The pages of the main language at addresses of others, where these show them. */
  shown: ReadonlyMap<string, string>;
}

export async function readPage(surroundings: Surroundings, { location }: DocsPage): Promise<ReadDocsPage> {
  const { tree, byLocation } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(location)) ?? "");
  const { markdown, faults } = await readMarkup(surroundings, location, { body, data });
  const page = byLocation.get(location);
  const linked =
    page === undefined ? markdown : rewriteLinks(markdown, (href) => publishedHref(surroundings, page, href));
  const title = titleOf(data, body) ?? page?.title;
  return {
    data: title === undefined ? data : { ...data, title },
    markdown: writeHeadingIds(linked, createHeadingNames()),
    faults: fault === undefined ? faults : [fault, ...faults],
  };
}

/** Where a link of a page leads: to the page that is made of a file, or to an address. */
function publishedHref(surroundings: Surroundings, page: PageOfLocale, href: string): string | undefined {
  const { root, trailingSlash, byLocation, shown } = surroundings;
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (/\.mdx?$/i.test(target)) {
    const found = placesOf(root, page, target)
      .map((place) => byLocation.get(place))
      .find((each) => each !== undefined);
    return found === undefined ? undefined : `/${found.path}${rest}`;
  }
  if (target.startsWith("/")) return `/${addressIn(surroundings, page.locale, target)}${rest}`;
  const from = (trailingSlash ?? page.isFolder) ? page.path : folderOf(page.path);
  const path = resolveLocation(from, target);
  return path === undefined ? undefined : `/${shown.get(path) ?? path}${rest}`;
}

/** Where a link to a file may mean: beside the page, below its content's folder, below the site. */
function placesOf(root: string, { below, contentRoots }: PublishedPage, target: string): string[] {
  const plain = target.replace(/^\/+/, "");
  const places = target.startsWith("@site/")
    ? [resolveLocation(root, target.slice("@site/".length))]
    : [
        ...contentRoots.map((folder) => resolveLocation(joinLocation(folder, folderOf(below)), plain)),
        ...contentRoots.map((folder) => resolveLocation(folder, plain)),
        resolveLocation(root, plain),
      ];
  return places.filter((place) => place !== undefined);
}

/**
 * Where an address of the site leads from a page in a language. Docusaurus writes what the language's addresses begin
 * with in front of it, unless it is there.
 */
export function addressIn(
  { base, shown }: Pick<Surroundings, "base" | "shown">,
  { prefix }: Locale,
  address: string,
): string {
  const own = prefix === "" ? base : `${base}${prefix}/`;
  const path = joinLocation(
    prefix,
    trimSlashes(address.startsWith(own) ? address.slice(own.length) : address),
  );
  return shown.get(path) ?? path;
}
