import { inlineHtmlText } from "../../markdown/html/html.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { isBelow } from "../part-of-site.ts";
import type { TreeNode } from "../wiki-pages/wiki-pages.ts";

/** A page of an export: of words, or a database with its rows. */
export interface ExportNode extends TreeNode {
  kind: "markdown" | "html" | "database";
  location: string;
  /** The files that links to it name. */
  files: readonly string[];
  /** Whether it is a row of a database, which has its properties above its words. */
  isRow: boolean;
}

/** The page whose folder a file is in, or a folder above; not the one that the file is itself. */
type OwnerOf = (location: string, self?: ExportNode) => ExportNode | undefined;

/** What the exporter alone sees lies here, where more than that is exported. */
const PRIVATE = "Private & Shared";

export async function readExport(
  tree: DocsTree,
  root: string,
): Promise<{ nodes: ExportNode[]; leftOut: LeftOut[]; ownerOf: OwnerOf }> {
  const leftOut: LeftOut[] = [];
  const byId = new Map<string, ExportNode>();
  const inside = tree.below(root);
  const privateFolder = joinLocation(root, PRIVATE);
  const isPrivate = (location: string) => isBelow(location, privateFolder);
  const hasOthers = inside.some((location) => isPageName(nameOf(location)) && !isPrivate(location));
  for (const location of [...inside].sort(pagesFirst)) {
    const name = nameOf(location);
    if (name === "index.html") leftOut.push({ location, detail: "lists the pages of the export" });
    const said = exportedName(stemOf(name));
    if (said === undefined || !(isPageName(name) || isDatabaseName(name))) continue;
    const other = byId.get(said.id);
    if (hasOthers && isPrivate(location))
      leftOut.push({ location, detail: "is among the private pages of the person who made the export" });
    else if (other !== undefined) {
      other.files = [...other.files, location];
      leftOut.push({ location, detail: `shows the same as ${other.location}` });
    } else byId.set(said.id, await nodeOf(tree, location, said));
  }
  const nodes = [...byId.values()];
  return { nodes, leftOut, ownerOf: placeInFolders(nodes) };
}

/** Pages come before the tables of their databases, and those with all rows before others. */
const pagesFirst = (a: string, b: string) => rankOf(a) - rankOf(b) || collator.compare(a, b);
const rankOf = (location: string) => (!location.endsWith(".csv") ? 0 : location.endsWith("_all.csv") ? 1 : 2);
const collator = new Intl.Collator("en", { numeric: true });

async function nodeOf(
  tree: DocsTree,
  location: string,
  { id, title }: { id: string; title: string },
): Promise<ExportNode> {
  const kind = location.endsWith(".csv") ? "database" : location.endsWith(".md") ? "markdown" : "html";
  const text = kind === "database" ? "" : ((await tree.text(location)) ?? "");
  const whole = kind === "html" ? titleInHtml(text) : titleInMarkdown(text);
  return {
    id,
    kind,
    location,
    title: whole || title || "Untitled",
    parent: undefined,
    isPage: true,
    files: [location],
    isRow: false,
  };
}

/** The name of a file has the title without some signs, and not all of a long one. */
const titleInMarkdown = (text: string) =>
  plainInline(/^\uFEFF?\s*# ([^\n]{0,500})/.exec(text)?.[1] ?? "").trim();

const titleInHtml = (text: string) => {
  const at = text.indexOf('class="page-title"');
  const heading = at < 0 ? "" : text.slice(at, at + 2_000);
  return inlineHtmlText(/>([\s\S]*?)<\/h1>/.exec(heading)?.[1] ?? "")
    .replace(/\s+/g, " ")
    .trim();
};

/** What lies in a folder that is called as a page is below it: with its id, or in newer exports without. */
function placeInFolders(nodes: ExportNode[]): OwnerOf {
  const owners = new Map<string, ExportNode>();
  for (const node of nodes)
    for (const file of node.files) {
      const stem = stemOf(nameOf(file)).replace(/_all$/, "");
      const folder = folderOf(file);
      for (const name of [stem, exportedName(stem)?.title ?? stem])
        if (name !== "" && !owners.has(joinLocation(folder, name)))
          owners.set(joinLocation(folder, name), node);
    }
  const ownerOf: OwnerOf = (location, self) => {
    let folder = folderOf(location);
    while (folder !== "" && (owners.get(folder) ?? self) === self) folder = folderOf(folder);
    return owners.get(folder);
  };
  for (const node of nodes) {
    const owner = ownerOf(node.location, node);
    node.parent = owner?.id;
    node.isRow = owner?.files.some((file) => file.endsWith(".csv")) ?? false;
  }
  return ownerOf;
}

/** Notion ends the name of each page and database with its id: `Title of it 0123456789abcdef0123456789abcdef.md`. */
const WITH_ID = /^(.*?)[ _]?([0-9a-f]{32})(_all)?$/;

/** What a name says of a page or a database. */
interface ExportedName {
  /** As far as it fits into a file's name. */
  title: string;
  id: string;
  /** Whether a database is there with all of its rows, and not only with those of a view. */
  hasAllRows: boolean;
}

/** Reads a name without its ending; undefined for other files, and for folders without an id. */
function exportedName(stem: string): ExportedName | undefined {
  const [, title = "", id, all] = WITH_ID.exec(stem) ?? [];
  return id === undefined ? undefined : { title: title.trim(), id, hasAllRows: all !== undefined };
}

export const isPageName = (name: string) =>
  /\.(?:md|html)$/i.test(name) && exportedName(stemOf(name)) !== undefined;

const isDatabaseName = (name: string) => /\.csv$/i.test(name) && exportedName(stemOf(name)) !== undefined;

/** Whether a file is a page or a database of an export. */
export const isExportedName = (location: string) =>
  isPageName(nameOf(location)) || isDatabaseName(nameOf(location));

/** A large export is a zip of zips: `ExportBlock-…-Part-1.zip`. */
export const isZipPart = (name: string) => /(?:^|[-_ ])Part-\d+\.zip$/i.test(name);

/** The letters and digits of a title, by which a name without the signs that no file may have is compared. */
export const bareTitle = (title: string) =>
  title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
