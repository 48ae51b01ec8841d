import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { MenuEntry } from "../../page/menu.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, LeftOut, ReadDocsPage, Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  createPaths,
  menuOfLinks,
  menuOfTree,
  pathsIn,
  withoutReserved,
} from "../wiki-writing/wiki-writing.ts";
import { CLOSED, ignoresAcl, OPEN, type ReadRights, readAcl } from "./acl.ts";
import { cleanId, lastOf, namespaceOf, resolveId } from "./ids.ts";
import type { InlineContext } from "./inline.ts";
import { titleIn, writeMarkup } from "./markup.ts";

/** DokuWiki, by its folder: pages are text files below `data/pages`. */
export const dokuwiki: GeneratorAdapter = {
  name: "DokuWiki",
  knowsRights: true,
  roots(tree) {
    const folders = rootsIn(SITE_FILES.dokuwiki, tree.files).map((folder) => wikiAbove(tree, folder));
    return [...new Set([...folders, ...rootsIn(SITE_FILES.dokuwikiFolder, tree.files)])];
  },
  async open(tree, root) {
    const data = tree.below(joinLocation(root, "pages")).length > 0 ? root : joinLocation(root, "data");
    const wiki = await readWiki(tree, root, data);
    return wiki === undefined ? undefined : openSite(tree, root, wiki);
  },
};

/** The folder of the whole wiki, where that is in the source as well: there the rights of readers lie. */
function wikiAbove(tree: DocsTree, data: string): string {
  const above = folderOf(data);
  const isWhole = nameOf(data) === "data" && tree.below(joinLocation(above, "conf")).length > 0;
  return isWhole || (nameOf(data) === "data" && above === "") ? above : data;
}

interface WikiPage {
  /** Its whole name: "ops:servers:start". */
  id: string;
  location: string;
  path: string;
  title: string;
}

interface Wiki {
  /** The folder of its pages, and that of its media. */
  folder: string;
  media: string;
  start: string;
  pages: WikiPage[];
  byId: ReadonlyMap<string, WikiPage>;
  titles: ReadonlyMap<string, string>;
  leftOut: LeftOut[];
  unknowns: Unknown[];
  rights: ReadRights;
  holdsRestricted: boolean;
}

const LOOKED_AT = 30;
const NOT_READ = "is not for everyone: the rights of the wiki let only some read it";

/** Reads what pages there are; undefined where none of them is written as DokuWiki's are. */
async function readWiki(tree: DocsTree, root: string, data: string): Promise<Wiki | undefined> {
  const folder = joinLocation(data, "pages");
  const files = tree.below(folder).filter((file) => file.endsWith(".txt"));
  const { rights, unknowns } = await readRights(tree, root);
  const start = await startName(tree, root);
  const leftOut: LeftOut[] = [];
  const found: { id: string; location: string; text: string }[] = [];
  let isRecognized = tree.has(joinLocation(root, "doku.php"));
  let holdsRestricted = false;
  for (const [index, location] of files.entries()) {
    const id = decodePercent(location.slice(folder.length + 1, -".txt".length)).replaceAll("/", ":");
    const why = reasonFor(id);
    const isForAll = rights.isForAll(id);
    holdsRestricted ||= !isForAll;
    const isNeeded = isForAll && why === undefined;
    if (!isForAll) leftOut.push({ location, detail: NOT_READ, isRestricted: true });
    else if (why !== undefined) leftOut.push({ location, detail: why });
    const text = isNeeded || (!isRecognized && index < LOOKED_AT) ? await tree.text(location) : undefined;
    isRecognized ||= titleIn(text ?? "") !== undefined;
    if (isNeeded) found.push({ id, location, text: text ?? "" });
  }
  if (!isRecognized) return undefined;
  const pages = placed(found, start);
  return {
    folder,
    media: joinLocation(data, "media"),
    start,
    pages,
    byId: new Map(pages.map((page) => [page.id, page])),
    titles: new Map(pages.map(({ path, title }) => [path, title])),
    leftOut,
    unknowns,
    rights,
    holdsRestricted,
  };
}

/** Why a page is none of the docs, by its name. */
export function reasonFor(id: string): string | undefined {
  const last = lastOf(id);
  if (/^(?:wiki|playground)(?::|$)/.test(id)) return "belongs to DokuWiki itself";
  if (
    /^(?:sidebar|rightsidebar|topheader|header|footer|pageheader|pagefooter|navbar|dropdownpage|mainnav)$/.test(
      last,
    )
  )
    return "is a part of all pages";
  if (last.startsWith("_") || last === "c_template" || last === "i_template")
    return "is a template for new pages";
  return undefined;
}

async function readRights(
  tree: DocsTree,
  root: string,
): Promise<{ rights: ReadRights; unknowns: Unknown[] }> {
  const acl = tree.below(root).find((file) => nameOf(file) === "acl.auth.php");
  if (acl === undefined)
    return {
      rights: OPEN,
      unknowns: [
        {
          question: "Which pages may everyone read? The wiki's conf/acl.auth.php is not in this source.",
          guess: "all of them",
        },
      ],
    };
  const settings = (await tree.text(joinLocation(folderOf(acl), "local.php"))) ?? "";
  const text = await tree.text(acl);
  if (ignoresAcl(settings)) return { rights: OPEN, unknowns: [] };
  return { rights: text === undefined ? CLOSED : readAcl(text), unknowns: [] };
}

