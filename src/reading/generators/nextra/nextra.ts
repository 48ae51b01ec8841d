import { createSlugger, type Slugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  codeAt,
  rewriteLinks,
  shownCode,
  splitHref,
  type WrittenCode,
  withPartials,
  writeCode,
  writeHeadingIds,
} from "../writing/writing.ts";
import { readMenu } from "./menu.ts";
import { type PublishedPage, readPages } from "./pages.ts";
import { type NextraSettings, readSettings } from "./settings.ts";

/** Nextra 4, with pages in `content` and in `app`. */
export const nextra: GeneratorAdapter = {
  name: "Nextra",
  roots: (tree) => rootsIn(SITE_FILES.nextra, tree.files),
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: NextraSettings): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readPages(tree, settings);
  if (pages.length === 0) return undefined;
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return {
    generator: "Nextra",
    root: settings.root,
    language: settings.languages[0],
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf(settings, path) })),
    leftOut,
    menu: await readMenu(tree, settings, pages),
    redirects: settings.redirects,
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage({ tree, settings, byPath }, page);
    },
  };
}

function editionOf({ contentBase, languages }: NextraSettings, path: string): PageEdition {
  const language = languages.find((each) => `${path}/`.startsWith(`${joinLocation(contentBase, each)}/`));
  if (language === undefined) return {};
  return { language, topic: path.slice(joinLocation(contentBase, language).length + 1) };
}

interface Surroundings {
  tree: DocsTree;
  settings: NextraSettings;
  byPath: ReadonlyMap<string, PublishedPage>;
}

async function readPage(surroundings: Surroundings, page: PublishedPage): Promise<ReadDocsPage> {
  const { tree, settings } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(page.location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const locate = (location: string, specifier: string) =>
    specifier.startsWith(".")
      ? resolveLocation(folderOf(location), specifier)
      : /^[@~]?\//.test(specifier)
        ? joinLocation(settings.root, specifier.replace(/^[@~]?\//, ""))
        : undefined;
  const whole = await withPartials({ tree, locate }, page.location, body, { faults });
  const slugger = createSlugger("github");
  const read = unwrapMdx(readBlocks(whole, slugger), data);
  const linked = rewriteLinks(read.markdown, (href) => publishedHref(surroundings, page, href));
  const named = writeHeadingIds(linked, ({ level, words, given }) =>
    level === 1 ? "" : (given ?? slugger.unique(words)),
  );
  return { data: { ...data, title: page.title }, markdown: named, faults: [...faults, ...read.faults] };
}

/** Where a link leads: Nextra takes the extension of files off, and the rest is as browsers resolve it. */
function publishedHref({ byPath }: Surroundings, page: PublishedPage, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const bare = target.replace(/\.mdx?$/, "");
  const place = (from: string) => resolveLocation(from, bare)?.replace(/(?:^|\/)index$/, "");
  if (target.startsWith("/")) {
    const path = place("");
    return path !== undefined && byPath.has(path) ? `/${path}${rest}` : undefined;
  }
  const published = place(folderOf(page.path));
  // From the page of a folder, writers mean the files beside it.
  const meant = published !== undefined && byPath.has(published) ? published : place(page.folder);
  const found = meant !== undefined && byPath.has(meant) ? meant : published;
  return found === undefined ? undefined : `/${found}${rest}`;
}

const TABS = /<Tabs\s+items=\{\[([^\]]*)\]\}/;
const TAB = /<Tabs\.Tab\b/g;
const GIVEN = /^(|.+?(?<![ \t]))[ \t]*\[#([^\]]{1,300})\]$/;
const HEADING = /^([ \t>]*)(#{2,6})[ \t]+(\S.*?)(?<![ \t])[ \t]*$/;

/** A page with its tabs and its code as other pages have them. The labels of tabs use up ids of headings. */
function readBlocks(markdown: string, slugger: Slugger): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  let labels: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code !== undefined) {
      written.push(...codeOf(code));
      at += code.length;
      continue;
    }
    const line = lines[at] ?? "";
    const items = TABS.exec(line)?.[1];
    if (items !== undefined)
      labels = [...items.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? "");
    written.push(
      withId(line, slugger)
        .replace(TABS, "<Tabs")
        .replace(TAB, (tag) => {
          const label = labels.shift();
          if (label === undefined) return tag;
          slugger.unique(label);
          return `${tag} title="${label.replaceAll('"', "'")}"`;
        }),
    );
    at += 1;
  }
  return written.join("\n");
}

/** A heading with its id: one that its author chose is made into one as all others are. */
function withId(line: string, slugger: Slugger): string {
  const [whole, indent = "", marks = "", source = ""] = HEADING.exec(line) ?? [];
  if (whole === undefined) return line;
  const [, words = source, given] = GIVEN.exec(source) ?? [];
  return `${indent}${marks} ${words} {#${slugger.unique(given ?? inlineText(words).trim())}}`;
}

/** Code with its language alone; the name of its file is written above it. */
function codeOf({ indent, info, lines }: WrittenCode): string[] {
  const language = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const name = /\bfilename=(?:"([^"]*)"|'([^']*)')/.exec(info);
  const title = name?.[1] ?? name?.[2] ?? "";
  const shown = shownCode(language, lines);
  const code = writeCode(shown.language, shown.lines, indent);
  return title === "" ? code : [`${indent}**${title.replaceAll("*", "\\*")}**`, "", ...code];
}
