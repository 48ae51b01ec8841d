import { createSlugger } from "../../markdown/anchors.ts";
import { unwrapMdc } from "../../markdown/containers/containers.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  codeAt,
  type NameHeading,
  rewriteLinks,
  shownCode,
  splitHref,
  writeCode,
  writeHeadingIds,
} from "../writing/writing.ts";
import { addressOf } from "./addresses.ts";
import { readMenu } from "./menu.ts";
import { type ContentPage, readPages } from "./pages.ts";
import { type NuxtSettings, readSettings } from "./settings.ts";

/** Nuxt Content, and what is built on it: Docus and UnDocs. */
export const nuxtContent: GeneratorAdapter = {
  name: "Nuxt Content",
  roots: (tree) => [
    ...new Set(
      [SITE_FILES.nuxtContent, SITE_FILES.undocs, SITE_FILES.docus].flatMap((each) =>
        rootsIn(each, tree.files),
      ),
    ),
  ],
  async open(tree, root, options) {
    const settings = await readSettings(tree, root, options);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: NuxtSettings): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readPages(tree, settings);
  if (pages.length === 0) return undefined;
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  return {
    generator: settings.generator,
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: await readMenu(tree, settings, pages),
    redirects: settings.redirects,
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage({ tree, byPath, byLocation }, page);
    },
  };
}

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  byPath: ReadonlyMap<string, ContentPage>;
  byLocation: ReadonlyMap<string, ContentPage>;
}

async function readPage(surroundings: Surroundings, page: ContentPage): Promise<ReadDocsPage> {
  const { data, body, fault } = splitFrontMatter((await surroundings.tree.text(page.location)) ?? "");
  const linked = rewriteLinks(plainCode(unwrapMdc(body)), (href) => publishedHref(surroundings, page, href));
  const markdown = writeHeadingIds(linked, createHeadingNames());
  const title = page.title === "" ? {} : { title: page.title };
  return { data: { ...data, ...title }, markdown, faults: fault === undefined ? [] : [fault] };
}

/** GitHub's ids without dashes beside each other, and none begins with a digit. Ids in braces are words. */
function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ words, given }) =>
    slugger
      .unique(given === undefined ? words : `${words} {#${given}}`)
      .replace(/-+/g, "-")
      .replace(/^-|-$/g, "")
      .replace(/^(\d)/, "_$1");
}

/** Code with its language alone; the name of its file is written above it. */
function plainCode(markdown: string): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code === undefined) {
      written.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    const language = /^[\w+#.-]+/.exec(code.info)?.[0] ?? "";
    const name = /\[([^\]]*)\]/.exec(code.info)?.[1] ?? "";
    const shown = shownCode(language, code.lines);
    if (name !== "") written.push("", `${code.indent}**${name.replaceAll("*", "\\*")}**`, "");
    written.push(...writeCode(shown.language, shown.lines, code.indent));
    at += code.length;
  }
  return written.join("\n");
}

/** Where a link leads: as browsers resolve it, or else to the file that it means. */
function publishedHref(
  { byPath, byLocation }: Surroundings,
  page: ContentPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const isFile = /\.md$/i.test(target);
  const written = isFile
    ? target
        .split("/")
        .map((name) => (/^\.{1,2}$/.test(name) ? name : addressOf(stemOf(name))))
        .join("/")
    : target;
  const published = resolveLocation(folderOf(page.path), written)?.replace(/\/$/, "");
  if (published !== undefined && byPath.has(published)) return `/${published}${rest}`;
  const place = target.startsWith("/") ? undefined : resolveLocation(folderOf(page.location), target);
  const meant = place === undefined ? undefined : (byLocation.get(place) ?? byLocation.get(`${place}.md`));
  if (meant !== undefined) return `/${meant.path}${rest}`;
  const inside = target.startsWith("/") ? undefined : resolveLocation(page.path, written);
  if (inside !== undefined && byPath.has(inside)) return `/${inside}${rest}`;
  return published === undefined || target.startsWith("/") ? undefined : `/${published}${rest}`;
}
