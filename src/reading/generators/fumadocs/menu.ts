import { asList, asRecord, asText } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { readConfig } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { type FumadocsPage, type Loaded, nameTitle } from "./pages.ts";

/** What a menu is made of, with the folder that each is shown in. */
type Node =
  | { kind: "page"; label: string; path: string }
  | { kind: "link"; label: string; href: string }
  | { kind: "separator"; label: string | undefined }
  | FolderNode;

interface FolderNode {
  kind: "folder";
  label: string;
  index: Node | undefined;
  children: Node[];
}

interface FolderSaid {
  title: string | undefined;
  pages: string[] | undefined;
  isRoot: boolean;
}

/** One menu while it is made. */
interface Making {
  /** The pages by their places with and without their extensions. */
  pages: ReadonlyMap<string, FumadocsPage>;
  saidBy: ReadonlyMap<string, FolderSaid>;
  /** What is right in a folder: places of pages, and of folders. */
  inside: ReadonlyMap<string, readonly string[]>;
  nodes: Map<string, Node>;
  /** The folders that are being made, which may name themselves. */
  open: Set<Node>;
  owners: Map<Node, { folder: string; priority: number }>;
  /** What may still go into the menu: a few lines can repeat all pages again and again. */
  left: { entries: number };
}

const ENTRIES_MAX = 50_000;

const LINK = /^(?:external:)?(?:\[[^\]]+\])?\[([^\]]+)\]\(([^)]+)\)$/;
const SEPARATOR = /^---(?:\[[^\]]+\])?(.+)---$|^---$/;
const REST = ["...", "z...a"];
/** What a folder itself names belongs to it before what is there by its place. */
const NAMED = 2;

/** The menu of a loader: that of its main language, and below their names those of the others. */
export async function readMenu(tree: DocsTree, loaded: Loaded): Promise<MenuEntry[]> {
  const { languages } = loaded.loader;
  if (languages === undefined) return menuIn(tree, loaded, [undefined]);
  const { main } = languages;
  const menu = (await menuIn(tree, loaded, [main])).map((entry) => ({ ...entry, language: main }));
  for (const language of languages.all.filter((each) => each !== main)) {
    if (!loaded.pages.some((page) => page.language === language)) continue;
    const instead = languages.instead === undefined ? [] : [languages.instead];
    menu.push({ label: language, language, children: await menuIn(tree, loaded, [...instead, language]) });
  }
  return menu;
}

/** The menu of the files in some languages, of which the last has the last word. */
async function menuIn(
  tree: DocsTree,
  { pages, metas }: Loaded,
  languages: readonly (string | undefined)[],
): Promise<MenuEntry[]> {
  const byPlace = new Map<string, FumadocsPage>();
  const saidBy = new Map<string, FolderSaid>();
  const inside = new Map<string, Set<string>>([["", new Set()]]);
  for (const language of languages) {
    for (const page of pages.filter((each) => each.language === language)) {
      byPlace.set(page.place, page);
      byPlace.set(stemOf(page.place), page);
      for (let place = page.place; place !== ""; place = folderOf(place))
        inside.set(folderOf(place), (inside.get(folderOf(place)) ?? new Set()).add(place));
    }
    for (const { location, place } of metas.filter((each) => each.language === language))
      saidBy.set(folderOf(place), saidIn((await readConfig(tree, location))?.value));
  }
  const making: Making = {
    pages: byPlace,
    saidBy,
    inside: new Map(
      [...inside].map(([folder, places]) => [folder, [...places].sort((a, b) => a.localeCompare(b, "en"))]),
    ),
    nodes: new Map(),
    open: new Set(),
    owners: new Map(),
    left: { entries: ENTRIES_MAX },
  };
  const root = folderAt(making, "", 0);
  return root === undefined ? [] : entriesOf(root.children);
}

function saidIn(value: unknown): FolderSaid {
  const said = asRecord(value);
  const pages = Array.isArray(said["pages"])
    ? asList(said["pages"]).flatMap((each) => asText(each) ?? [])
    : undefined;
  return { title: asText(said["title"]), pages, isRoot: said["root"] === true };
}

/** Puts something into a folder, unless it belongs to another one more; that one loses it otherwise. */
function owns(making: Making, folder: string, node: Node, priority: number): boolean {
  if (making.open.has(node)) return false;
  const owner = making.owners.get(node);
  if (owner === undefined) making.owners.set(node, { folder, priority });
  else if (owner.folder === folder) owner.priority = Math.max(owner.priority, priority);
  else if (owner.priority >= priority) return false;
  else {
    const other = making.nodes.get(owner.folder);
    if (other?.kind === "folder") {
      if (other.index === node) other.index = undefined;
      else other.children = other.children.filter((child) => child !== node);
    }
    making.owners.set(node, { folder, priority });
  }
  return true;
}

const DEEP_MAX = 50;

function folderAt(making: Making, folder: string, depth: number): FolderNode | undefined {
  const known = making.nodes.get(folder);
  if (known !== undefined) return known.kind === "folder" ? known : undefined;
  const inside = making.inside.get(folder);
  if (inside === undefined || depth > DEEP_MAX) return undefined;
  const said = making.saidBy.get(folder);
  const node: FolderNode = { kind: "folder", label: "", index: undefined, children: [] };
  making.nodes.set(folder, node);
  making.open.add(node);
  const indexPage = making.pages.get(joinLocation(folder, "index"));
  const index = indexPage === undefined ? undefined : pageNode(making, indexPage);
  const isRoot = folder === "" || said?.isRoot === true;
  if (!isRoot && index !== undefined && owns(making, folder, index, 0)) node.index = index;
  const names = said?.pages;
  if (names !== undefined) fillByNames(making, { folder, node, names, indexPlace: indexPage?.place, depth });
  else
    for (const child of byPlaces(
      making,
      inside,
      depth,
      (place) => node.index === undefined || place !== indexPage?.place,
    ))
      if (owns(making, folder, child, 0)) node.children.push(child);
  making.open.delete(node);
  const own = nameOf(folder);
  const indexLabel = node.index?.kind === "page" ? node.index.label : undefined;
  node.label = said?.title ?? indexLabel ?? nameTitle(/^\((.+)\)$/.exec(own)?.[1] ?? own);
  return node;
}

