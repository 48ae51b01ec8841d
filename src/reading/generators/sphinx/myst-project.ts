import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";
import { type Book, bookSettings } from "./jupyter-book.ts";
import { excluder } from "./settings.ts";

/** The configuration of MyST's own program, with which Jupyter Book 2 builds books. */
const PROJECT_NAMES = SITE_FILES.myst.marks.flatMap(spelled);

type Values = Readonly<Record<string, unknown>>;

/** An entry of the table of contents: a page, a link, or only a title. */
interface Entry {
  name: string | undefined;
  label: string | undefined;
  href: string | undefined;
  isHidden: boolean;
  children: Entry[];
}

const PAGE = /\.(?:md|ipynb|rst)$/;
const INDEXES = ["index", "readme", "main"];
const DEEP_MAX = 20;
const ENTRIES_MAX = 50_000;

/** A project whose pages have short addresses, made of their files' names. */
export async function readProject(tree: DocsTree, root: string): Promise<Book | undefined> {
  const read = await readFirstConfig(
    tree,
    PROJECT_NAMES.map((name) => joinLocation(root, name)),
  );
  if (read === undefined) return undefined;
  const unknowns: Unknown[] =
    read.fault === undefined ? [] : [{ question: read.fault, guess: "the defaults" }];
  const config = asRecord(read.value);
  const project = asRecord(config["project"]);
  const isExcluded = excluder([...asList(project["exclude"]), "_build", "**/node_modules"]);
  const names = tree
    .below(root)
    .map((location) => (root === "" ? location : location.slice(root.length + 1)))
    .filter((file) => PAGE.test(file) && !isExcluded(file) && !/(?:^|\/)[._]/.test(file))
    .map((file) => file.replace(PAGE, ""));
  const toc = asList(project["toc"]);
  const listing = { known: new Set(names), listed: new Set<string>(), left: ENTRIES_MAX };
  noteListed(toc, listing.listed, 0);
  const entries = toc.length > 0 ? entriesOf(toc, listing, 0) : entriesOfFolders(names, "", 0);
  const top = entries.find(({ name }) => name !== undefined)?.name;
  if (top === undefined) return undefined;
  const options = asRecord(asRecord(config["site"])["options"]);
  const paths = pathsOf(entries, top, options["folders"] === true);
  const settings = await bookSettings(
    tree,
    { parse: asRecord(config["parse"]) },
    { root, rootPage: top, unknowns },
  );
  return {
    generator: "MyST",
    settings: { ...settings, isExcluded, takesSaidTitles: true },
    toctrees: new Map(),
    hasHome: false,
    isOnlyListed: false,
    paths,
    menu: (titleOf) => menuOf(entries, paths, titleOf),
  };
}

const bareName = (file: string) => file.replace(/^(?:\.?\/)+/, "").replace(PAGE, "");

function noteListed(list: readonly unknown[], listed: Set<string>, depth: number): void {
  for (const each of list) {
    const file = asText(asRecord(each)["file"]);
    if (file !== undefined) listed.add(bareName(file));
    if (depth < DEEP_MAX) noteListed(asList(asRecord(each)["children"]), listed, depth + 1);
  }
}

interface Listing {
  known: ReadonlySet<string>;
  listed: Set<string>;
  left: number;
}

function entriesOf(list: readonly unknown[], listing: Listing, depth: number): Entry[] {
  if (depth > DEEP_MAX) return [];
  return list.flatMap((each): Entry[] => {
    listing.left -= 1;
    if (!isRecord(each) || listing.left < 0) return [];
    const pattern = asText(each["pattern"]);
    if (pattern !== undefined) return matching(pattern, each, listing);
    const file = asText(each["file"]);
    const name = file === undefined ? undefined : bareName(file);
    return [
      {
        name: name !== undefined && listing.known.has(name) ? name : undefined,
        label: asText(each["title"]),
        href: asText(each["url"]),
        isHidden: each["hidden"] === true,
        children: entriesOf(asList(each["children"]), listing, depth + 1),
      },
    ];
  });
}

