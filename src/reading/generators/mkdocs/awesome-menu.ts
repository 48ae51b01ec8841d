import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readFirstConfig } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { itemOf, type MenuItem } from "./menu.ts";
import type { MkDocsPage } from "./pages.ts";
import type { MkDocsSettings } from "./settings.ts";
import { titleFromName } from "./titles.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a folder's file says, with what it takes over from the folders above. */
interface FolderConfig {
  own: Values;
  ignored: readonly string[];
  /** Settings that hold below, too. */
  inherited: Values;
}

interface Arranging {
  tree: DocsTree;
  docsFolder: string;
  fileName: string;
  byName: ReadonlyMap<string, MkDocsPage>;
  /** Pages by name and folders that nothing has named so far. */
  unvisited: Set<string>;
  folders: ReadonlySet<string>;
  /** What may still be listed: a folder can name itself. */
  left: number;
}

/** An entry before it is known what others name. */
type Entry =
  | { kind: "item"; item: MenuItem }
  | { kind: "page"; name: string; label: string | undefined }
  | { kind: "folder"; folder: string; label: string | undefined; config: FolderConfig }
  | { kind: "section"; label: string; entries: Entry[] }
  | { kind: "pattern"; glob: string; folder: string; config: FolderConfig };

const DEEP_MAX = 20;
const ENTRIES_MAX = 50_000;
const INHERITED = ["flatten_single_child_sections", "preserve_directory_names", "append_unmatched"];
const EVERYTHING = [{ glob: "@(index.md|README.md)" }, { glob: "*" }];