function pageNode(making: Making, page: FumadocsPage): Node {
  const known = making.nodes.get(page.place);
  if (known !== undefined) return known;
  const node: Node = { kind: "page", label: page.title, path: page.path };
  making.nodes.set(page.place, node);
  return node;
}

/** Pages and then folders, by their names; an index comes first. */
function byPlaces(
  making: Making,
  places: readonly string[],
  depth: number,
  takes: (place: string) => boolean,
): Node[] {
  const pages: Node[] = [];
  const folders: Node[] = [];
  for (const place of places.filter(takes)) {
    const page = making.pages.get(place);
    if (page !== undefined && page.place === place) {
      if (stemOf(nameOf(place)) === "index") pages.unshift(pageNode(making, page));
      else pages.push(pageNode(making, page));
    } else folders.push(...[folderAt(making, place, depth + 1) ?? []].flat());
  }
  return [...pages, ...folders];
}

interface NamedFolder {
  folder: string;
  node: FolderNode;
  names: readonly string[];
  indexPlace: string | undefined;
  depth: number;
}

function fillByNames(making: Making, { folder, node, names, indexPlace, depth }: NamedFolder): void {
  const excluded = new Set<string>();
  const filled = names.flatMap((name): (Node | string)[] =>
    REST.includes(name) ? [name] : nodesNamed(making, { folder, name, excluded, depth }),
  );
  if (indexPlace !== undefined && excluded.has(indexPlace)) node.index = undefined;
  else if (node.index !== undefined && indexPlace !== undefined) excluded.add(indexPlace);
  for (const each of filled) {
    if (making.left.entries <= 0) break;
    making.left.entries -= 1;
    if (typeof each !== "string") {
      node.children.push(each);
      continue;
    }
    const inside = making.inside.get(folder) ?? [];
    const places = each === "..." ? inside : inside.toReversed();
    for (const child of byPlaces(making, places, depth, (place) => !excluded.has(place)))
      if (owns(making, folder, child, 0) && making.left.entries-- > 0) node.children.push(child);
  }
}

interface NamedItem {
  folder: string;
  name: string;
  /** The places that the rest of the folder is without. */
  excluded: Set<string>;
  depth: number;
}

function nodesNamed(making: Making, { folder, name, excluded, depth }: NamedItem): Node[] {
  const separator = SEPARATOR.exec(name);
  if (separator !== null) return [{ kind: "separator", label: separator[1] }];
  const [, label, href] = LINK.exec(name) ?? [];
  if (label !== undefined && href !== undefined) return [{ kind: "link", label, href }];
  const at = (written: string) => resolveLocation(folder, written) ?? "";
  if (name.startsWith("!")) {
    const place = at(name.slice(1));
    excluded.add(place).add(making.pages.get(place)?.place ?? place);
    return [];
  }
  if (name.startsWith("...")) return spread(making, { folder, name: at(name.slice(3)), excluded, depth });
  const place = at(name);
  const page = making.pages.get(place);
  const node =
    folderAt(making, place, depth + 1) ?? (page === undefined ? undefined : pageNode(making, page));
  if (node === undefined || !owns(making, folder, node, NAMED)) return [];
  excluded.add(node.kind === "folder" ? place : (page?.place ?? place));
  return [node];
}

/** What is in a folder, in place of it. */
function spread(making: Making, { folder, name, excluded, depth }: NamedItem): Node[] {
  const inner = folderAt(making, name, depth + 1);
  if (inner === undefined) return [];
  const children = [...(inner.index === undefined ? [] : [inner.index]), ...inner.children];
  if (!owns(making, folder, inner, NAMED))
    return children.filter((child) => owns(making, folder, child, NAMED));
  for (const child of children) {
    const owner = making.owners.get(child);
    if (owner !== undefined) owner.folder = folder;
  }
  excluded.add(name);
  return children;
}

/** Separators are titles of what follows them. */
function entriesOf(nodes: readonly Node[]): MenuEntry[] {
  const menu: MenuEntry[] = [];
  let part = menu;
  for (const node of nodes) {
    if (node.kind === "separator") {
      part = menu;
      if (node.label === undefined) continue;
      const entry: MenuEntry = { label: node.label, children: [] };
      menu.push(entry);
      part = entry.children;
    } else part.push(...entryOf(node));
  }
  return menu.filter(
    ({ path, href, children }) => path !== undefined || href !== undefined || children.length > 0,
  );
}

function entryOf(node: Exclude<Node, { kind: "separator" }>): MenuEntry[] {
  if (node.kind === "page") return [{ label: node.label, path: node.path, children: [] }];
  if (node.kind === "folder") {
    const path = node.index?.kind === "page" ? { path: node.index.path } : {};
    return [{ label: node.label, ...path, children: entriesOf(node.children) }];
  }
  if (!node.href.startsWith("/")) return [{ label: node.label, href: node.href, children: [] }];
  const path = node.href.replace(/[?#].*$/, "").replace(/^\/+|\/+$/g, "");
  return [{ label: node.label, path, children: [] }];
}