/** The files of a pattern that nothing has named. */
function matching(pattern: string, said: Values, { known, listed }: Listing): Entry[] {
  const glob = new Bun.Glob(pattern.replace(PAGE, "").replace(/\.\{[\w,]+\}$|\.\*$/, ""));
  const found = [...known].filter((name) => !listed.has(name) && glob.match(name)).sort(compareNames);
  for (const name of found) listed.add(name);
  if (said["sort"] === "descending") found.reverse();
  return found.map((name) => pageEntry(name));
}

const pageEntry = (name: string): Entry => ({
  name,
  label: undefined,
  href: undefined,
  isHidden: false,
  children: [],
});

const isIndex = (name: string) => INDEXES.includes(nameOf(name).toLowerCase());
const { compare: natural } = new Intl.Collator("en", { numeric: true, ignorePunctuation: true });
const compareNames = (a: string, b: string) =>
  folderOf(a) === folderOf(b) ? Number(isIndex(b)) - Number(isIndex(a)) || natural(a, b) : natural(a, b);

/** Without a table of contents the folders make it: files first, each folder's below its name. */
function entriesOfFolders(names: readonly string[], folder: string, depth: number): Entry[] {
  const own = names.filter((name) => folderOf(name) === folder).toSorted(compareNames);
  const deeper = Map.groupBy(
    names.filter((name) => folderOf(name) !== folder),
    (name) => name.slice(folder === "" ? 0 : folder.length + 1).split("/", 1)[0] ?? "",
  );
  const folders = depth > DEEP_MAX ? [] : [...deeper].toSorted(([a], [b]) => natural(a, b));
  return [
    ...own.map(pageEntry),
    ...folders.map(([name, inside]) => ({
      ...pageEntry(name),
      name: undefined,
      label: titleOfName(name),
      children: entriesOfFolders(inside, joinLocation(folder, name), depth + 1),
    })),
  ];
}

/** The address of each page: its file's name, with a number where another page has it. */
function pathsOf(entries: readonly Entry[], top: string, hasFolders: boolean): Map<string, string> {
  const paths = new Map([[top, ""]]);
  const counts = new Map([["index", 1]]);
  const add = (list: readonly Entry[]): void => {
    for (const { name, children } of list) {
      if (name !== undefined && !paths.has(name)) {
        const folders = hasFolders ? folderOf(name).split("/").filter(Boolean).map(slugOf) : [];
        const slug = slugOf(nameOf(name));
        const isFolder = folders.length > 0 && slug === "index";
        const key = (isFolder ? folders : [...folders, slug]).join("/");
        const count = counts.get(key) ?? 0;
        counts.set(key, count + 1);
        paths.set(name, count === 0 ? key : `${key}-${count}`);
      }
      add(children);
    }
  };
  add(entries);
  return paths;
}

/** Numbers in front order files, and are no part of an address, unless they are a year. */
const withoutNumber = (name: string) =>
  /^[12]\d{3}(?:\D|$)|^\d{5}/.test(name) ? name : name.replace(/^[0-9_.-]+(?=.)/, "");

const slugOf = (name: string) =>
  withoutNumber(name)
    .toLowerCase()
    .replaceAll("&", "-and-")
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 50);

const titleOfName = (name: string) =>
  withoutNumber(name)
    .split(/[_-]/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

function menuOf(
  entries: readonly Entry[],
  paths: ReadonlyMap<string, string>,
  titleOf: (name: string) => string | undefined,
): MenuEntry[] {
  return entries
    .filter(({ isHidden }) => !isHidden)
    .flatMap(({ name, label, href, children }): MenuEntry[] => {
      const inside = menuOf(children, paths, titleOf);
      const path = name === undefined ? undefined : paths.get(name);
      const shown = label ?? (name === undefined ? href : (titleOf(name) ?? titleOfName(nameOf(name))));
      if (shown === undefined) return inside;
      return [
        {
          label: shown,
          ...(path === undefined ? {} : { path }),
          ...(href === undefined ? {} : { href }),
          children: inside,
        },
      ];
    });
}