/** What the first page of a namespace is called. */
async function startName(tree: DocsTree, root: string): Promise<string> {
  const settings = (await tree.text(joinLocation(root, "conf/local.php"))) ?? "";
  return /\$conf\[['"]start['"]\]\s*=\s*['"]([\w-]{1,50})['"]/.exec(settings)?.[1] ?? "start";
}

function placed(found: readonly { id: string; location: string; text: string }[], start: string): WikiPage[] {
  const nameIt = createPaths();
  const isStart = ({ id }: { id: string }) => lastOf(id) === start;
  // A page that is called as its namespace has the plain address.
  const ordered = [...found.filter((page) => !isStart(page)), ...found.filter(isStart)];
  const names = new Set(found.map(({ id }) => id));
  return ordered
    .map(({ id, location, text }): WikiPage => {
      const namespace = namespaceOf(id);
      const title = titleIn(text) ?? lastOf(id).replaceAll("_", " ");
      if (id === start) return { id, location, title, path: "" };
      const isOfNamespace = lastOf(id) === start && !names.has(namespace);
      const parts = (isOfNamespace ? namespace : id).split(":").map((name) => name.replaceAll("_", " "));
      return { id, location, title, path: nameIt(parts, id) };
    })
    .sort((a, b) => (a.location < b.location ? -1 : 1));
}

async function openSite(tree: DocsTree, root: string, wiki: Wiki): Promise<DocsSite> {
  const byLocation = new Map(wiki.pages.map((page) => [page.location, page]));
  return {
    generator: "DokuWiki",
    root,
    pages: wiki.pages.map(({ location, path }) => ({ location, path })),
    leftOut: wiki.leftOut,
    menu: await readMenu(tree, wiki),
    redirects: [],
    unknowns: wiki.unknowns,
    holdsRestricted: wiki.holdsRestricted,
    read: (page) => readPage(tree, wiki, byLocation.get(page.location), page),
  };
}

/** The page that is shown beside all others as a menu, where it has links; below it, all other pages by their namespaces. */
async function readMenu(tree: DocsTree, wiki: Wiki): Promise<MenuEntry[]> {
  const { pages, start, folder } = wiki;
  const sidebar = joinLocation(folder, "sidebar.txt");
  const text = wiki.rights.isForAll("sidebar") ? await tree.text(sidebar) : undefined;
  const byPath = new Map(pages.map((page) => [page.path, page.title]));
  const made = text === undefined ? [] : menuOfLinks(writeMarkup(contextOf(tree, wiki, ""), text), byPath);
  const named = pathsIn(made);
  const main = named.has("") ? undefined : byPath.get("");
  const rest = pages.filter(({ path }) => path !== "" && !named.has(path));
  return [
    ...(main === undefined ? [] : [{ label: main, path: "", children: [] }]),
    ...made,
    ...menuOfTree(
      rest.map(({ id, title, path }) => {
        const names = id.split(":").map((name) => name.replaceAll("_", " "));
        return { titles: lastOf(id) === start ? names.slice(0, -1) : names, label: title, path };
      }),
    ),
  ];
}

const contextOf = (tree: DocsTree, wiki: Wiki, namespace: string): InlineContext => ({
  pathOf: (written) => pathOf(wiki, resolveId(written, namespace)),
  titleOf: (path) => wiki.titles.get(path),
  mediaOf: (written) => mediaOf(tree, wiki, resolveId(written, namespace)),
  tags: new Set(),
  kept: [],
  notes: [],
});

async function readPage(
  tree: DocsTree,
  wiki: Wiki,
  own: WikiPage | undefined,
  { location }: DocsPage,
): Promise<ReadDocsPage> {
  if (own === undefined) throw new Error(`${location} is no page of this wiki`);
  const text = withoutReserved((await tree.text(location)) ?? "");
  const context = contextOf(tree, wiki, namespaceOf(own.id));
  const markdown = writeMarkup(context, text);
  const tags = [...context.tags];
  return { data: { title: own.title, ...(tags.length > 0 ? { tags } : {}) }, markdown, faults: [] };
}

/** The page that a whole name means, whether it is written with its accents or without. */
function pathOf({ byId, start }: Wiki, written: string): string | undefined {
  const isNamespace = written.endsWith(":") || written === "";
  for (const keepsAccents of [true, false]) {
    const id = cleanId(written, { keepsAccents });
    const inside = id === "" ? start : `${id}:${start}`;
    const places = isNamespace ? [inside, `${id}:${lastOf(id)}`, id] : [id, inside];
    for (const place of places) {
      const page = byId.get(place);
      if (page !== undefined) return page.path;
    }
  }
  return undefined;
}

function mediaOf(tree: DocsTree, { media, rights }: Wiki, written: string): string | undefined {
  for (const keepsAccents of [true, false]) {
    const id = cleanId(written, { keepsAccents });
    const place = joinLocation(media, id.replaceAll(":", "/"));
    if (tree.has(place) && rights.isForAll(id)) return place;
  }
  return undefined;
}
