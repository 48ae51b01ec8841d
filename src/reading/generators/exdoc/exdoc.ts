import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, nameOf } from "../docs-tree.ts";
import { type NameHeading, rewriteLinks, splitHref, writeCode, writeHeadingIds } from "../writing/writing.ts";
import { type ExtraPage, type Extras, isPlainText, readExtras, textToId } from "./extras.ts";
import { readAttributes, withoutMark, writeBlocks, writeReferences } from "./markup.ts";
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

/** A module of the project that has a page. */
interface ModulePage {
  isHidden: boolean;
  /** What it has, by kind and name: "f:run", "t:option", "c:init". */
  members: Set<string>;
}

/** Where references lead: to modules of the project, and to what they have. */
interface References {
  /** Its address; undefined where nothing of this project is meant. */
  hrefOf(reference: string): string | undefined;
}

const FILES_MAX = 5_000;
const NESTED_MAX = 20;
const MODULE = /^(\s*)def(?:module|protocol|exception)\s+([A-Z][\w.]*)\s+do\b/;
const MEMBER =
  /^\s*(?:(def|defmacro|defdelegate|defguard)\s+|@(type|opaque|callback|macrocallback)\s+)([a-z_]\w*[?!]?)/;

/** The modules that are written in the project's programs. What macros make is not known. */
async function readReferences(tree: DocsTree, { root, hasAllModules }: ExDocSettings): Promise<References> {
  const modules = new Map<string, ModulePage>();
  const start = root === "" ? 0 : root.length + 1;
  const files = tree
    .below(root)
    .filter((file) => file.endsWith(".ex") && /^(?:apps\/[^/]+\/)?lib\//.test(file.slice(start)));
  if (hasAllModules)
    for (const file of files.slice(0, FILES_MAX)) readModules((await tree.text(file)) ?? "", modules);
  return { hrefOf: (reference) => hrefOf(modules, reference) };
}

function readModules(text: string, modules: Map<string, ModulePage>): void {
  const open: { indent: number; name: string }[] = [];
  let quotes: string | undefined;
  let isHidden = false;
  for (const line of text.split("\n")) {
    if (quotes === undefined && /^\s*@(?:doc|typedoc)\b/.test(line))
      isHidden = /^\s*@\w+\s+false\b/.test(line);
    const marks = line.match(/"""|'''/g) ?? [];
    if (quotes !== undefined || marks.length > 0) {
      if (marks.length % 2 === 1) quotes = quotes === undefined ? marks[0] : undefined;
      continue;
    }
    const [whole, indent = "", name = ""] = MODULE.exec(line) ?? [];
    if (whole !== undefined) {
      while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
      const above = open.at(-1)?.name;
      const full = above === undefined ? name : `${above}.${name}`;
      if (open.length < NESTED_MAX) open.push({ indent: indent.length, name: full });
      modules.set(full, { isHidden: false, members: new Set() });
      isHidden = false;
      continue;
    }
    const shift = /^\s*/.exec(line)?.[0].length ?? 0;
    while (line.trim() !== "" && open.length > 1 && shift <= (open.at(-1)?.indent ?? 0)) open.pop();
    const current = modules.get(open.at(-1)?.name ?? "");
    if (current === undefined) continue;
    if (/^\s*@moduledoc\s+false\b/.test(line)) current.isHidden = true;
    const [, defined, said = "", member] = MEMBER.exec(line) ?? [];
    if (member === undefined) continue;
    const kind = defined !== undefined ? "f" : said.endsWith("callback") ? "c" : "t";
    if (!isHidden) current.members.add(`${kind}:${member}`);
    if (!isHidden || defined === undefined) isHidden = false;
  }
}

const MEMBER_REFERENCE = /^([ct]:)?(?:([A-Z][\w.]*)\.)([a-z_]\w*[?!]?)\/(\d+)(#.*)?$/;
const MODULE_REFERENCE = /^(?:m:)?([A-Z]\w*(?:\.[A-Z]\w*)*)(#.*)?$/;
const TASK = /^mix (?:help )?([a-z]\w*(?:\.[a-z]\w*)*)$/;

function hrefOf(modules: ReadonlyMap<string, ModulePage>, reference: string): string | undefined {
  const [member, prefix = "", of = "", name = "", arity = "", place = ""] =
    MEMBER_REFERENCE.exec(reference) ?? [];
  if (member !== undefined) {
    const isThere = modules.get(of)?.members.has(`${prefix.slice(0, 1) || "f"}:${name}`) === true;
    const rest = place === "" ? "" : `-${place.slice(1)}`;
    return isThere && isShown(modules, of)
      ? `/${of}.html#${prefix}${encodeURI(name)}/${arity}${rest}`
      : undefined;
  }
  const [, module, anchor = ""] = MODULE_REFERENCE.exec(reference) ?? [];
  if (module !== undefined) return isShown(modules, module) ? `/${module}.html${anchor}` : undefined;
  const task = TASK.exec(reference)?.[1];
  if (task === undefined) return undefined;
  const named = `Mix.Tasks.${task.split(".").map(camelized).join(".")}`;
  return isShown(modules, named) ? `/${named}.html` : undefined;
}

const isShown = (modules: ReadonlyMap<string, ModulePage>, name: string) =>
  modules.get(name)?.isHidden === false;

const camelized = (word: string) =>
  word.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
