import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { slug } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { readOrg } from "../../markdown/org/org.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { encodePath } from "../../page/page-path.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { createPaths, menuOfLinks, menuOfTree, pathsIn } from "../wiki-writing/wiki-writing.ts";
import { eachOutsideCode, rewriteLinks, splitHref, titleOf } from "../writing/writing.ts";

/** The wikis of GitHub, GitLab and Gitea: a repository of files in Markdown, of GitHub in Org too, the first of which is called Home. */
export const gitWiki: GeneratorAdapter = {
  name: "Git wiki",
  roots: (tree) =>
    tree.files
      .filter((file) => HOME.test(nameOf(file)))
      .map(folderOf)
      .filter((folder) => hasParts(tree, folder) || isAlone(tree, folder)),
  async open(tree, root) {
    const wiki = await readWiki(tree, root);
    const isKnown = hasParts(tree, root) || (await hasWikiLinks(tree, wiki));
    return isKnown ? openSite(tree, wiki) : undefined;
  },
};

const HOME = /^home\.(?:md|markdown|org)$/i;
const ORG = /\.org$/i;
const ORG_LINK = /\[\[([^[\]|:#*\n]{1,300})\](?:\[([^[\]\n]{1,300})\])?\]/g;
const PAGE = /\.(?:md|markdown|org)$/i;
/** What stands on all pages, as these wikis call it. Docsify has a `_sidebar.md` as well, in small letters. */
const PARTS = ["_Sidebar.md", "_Footer.md", "_Header.md"];
/** GitLab keeps files in folders that are named by a checksum. */
const UPLOAD = /^uploads\/[0-9a-f]{32}\//;

const hasParts = (tree: DocsTree, folder: string) =>
  PARTS.some((name) => tree.has(joinLocation(folder, name))) ||
  tree
    .below(joinLocation(folder, "uploads"))
    .some((file) => UPLOAD.test(folder === "" ? file : file.slice(folder.length + 1)));

/** Whether there is nothing that other repositories of docs have. */
const isAlone = (tree: DocsTree, folder: string) =>
  (tree.has(joinLocation(folder, "Home.md")) || tree.has(joinLocation(folder, "Home.org"))) &&
  tree
    .below(folder)
    .every(
      (file) => !/^(?:readme\.\w+|index\.\w+|.*\.(?:json|ya?ml|toml|html|[jt]sx?))$/i.test(nameOf(file)),
    );

interface WikiPage {
  location: string;
  /** Its place below the wiki's folder, without the extension. */
  place: string;
  path: string;
  title: string;
}

interface Wiki {
  root: string;
  pages: WikiPage[];
  leftOut: LeftOut[];
  byKey: ReadonlyMap<string, WikiPage>;
}

/** What pages are looked up by: spaces are dashes, and letters may be large or small. */
const keyOf = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .replace(PAGE, "");

async function readWiki(tree: DocsTree, root: string): Promise<Wiki> {
  const nameIt = createPaths();
  const pages: WikiPage[] = [];
  const leftOut: LeftOut[] = [];
  for (const location of tree.below(root)) {
    if (!PAGE.test(location)) continue;
    const place = stemOf(root === "" ? location : location.slice(root.length + 1));
    const why = reasonFor(place);
    if (why !== undefined) leftOut.push({ location, detail: why });
    else {
      const { data } = await contentOf(tree, location);
      const title = titleOf(data, "") ?? nameOf(place).replaceAll("-", " ");
      const isHome = /^home$/i.test(place) && !pages.some(({ path }) => path === "");
      pages.push({ location, place, title, path: isHome ? "" : nameIt(place.split("/"), place) });
    }
  }
  const byName = pages.map((page): [string, WikiPage] => [keyOf(nameOf(page.place)), page]);
  const byPlace = pages.map((page): [string, WikiPage] => [keyOf(page.place), page]);
  // A whole place comes before a name alone, which GitHub looks for in all folders.
  return { root, pages, leftOut, byKey: new Map([...byName.toReversed(), ...byPlace]) };
}

/** What a page is called, and what it says, as Markdown. */
async function contentOf(
  tree: DocsTree,
  location: string,
  byKey: Wiki["byKey"] = new Map(),
): Promise<Pick<ReturnType<typeof splitFrontMatter>, "data" | "body" | "fault">> {
  const text = (await tree.text(location)) ?? "";
  if (!ORG.test(location)) return splitFrontMatter(text);
  // A wiki's page is named as it is in Markdown: without its extension.
  const linked = text.replace(ORG_LINK, (whole, name: string, label: string | undefined) =>
    byKey.has(keyOf(name)) ? `[[./${name.trim().replace(/\s+/g, "-")}.org][${label ?? name}]]` : whole,
  );
  const { title, markdown } = readOrg(linked.replace(/\r\n?/g, "\n"));
  return { data: title === undefined ? {} : { title }, body: markdown };
}

function reasonFor(place: string): string | undefined {
  if (/^_(?:sidebar|footer|header)$/i.test(nameOf(place))) return "is a part of all pages";
  return place.startsWith("templates/") ? "is a template for new pages" : undefined;
}

const LOOKED_AT = 50;

async function hasWikiLinks(tree: DocsTree, { pages, byKey }: Wiki): Promise<boolean> {
  for (const { location } of pages.slice(0, LOOKED_AT))
    for (const [, inner = ""] of ((await tree.text(location)) ?? "").matchAll(WIKI_LINK))
      if (inner.split("|").some((part) => byKey.has(keyOf(part.split("#", 1)[0] ?? "")))) return true;
  return false;
}

async function openSite(tree: DocsTree, wiki: Wiki): Promise<DocsSite> {
  const { root, pages, leftOut } = wiki;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  return {
    generator: "Git wiki",
    root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: await readMenu(tree, wiki),
    redirects: [],
    unknowns: [],
    read: (page) => readPage(tree, wiki, byLocation.get(page.location), page),
  };
}

async function readPage(
  tree: DocsTree,
  wiki: Wiki,
  own: WikiPage | undefined,
  { location }: DocsPage,
): Promise<ReadDocsPage> {
  if (own === undefined) throw new Error(`${location} is no page of this wiki`);
  const { data, body, fault } = await contentOf(tree, location, wiki.byKey);
  const markdown = withLinks(tree, wiki, own.place, body);
  return { data: { ...data, title: own.title }, markdown, faults: fault === undefined ? [] : [fault] };
}

/** The menu of `_Sidebar.md`, and below it all other pages by their folders. */
async function readMenu(tree: DocsTree, wiki: Wiki): Promise<MenuEntry[]> {
  const sidebar = ["_Sidebar.md", "_sidebar.md"].map((name) => joinLocation(wiki.root, name)).find(tree.has);
  const text = sidebar === undefined ? "" : ((await tree.text(sidebar)) ?? "");
  const titles = new Map(wiki.pages.map(({ path, title }) => [path, title]));
  const made = menuOfLinks(withLinks(tree, wiki, "", text), titles);
  const named = pathsIn(made);
  const home = wiki.pages.find(({ path }) => path === "" && !named.has(path));
  const rest = wiki.pages.filter(({ path }) => path !== "" && !named.has(path));
  return [
    ...(home === undefined ? [] : [{ label: home.title, path: "", children: [] }]),
    ...made,
    ...menuOfTree(
      rest.map(({ place, title, path }) => ({
        titles: place.split("/").map((name) => name.replaceAll("-", " ")),
        label: title,
        path,
      })),
    ),
  ];
}

const WIKI_LINK = /(?<!\\)\[\[([^[\]\n]{1,500})\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;

/** A page's Markdown with its links leading to pages. */
function withLinks(tree: DocsTree, wiki: Wiki, place: string, body: string): string {
  const plain = eachOutsideCode(body, (text) =>
    text.replace(WIKI_LINK, (whole, inner: string) => writeLink(tree, wiki, place, inner) ?? whole),
  );
  return rewriteLinks(plain, (href) => hrefOf(wiki, place, href));
}

/** `[[Label|Page]]`, or the other way round: which of them is the page is known from the pages. */
function writeLink(tree: DocsTree, wiki: Wiki, place: string, inner: string): string | undefined {
  const parts = inner.split("|").map((part) => part.trim());
  const [first = "", second] = parts;
  const file = parts.find((part) => IMAGE.test(part));
  if (file !== undefined) return imageOf(tree, wiki, file, parts.find((part) => part !== file) ?? "");
  if (/^https?:\/\/[^\s<>]+$/i.test(second ?? first)) return `[${escapeLabel(first)}](<${second ?? first}>)`;
  for (const target of second === undefined ? [first] : [second, first]) {
    const [name = "", anchor = ""] = target.split(/#(.*)/s);
    const page = pageAt(wiki, place, name);
    if (page === undefined && !(name === "" && anchor !== "")) continue;
    const label = second === undefined ? target : target === second ? first : second;
    const fragment = anchor === "" ? "" : `#${encodePath(slug(anchor))}`;
    return `[${escapeLabel(label)}](${page === undefined ? "" : `/${encodePath(page.path)}`}${fragment})`;
  }
  // A page that nobody has written yet.
  return escapeLabel(first);
}

function imageOf(tree: DocsTree, { root }: Wiki, file: string, said: string): string {
  const location = resolveLocation(root, file.replace(/^\//, ""));
  const alt = escapeLabel(/^alt\s*=\s*(.*)$/i.exec(said)?.[1] ?? (said.includes("=") ? "" : said));
  return location !== undefined && tree.has(location) ? `![${alt}](/${encodePath(location)})` : alt;
}

/** The page that a name means: below the page's folder, or anywhere. */
function pageAt({ byKey }: Wiki, place: string, name: string): WikiPage | undefined {
  if (name.trim() === "") return undefined;
  const target = name.replace(/^\.?\//, "");
  const beside = name.startsWith("/") ? undefined : resolveLocation(folderOf(place), name);
  return (beside === undefined ? undefined : byKey.get(keyOf(beside))) ?? byKey.get(keyOf(target));
}

function hrefOf(wiki: Wiki, place: string, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  // What is written by a label before may be rewritten already.
  const page =
    pageAt(wiki, place, target) ?? pageAt(wiki, place, target.replace(/^(?:\.\.\/|\/)?wikis?\//, ""));
  return page === undefined ? undefined : `/${encodePath(page.path)}${rest}`;
}
