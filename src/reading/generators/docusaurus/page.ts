import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import type { DocsPage, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import {
  type NameHeading,
  rewriteLinks,
  splitHref,
  titleOf,
  withPartials,
  writeHeadingIds,
} from "../writing/writing.ts";
import type { Locale } from "./locales.ts";
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

/** What reading a page takes from its surroundings. */
interface MarkupSource {
  tree: DocsTree;
  /** The folder that `@site/` stands for. */
  root: string;
}

/** A page's body with the partials that it imports in it, as Markdown. */
async function readMarkup(
  source: MarkupSource,
  location: string,
  { body, data }: { body: string; data: Record<string, unknown> },
): Promise<{ markdown: string; faults: string[] }> {
  const faults: string[] = [];
  const whole = await withPartials(
    {
      tree: source.tree,
      locate: (from, specifier) => locate(source, from, specifier),
      prepare: withoutMdxFences,
    },
    location,
    body,
    { faults },
  );
  const { markdown, faults: tangles } = unwrapMdx(withoutFenceComments(whole), data);
  return { markdown, faults: [...faults, ...tangles] };
}

function locate({ tree, root }: MarkupSource, location: string, specifier: string): string | undefined {
  if (specifier.startsWith("@site/")) return resolveLocation(root, specifier.slice("@site/".length));
  if (specifier.startsWith("/")) {
    // As Docusaurus tells webpack: first among the static files.
    const places = ["static/", ""].map((folder) => resolveLocation(root, folder + specifier.slice(1)));
    return places.find((place) => place !== undefined && tree.has(place));
  }
  return specifier.startsWith(".") ? resolveLocation(folderOf(location), specifier) : undefined;
}

/** Comments that only say which lines of code are marked. A list of lines in the fence's own line switches them off. */
const FENCE = /^([ \t]*)(`{3,}|~{3,})([^\n]*)\n/m;
const closingOf = ([, indent = "", fence = ""]: RegExpExecArray) => `^${indent}${fence}[ \\t]*$`;
const MARKING =
  /^[ \t]*(?:\/\/|#|--|%|\/\*|<!--|\{\/\*)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:(?:\*\/\}?|-->)[ \t]*)?\n/gm;

/** MDX in a fence, which hides it from programs that know only Markdown: Docusaurus takes the fence off. */
function withoutMdxFences(body: string): string {
  if (!body.includes("mdx-code-block")) return body;
  return replaceEnclosed(body, FENCE, closingOf, ({ whole, opened: [, , , info = ""], inside }) =>
    info.trim() === "mdx-code-block" ? inside : whole,
  );
}

function withoutFenceComments(markdown: string): string {
  if (!markdown.includes("highlight-")) return markdown;
  return replaceEnclosed(markdown, FENCE, closingOf, ({ whole, opened, inside }) => {
    const [, indent = "", fence = "", info = ""] = opened;
    return /\{[\d,\s-]+\}/.test(info)
      ? whole
      : `${indent}${fence}${info}\n${inside.replace(MARKING, "")}${indent}${fence}`;
  });
}

/** Ids as Docusaurus makes them: GitHub's, and one that an author gave does not count for the others. A title has none. */
function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ level, words, given }) => {
    const id = given ?? slugger.unique(words);
    return level === 1 ? "" : id;
  };
}
