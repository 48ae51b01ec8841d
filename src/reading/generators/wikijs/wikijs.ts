import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { encodePath } from "../../page/page-path.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { markdownOf, menuOfTree, withoutReserved } from "../wiki-writing/wiki-writing.ts";
import { eachOutsideCode, rewriteLinks, splitHref } from "../writing/writing.ts";

/** Wiki.js, by the files that its storages "git" and "local file system" write. */
export const wikijs: GeneratorAdapter = {
  name: "Wiki.js",
  roots: (tree) => tree.files.filter((file) => /^home\.(?:md|html)$/.test(nameOf(file))).map(folderOf),
  async open(tree, root) {
    const home = ["home.md", "home.html"].map((name) => joinLocation(root, name)).find(tree.has);
    const written = home === undefined ? undefined : readFile((await tree.text(home)) ?? "", home);
    return written === undefined || !isOfWikijs(written.data) ? undefined : openSite(tree, root);
  },
};

/** What Wiki.js writes above every page. */
const isOfWikijs = (data: Readonly<Record<string, unknown>>) =>
  ["title", "published", "editor", "dateCreated"].every((name) => name in data);

interface WrittenFile {
  data: Record<string, unknown>;
  body: string;
}

/** HTML has in a comment what Markdown has between dashes. */
function readFile(text: string, location: string): WrittenFile {
  if (!location.endsWith(".html")) return splitFrontMatter(text);
  const [whole, said = ""] = /^\uFEFF?<!--\s*\n([\s\S]{0,10000}?)\n-->/.exec(text) ?? [];
  if (whole === undefined) return { data: {}, body: text };
  return { data: splitFrontMatter(`---\n${said}\n---\n`).data, body: text.slice(whole.length) };
}

interface WikiPage {
  location: string;
  path: string;
  title: string;
}

async function openSite(tree: DocsTree, root: string): Promise<DocsSite> {
  const pages: WikiPage[] = [];
  const leftOut: LeftOut[] = [];
  const paths = new Set<string>();
  for (const location of tree.below(root)) {
    if (!/\.(?:md|html)$/.test(location)) continue;
    const { data } = readFile((await tree.text(location)) ?? "", location);
    const place = stemOf(root === "" ? location : location.slice(root.length + 1));
    const path = place === "home" ? "" : place;
    if (!isOfWikijs(data))
      leftOut.push({ location, detail: "has nothing above it of what Wiki.js writes above its pages" });
    else if (data["published"] === false || data["published"] === 0)
      leftOut.push({ location, detail: "is not published" });
    else if (paths.has(path)) leftOut.push({ location, detail: "has the same address as another page" });
    else {
      const title = String(data["title"] ?? "").trim() || nameOf(place);
      pages.push({ location, path, title });
      paths.add(path);
    }
  }
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const home = pages.find(({ path }) => path === "");
  return {
    generator: "Wiki.js",
    root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: [
      ...(home === undefined ? [] : [{ label: home.title, path: "", children: [] }]),
      ...menuOfTree(
        pages
          .filter(({ path }) => path !== "")
          .map(({ path, title }) => ({ titles: path.split("/"), label: title, path })),
      ),
    ],
    redirects: [],
    unknowns: [],
    read: (page) => readPage(tree, paths, byLocation.get(page.location), page),
  };
}

/** Names of classes that stand behind a quote, a list or a heading, and say how it looks. */
const CLASSES = /(?<![ \t])[ \t]*\{(?:\.[\w-]{1,40}[ \t]*){1,5}\}[ \t]*$/gm;

async function readPage(
  tree: DocsTree,
  paths: ReadonlySet<string>,
  own: WikiPage | undefined,
  { location }: DocsPage,
): Promise<ReadDocsPage> {
  if (own === undefined) throw new Error(`${location} is no page of this wiki`);
  const { data, body } = readFile((await tree.text(location)) ?? "", location);
  const { title: _, description, tags } = data;
  const markdown = location.endsWith(".html")
    ? markdownOf(withoutReserved(body))
    : eachOutsideCode(body, (text) => text.replace(CLASSES, ""));
  const said = {
    title: own.title,
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    ...(typeof tags === "string" && tags.trim() !== ""
      ? { tags: tags.split(",").map((tag) => tag.trim()) }
      : {}),
  };
  const linked = rewriteLinks(markdown, (href) => hrefOf(paths, own.path, href));
  return { data: said, markdown: linked, faults: [] };
}

/** Links begin at the wiki's root, often with the language in front. */
function hrefOf(paths: ReadonlySet<string>, from: string, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target === "/") return undefined;
  const place = target.startsWith("/") ? target.slice(1) : resolveLocation(folderOf(from), target);
  if (place === undefined) return undefined;
  const found = [place, place.replace(/^[a-z]{2}(?:-[a-z]{2,4})?\//, "")]
    .map((each) => each.replace(/\/$/, ""))
    .map((each) => (each === "home" ? "" : each))
    .find((each) => paths.has(each));
  return found === undefined ? undefined : `/${encodePath(found)}${rest}`;
}
