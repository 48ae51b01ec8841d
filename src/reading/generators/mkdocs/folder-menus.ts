import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readFirstConfig } from "../config/config.ts";
import { type DocsTree, joinLocation, nameOf } from "../docs-tree.ts";
import type { MenuItem } from "./menu.ts";
import type { MkDocsSettings } from "./settings.ts";

/** What a folder's `.pages` file says of its menu. */
type FolderMenu = Readonly<Record<string, unknown>>;

interface Arranging {
  tree: DocsTree;
  settings: MkDocsSettings;
  options: Readonly<Record<string, unknown>>;
  fileNames: readonly string[];
}

const DEEP_MAX = 20;

/** Arranges a menu as the plugin awesome-pages does it, by a file in each folder. */
export async function arrangeFolders(
  tree: DocsTree,
  settings: MkDocsSettings,
  items: readonly MenuItem[],
): Promise<MenuItem[]> {
  const options = settings.plugins.get("awesome-pages");
  if (options === undefined) return [...items];
  const fileNames = [asText(options["filename"]) ?? ".pages"];
  return arrange({ tree, settings, options, fileNames }, items, "", 0);
}

async function arrange(
  arranging: Arranging,
  items: readonly MenuItem[],
  folder: string,
  depth: number,
): Promise<MenuItem[]> {
  if (depth > DEEP_MAX) return [...items];
  const said = await readMenu(arranging, folder);
  const ordered = inOrder(items, { ...arranging.options, ...said });
  const chosen = listed(ordered, said, folder);
  const out: MenuItem[] = [];
  for (const item of chosen) {
    if (item.children === undefined || item.name === undefined) out.push(item);
    else out.push(...(await arrangeSection(arranging, item, item.name, depth)));
  }
  return out;
}

async function arrangeSection(
  arranging: Arranging,
  section: MenuItem,
  folder: string,
  depth: number,
): Promise<MenuItem[]> {
  const said = await readMenu(arranging, folder);
  if (said["hide"] === true) return [];
  const children = await arrange(arranging, section.children ?? [], folder, depth + 1);
  const [only] = children;
  const collapses =
    said["collapse"] ?? said["collapse_single_pages"] ?? arranging.options["collapse_single_pages"];
  if (collapses === true && children.length === 1 && only !== undefined && (only.page || said["collapse"]))
    return [only];
  return children.length === 0
    ? []
    : [{ ...section, label: asText(said["title"]) ?? section.label, children }];
}

/** `.pages` is YAML without an extension. */
async function readMenu({ tree, settings, fileNames }: Arranging, folder: string): Promise<FolderMenu> {
  const place = joinLocation(settings.docsFolder, folder);
  for (const name of fileNames) {
    const location = joinLocation(place, name);
    if (name.endsWith(".yml")) return asRecord((await readFirstConfig(tree, [location]))?.value);
    const text = await tree.text(location);
    if (text === undefined) continue;
    try {
      return asRecord(Bun.YAML.parse(text));
    } catch {
      settings.unknowns.push({ question: `${location} cannot be read.`, guess: "the usual order" });
    }
  }
  return {};
}

function inOrder(items: readonly MenuItem[], options: FolderMenu): MenuItem[] {
  const { order, sort_type: type, order_by: by, ignore_case: ignoresCase } = options;
  if (order === undefined && type === undefined && by === undefined) return [...items];
  const keyOf = (item: MenuItem) => {
    const key = by === "title" ? (item.label ?? nameOf(item.name ?? "")) : nameOf(item.name ?? "");
    return ignoresCase === true ? key.toLowerCase() : key;
  };
  const compare = type === "natural" ? natural : plain;
  const sorted = items.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  return order === "desc" ? sorted.reverse() : sorted;
}

const plain = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const { compare: natural } = new Intl.Collator("en", { numeric: true });

const REST = /^(?:\.{3}|\*(?:\*\/?)?(?:\*)?(?=$|\.md$))\s*(?:\|\s*flat\s*)?(?:\|\s*(?:(regex|glob)=)?(.*))?$/;

/** The entries that a list names, in its order; `...` stands for those that it doesn't. */
function listed(items: readonly MenuItem[], said: FolderMenu, folder: string): MenuItem[] {
  const arranged = said["arrange"];
  const list = Array.isArray(said["nav"])
    ? said["nav"]
    : Array.isArray(arranged)
      ? arranged.includes("...")
        ? arranged
        : [...arranged, "..."]
      : undefined;
  if (list === undefined) return [...items];
  const byName = new Map(items.map((item) => [nameOf(item.name ?? ""), item]));
  const used = new Set<MenuItem>();
  collectNamed(list, byName, used);
  const rest = items.filter((item) => !used.has(item));
  const patterns = restsIn(list).toSorted((a, b) => Number(a === "...") - Number(b === "..."));
  const ownOf = (pattern: string) =>
    rest.filter((item) => patterns.find((each) => isOfRest(each, nameOf(item.name ?? ""))) === pattern);
  return itemsOfList(list, { byName, ownOf, folder });
}

function collectNamed(
  list: readonly unknown[],
  byName: ReadonlyMap<string, MenuItem>,
  used: Set<MenuItem>,
): void {
  for (const each of list) {
    const value = isRecord(each) ? Object.values(each)[0] : each;
    if (Array.isArray(value)) collectNamed(value, byName, used);
    const item = typeof value === "string" ? byName.get(value.replace(/\/$/, "")) : undefined;
    if (item !== undefined) used.add(item);
  }
}

const restsIn = (list: readonly unknown[]): string[] =>
  list.flatMap((each) => {
    if (typeof each === "string") return REST.test(each) ? [each] : [];
    return isRecord(each) ? Object.values(each).flatMap((value) => restsIn(asList(value))) : [];
  });

function isOfRest(pattern: string, name: string): boolean {
  const [, kind, written] = REST.exec(pattern) ?? [];
  if (written === undefined || written === "") return true;
  // A regular expression could take forever: only its plain words are looked for.
  return kind === "regex"
    ? name.includes(written.replace(/[\\^$.*+?()[\]{}|]/g, ""))
    : new Bun.Glob(written).match(name);
}

interface Listing {
  byName: ReadonlyMap<string, MenuItem>;
  ownOf: (pattern: string) => MenuItem[];
  folder: string;
}

function itemsOfList(list: readonly unknown[], listing: Listing): MenuItem[] {
  return list.flatMap((each): MenuItem[] => {
    if (typeof each === "string") {
      if (REST.test(each)) return listing.ownOf(each);
      const item = listing.byName.get(each.replace(/\/$/, ""));
      return item === undefined ? [] : [item];
    }
    return Object.entries(asRecord(each)).flatMap(([label, value]): MenuItem[] => {
      if (Array.isArray(value)) return [{ label, children: itemsOfList(value, listing) }];
      const item = typeof value === "string" ? listing.byName.get(value.replace(/\/$/, "")) : undefined;
      if (item !== undefined) return [{ ...item, label }];
      return typeof value === "string" ? [{ label, href: value }] : [];
    });
  });
}
