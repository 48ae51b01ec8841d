import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, nameOf } from "../docs-tree.ts";
import { type NameHeading, rewriteLinks, splitHref, writeCode, writeHeadingIds } from "../writing/writing.ts";
import { type ExtraPage, type Extras, isPlainText, readExtras, textToId } from "./extras.ts";
import { readAttributes, withoutMark, writeBlocks, writeReferences } from "./markup.ts";
import { type References, readReferences } from "./references.ts";
import { type ExDocSettings, exdocRoots, readSettings } from "./settings.ts";

/** ExDoc: the pages that a project of Elixir has beside those of its modules. */
export const exdoc: GeneratorAdapter = {
  name: "ExDoc",
  roots: exdocRoots,
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

/** Configurations of other generators: docs of them are more than the files that every repository has. */
const OTHERS =
  /(?:^|\/)(?:docusaurus\.config\.[jt]s|mkdocs\.ya?ml|conf\.py|book\.toml|astro\.config\.m?[jt]s|hugo\.(?:toml|ya?ml)|antora\.yml|\.vitepress\/config\.m?[jt]s)$/;
const OF_REPOSITORY = /^[A-Z_]+(?:\.md|\.txt)?$/;

async function openSite(tree: DocsTree, settings: ExDocSettings): Promise<DocsSite | undefined> {
  const extras = await readExtras(tree, settings);
  const { pages, menu, leftOut } = extras;
  const isOnlyRepository = pages.every(({ location }) => OF_REPOSITORY.test(nameOf(location)));
  if (pages.length === 0 || (isOnlyRepository && tree.files.some((file) => OTHERS.test(file))))
    return undefined;
  const source: PageSource = {
    byName: byName(extras),
    byLocation: new Map(pages.map((page) => [page.location, page])),
    references: readReferences(tree, settings),
  };
  return {
    generator: "ExDoc",
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu,
    redirects: redirectsOf(settings, pages),
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = source.byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(source, page, (await tree.text(location)) ?? "");
    },
  };
}

interface PageSource {
  /** Links name files without their folders. */
  byName: ReadonlyMap<string, ExtraPage>;
  byLocation: ReadonlyMap<string, ExtraPage>;
  references: Promise<References>;
}

/** Of files that are called the same in different folders, links lead to the last. */
const byName = ({ pages }: Extras) => new Map(pages.map((page) => [nameOf(page.location), page]));

async function readPage(source: PageSource, page: ExtraPage, text: string): Promise<ReadDocsPage> {
  if (isPlainText(page.location)) {
    const markdown = writeCode("", text.trimEnd().split("\n")).join("\n");
    return { data: { title: page.title }, markdown, faults: [] };
  }
  // ExDoc has no front matter, but Docent's own says who may read a page.
  const { data: own, body, fault } = splitFrontMatter(text);
  const data = { ...own, title: page.title };
  const { hrefOf } = await source.references;
  const named = writeHeadingIds(readAttributes(body), createHeadingNames());
  const linked = rewriteLinks(writeReferences(named, hrefOf), (href) => publishedHref(source, href));
  return { data, markdown: writeBlocks(linked), faults: fault === undefined ? [] : [fault] };
}

/** Headings of the second and third level have ids; a repeated one is `a-1`. */
function createHeadingNames(): NameHeading {
  const counts = new Map<string, number>();
  return ({ level, words, given, isInTag }) => {
    if (given !== undefined && !isInTag) return given;
    if (level !== 2 && level !== 3) return "";
    const id = textToId(withoutMark(words));
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** A link to a file leads to the page that is made of it, wherever that lies; all pages stand beside each other. */
function publishedHref({ byName }: PageSource, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const page = byName.get(nameOf(target));
  if (page !== undefined) return `/${page.path}${rest}`;
  return /^(?:\.\/)?[^/]+\.html$/.test(target)
    ? `/${encodeURI(target.replace(/^\.\//, ""))}${rest}`
    : undefined;
}

function redirectsOf(
  { main, redirects }: ExDocSettings,
  pages: readonly ExtraPage[],
): { from: string; to: string }[] {
  const paths = new Set(pages.map(({ path }) => path));
  const home =
    main === undefined || redirects.some(({ from }) => from === "index") ? [] : [{ from: "index", to: main }];
  return [...home, ...redirects].flatMap(({ from, to }) => {
    const [name = "", anchor] = to.split("#", 2);
    const path = `${name}.html`;
    if (!paths.has(path)) return [];
    const target = anchor === undefined ? path : `${path}#${anchor}`;
    return [{ from: from === "index" ? "" : `${from}.html`, to: target }];
  });
}