/** The menu that the plugin awesome-nav makes of a file in each folder; undefined where it is off. */
export async function awesomeMenu(
  tree: DocsTree,
  { plugins, docsFolder }: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<MenuItem[] | undefined> {
  const options = plugins.get("awesome-nav");
  if (options === undefined) return undefined;
  const byName = new Map(pages.filter(({ isInMenu }) => isInMenu).map((page) => [page.name, page]));
  const folders = new Set<string>();
  for (const name of byName.keys())
    for (let folder = folderOf(name); folder !== ""; folder = folderOf(folder)) folders.add(folder);
  const arranging: Arranging = {
    tree,
    docsFolder,
    fileName: asText(options["filename"]) ?? ".nav.yml",
    byName,
    unvisited: new Set([...byName.keys(), ...folders]),
    folders,
    left: ENTRIES_MAX,
  };
  const config = await configOf(arranging, "", { own: {}, ignored: [], inherited: {} });
  return itemsOf(arranging, "", config, 0);
}

async function configOf({ tree, docsFolder, fileName }: Arranging, folder: string, above: FolderConfig) {
  const location = joinLocation(docsFolder, joinLocation(folder, fileName));
  return withConfig(asRecord((await readFirstConfig(tree, [location]))?.value), folder, above);
}

function withConfig(own: Values, folder: string, above: FolderConfig): FolderConfig {
  const inherited: Record<string, unknown> = { ...above.inherited };
  for (const name of INHERITED) if (own[name] !== undefined) inherited[name] = own[name];
  inherited["sort"] = Object.assign(Object.create(null), asRecord(above.inherited["sort"]), own["sort"]);
  const patterns = own["ignore"] === undefined ? ["$inherit"] : asList([own["ignore"]].flat());
  const ignored = patterns.flatMap((each) => {
    const pattern = asText(each) ?? "";
    if (pattern === "$inherit") return above.ignored;
    return joinLocation(folder, pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern}`);
  });
  return { own, ignored, inherited };
}

async function itemsOf(
  arranging: Arranging,
  folder: string,
  config: FolderConfig,
  depth: number,
): Promise<MenuItem[]> {
  if (depth > DEEP_MAX) return [];
  const nav = Array.isArray(config.own["nav"]) ? config.own["nav"] : EVERYTHING;
  const rest = config.inherited["append_unmatched"] === true ? [{ glob: "*" }] : [];
  const entries: Entry[] = [];
  for (const each of [...nav, ...rest])
    entries.push(...(await entriesOf(arranging, each, folder, config, depth)));
  return resolve(arranging, entries, depth);
}

async function entriesOf(
  arranging: Arranging,
  written: unknown,
  folder: string,
  config: FolderConfig,
  depth: number,
): Promise<Entry[]> {
  arranging.left -= 1;
  if (arranging.left < 0 || depth > DEEP_MAX) return [];
  if (typeof written === "string")
    return [
      (await named(arranging, written, undefined, folder, config)) ?? {
        kind: "pattern",
        glob: joinLocation(folder, written),
        folder,
        config,
      },
    ];
  if (!isRecord(written)) return [];
  const glob = asText(written["glob"]);
  if (glob !== undefined)
    return [
      {
        kind: "pattern",
        glob: joinLocation(folder, glob),
        folder,
        config: withConfig(written, folder, config),
      },
    ];
  const entries: Entry[] = [];
  for (const [label, value] of Object.entries(written)) {
    if (typeof value === "string")
      entries.push(
        (await named(arranging, value, label, folder, config)) ?? {
          kind: "item",
          // MkDocs looks for it once more, from the top.
          item: itemOf(label, value, arranging.byName, ""),
        },
      );
    else {
      const children: Entry[] = [];
      for (const each of asList(value))
        children.push(...(await entriesOf(arranging, each, folder, config, depth + 1)));
      entries.push({ kind: "section", label, entries: children });
    }
  }
  return entries;
}

/** The page or the folder that is written, from the folder of the file. */
async function named(
  arranging: Arranging,
  written: string,
  label: string | undefined,
  folder: string,
  above: FolderConfig,
): Promise<Entry | undefined> {
  const name = joinLocation(folder, written.replace(/^\.\/|\/$/g, ""));
  if (arranging.byName.has(name)) return { kind: "page", name, label };
  if (!arranging.folders.has(name)) return undefined;
  return { kind: "folder", folder: name, label, config: await configOf(arranging, name, above) };
}

/** Pages that are named are taken first, then folders, the deepest first; a pattern finds what is left. */
async function resolve(arranging: Arranging, entries: readonly Entry[], depth: number): Promise<MenuItem[]> {
  const { unvisited, byName } = arranging;
  const made = new Map<Entry, MenuItem[]>();
  const all = flat(entries);
  for (const entry of all)
    if (entry.kind === "page") {
      unvisited.delete(entry.name);
      const page = byName.get(entry.name);
      if (page !== undefined) made.set(entry, [{ label: entry.label, page, name: entry.name }]);
    } else if (entry.kind === "item") made.set(entry, [entry.item]);
  const folders = all.filter((entry) => entry.kind === "folder");
  for (const entry of folders.toSorted((a, b) => depthOf(b.folder) - depthOf(a.folder)))
    made.set(entry, await sectionOf(arranging, entry, depth));
  for (const entry of all)
    if (entry.kind === "pattern") made.set(entry, await matching(arranging, entry, depth));
  const collect = (list: readonly Entry[]): MenuItem[] =>
    list.flatMap((entry) =>
      entry.kind === "section"
        ? [{ label: entry.label, children: collect(entry.entries) }]
        : (made.get(entry) ?? []),
    );
  return collect(entries);
}

const flat = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry) => (entry.kind === "section" ? flat(entry.entries) : [entry]));

const depthOf = (folder: string) => folder.split("/").length;

async function sectionOf(
  arranging: Arranging,
  { folder, label, config }: Extract<Entry, { kind: "folder" }>,
  depth: number,
): Promise<MenuItem[]> {
  arranging.unvisited.delete(folder);
  const children = await itemsOf(arranging, folder, config, depth + 1);
  const [only] = children;
  if (only === undefined) return [];
  const isFlat = config.inherited["flatten_single_child_sections"] === true;
  if (isFlat && children.length === 1 && only.href === undefined) return [only];
  const name = nameOf(folder);
  const usual = config.inherited["preserve_directory_names"] === true ? name : titleFromName(name);
  return [{ label: label ?? asText(config.own["title"]) ?? usual, name: folder, children }];
}

async function matching(
  arranging: Arranging,
  { glob, config }: Extract<Entry, { kind: "pattern" }>,
  depth: number,
): Promise<MenuItem[]> {
  const matches = matcherOf([glob]);
  const isIgnored = matcherOf(config.ignored);
  const entries: Entry[] = [];
  for (const name of arranging.unvisited) {
    arranging.left -= 1;
    if (arranging.left < 0) break;
    const isFolder = arranging.folders.has(name);
    if (glob.endsWith("/") && !isFolder) continue;
    if (!matches(name) || isIgnored(name)) continue;
    if (!isFolder) entries.push({ kind: "page", name, label: undefined });
    else {
      const own = await configOf(arranging, name, config);
      if (own.own["hide"] !== true)
        entries.push({ kind: "folder", folder: name, label: undefined, config: own });
    }
  }
  return inOrder(await resolve(arranging, entries, depth), asRecord(config.inherited["sort"]));
}

/** Of patterns for names, only choices of `@(a|b)` are more than what a glob has. */
function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const globs = patterns.slice(0, 1_000).map((each) => {
    const plain = each
      .replace(/\/$/, "")
      .replace(/[@?]\(([^()]*)\)/g, (_, names: string) => `{${names.replaceAll("|", ",")}}`);
    return new Bun.Glob(plain);
  });
  return (name) => globs.some((each) => each.match(name));
}

const { compare: natural } = new Intl.Collator("en", { numeric: true });
const plain = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function inOrder(items: readonly MenuItem[], sort: Values): MenuItem[] {
  const { by, direction, type, sections, ignore_case: ignoresCase } = sort;
  const keyOf = ({ name = "", label }: MenuItem) => {
    const key = by === "title" ? (label ?? nameOf(name)) : by === "filename" ? nameOf(name) : name;
    return ignoresCase === true ? key.toLowerCase() : key;
  };
  const compare = type === "alphabetical" ? plain : natural;
  const sign = direction === "desc" ? -1 : 1;
  const sorted = items.toSorted((a, b) => sign * compare(keyOf(a), keyOf(b)));
  if (sections === "mixed") return sorted;
  const isSection = ({ children }: MenuItem) => children !== undefined;
  const [first, last] = [sorted.filter((item) => !isSection(item)), sorted.filter(isSection)];
  return sections === "first" ? [...last, ...first] : [...first, ...last];
}
