import { asList, asNumber, asText, isRecord } from "@docent/kernel/text/json";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { readSource } from "./front-matter.ts";
import type { ContentMount, HugoLanguage, HugoSettings } from "./settings.ts";

/** A file of the content, where it stands in it. */
interface ContentFile {
  location: string;
  language: HugoLanguage;
  /** Its folder below the content. */
  folder: string;
  /** Its name without language and extension. */
  name: string;
}

/** A page of the content with what its address and its place in the menu are made from. */
export interface ContentPage extends ContentFile {
  kind: "home" | "section" | "page";
  /** Its place in the content, which others name it by: "docs/install". In lower case. */
  logicalPath: string;
  /** With what the folders above it give to it. */
  data: Readonly<Record<string, unknown>>;
  date: number | undefined;
  weight: number;
  title: string;
  menuLabel: string;
  /** Whether it is in lists of pages, and so in menus. */
  isListed: boolean;
  /** Whether it has an address of its own. */
  isPublished: boolean;
}

/** What a folder's page takes along: its files are parts of it. */
interface Content {
  pages: ContentPage[];
  leftOut: LeftOut[];
}

const MARKDOWN = /\.(?:md|markdown|mdown)$/i;
const HTML = /\.html?$/i;
const UNREAD = /\.(?:adoc|asciidoc|ad|org|pandoc|pdc|rst)$/i;

/** The pages of the content, drafts and parts of others left out. */
export async function readContent(tree: DocsTree, settings: HugoSettings, now: number): Promise<Content> {
  const leftOut: LeftOut[] = [];
  const files = filesOf(tree, settings, leftOut);
  const bundles = new Set(
    files.filter(({ name }) => name === "index").map(({ language, folder }) => bundleKey(language, folder)),
  );
  const pages: ContentPage[] = [];
  const cascades = new Map<string, Cascade[]>();
  const sources = await Promise.all(
    files.map(async (file) => ({ file, data: readSource((await tree.text(file.location)) ?? "").data })),
  );
  for (const { file, data } of sources) {
    if (file.name === "_index" && "cascade" in data)
      cascades.set(bundleKey(file.language, file.folder), cascadesIn(data["cascade"]));
  }
  const general = cascadesIn(settings.cascade);
  for (const { file, data } of sources) {
    const bundle = bundleAbove(file, bundles);
    if (bundle !== undefined) {
      leftOut.push({ location: file.location, detail: `is a part of the page of its folder, ${bundle}` });
      continue;
    }
    const page = pageOf(file, withCascade(file, data, cascades, general), settings);
    const why = whyNotBuilt(page, settings, now);
    if (why === undefined) pages.push(page);
    else leftOut.push({ location: file.location, detail: why });
  }
  return { pages, leftOut };
}

const bundleKey = ({ code }: HugoLanguage, folder: string) => `${code}:${folder}`;

/** The files of the content that hold pages. */
function filesOf(tree: DocsTree, settings: HugoSettings, leftOut: LeftOut[]): ContentFile[] {
  const found = new Map<string, ContentFile>();
  const inside = settings.mounts.map(({ source }) => source);
  for (const mount of settings.mounts) {
    const locations = tree.has(mount.source) ? [mount.source] : tree.below(mount.source);
    for (const location of locations) {
      if (found.has(location) || !isPageFile(location)) continue;
      // The folder of another language may stand inside of this one's.
      const isOther = inside.some(
        (source) => source.length > mount.source.length && location.startsWith(`${source}/`),
      );
      if (isOther) continue;
      const below = location === mount.source ? "" : location.slice(mount.source.length + 1);
      const placed = below === "" ? mount.target : joinLocation(mount.target, below);
      if (settings.ignores(location) || settings.ignores(placed)) {
        leftOut.push({ location, detail: "is left out by ignoreFiles" });
      } else if (MAKES_PAGES.test(location)) {
        leftOut.push({ location, detail: "makes pages when the site is built, which cannot be known" });
      } else if (UNREAD.test(location)) {
        leftOut.push({ location, detail: "is written in a format that is not read here" });
      } else found.set(location, fileOf(location, placed, mount, settings.languages));
    }
  }
  return [...found.values()];
}

/** Scripts that make pages when the site is built. */
const MAKES_PAGES = /(?:^|\/)_content\.gotmpl$/;

const isPageFile = (location: string) =>
  MARKDOWN.test(location) || HTML.test(location) || UNREAD.test(location) || MAKES_PAGES.test(location);

function fileOf(
  location: string,
  placed: string,
  mount: ContentMount,
  languages: readonly HugoLanguage[],
): ContentFile {
  const stem = stemOf(nameOf(placed));
  const ending = stem.slice(stem.lastIndexOf(".") + 1).toLowerCase();
  const named = stem.includes(".", 1) ? languages.find(({ code }) => code === ending) : undefined;
  return {
    location,
    language: named ?? mount.language,
    folder: folderOf(placed),
    name: named === undefined ? stem : stem.slice(0, -ending.length - 1),
  };
}

/** The folder whose `index.md` takes this file as a part. */
function bundleAbove(
  { language, folder, name }: ContentFile,
  bundles: ReadonlySet<string>,
): string | undefined {
  let at = name === "index" ? folderOf(folder) : folder;
  for (;;) {
    if ((at !== folder || name !== "index") && bundles.has(bundleKey(language, at))) return at;
    if (at === "") return undefined;
    at = folderOf(at);
  }
}

/** Front matter that a folder gives to the pages in it. */
interface Cascade {
  data: Readonly<Record<string, unknown>>;
  /** Which pages are meant, by their place: all where it is undefined. */
  path: Bun.Glob | undefined;
  kind: string | undefined;
  language: string | undefined;
}

function cascadesIn(value: unknown): Cascade[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter(isRecord).map((each) => {
    const target = each["target"] ?? each["_target"];
    const said = isRecord(target) ? target : {};
    const path = asText(said["path"]);
    const { target: _a, _target: _b, params, ...data } = each;
    return {
      data: isRecord(params) ? { ...params, ...data } : data,
      path: path === undefined ? undefined : new Bun.Glob(path.replace(/^\{?\//, (mark) => mark)),
      kind: asText(said["kind"]),
      language: asText(said["lang"]),
    };
  });
}

/** What is nearest to a page wins, and what it says itself above all. */
function withCascade(
  file: ContentFile,
  own: Readonly<Record<string, unknown>>,
  cascades: ReadonlyMap<string, Cascade[]>,
  general: readonly Cascade[],
): Record<string, unknown> {
  const data: Record<string, unknown> = Object.assign(Object.create(null), own);
  const take = (given: readonly Cascade[]) => {
    for (const cascade of given) {
      if (!isMeant(file, cascade)) continue;
      for (const [name, value] of Object.entries(cascade.data)) if (!(name in data)) data[name] = value;
    }
  };
  for (let at = file.folder; ; at = folderOf(at)) {
    take(cascades.get(bundleKey(file.language, at)) ?? []);
    if (at === "") break;
  }
  take(general);
  return data;
}

function isMeant(file: ContentFile, { path, kind, language }: Cascade): boolean {
  if (path !== undefined && !path.match(`/${logicalPathOf(file)}`)) return false;
  if (kind !== undefined && kind !== kindOf(file)) return false;
  return language === undefined || language.toLowerCase() === file.language.code;
}

const kindOf = ({ name, folder }: ContentFile) =>
  name !== "_index" ? "page" : folder === "" ? "home" : "section";

/** Spaces are dashes in all names. */
function logicalPathOf({ folder, name }: ContentFile): string {
  const whole = name === "_index" || name === "index" ? folder : joinLocation(folder, name);
  return whole.replaceAll(" ", "-").toLowerCase();
}

const DATED = /^(\d{4}-\d{2}-\d{2})(?:-(.+))?$/;

function pageOf(file: ContentFile, data: Record<string, unknown>, settings: HugoSettings): ContentPage {
  const { beforeDatedNames } = settings;
  const isDated = beforeDatedNames?.every((name) => dateIn(data[name]) === undefined) ?? false;
  const [, named, slug] = isDated ? (DATED.exec(datedNameOf(file)) ?? []) : [];
  if (slug !== undefined && data["slug"] === undefined) data["slug"] = slug;
  const kind = kindOf(file);
  const title = shownWords(data["title"]) ?? (kind === "home" ? file.language.title : "");
  const build = isRecord(data["build"]) ? data["build"] : isRecord(data["_build"]) ? data["_build"] : {};
  const isHeadless = data["headless"] === true;
  return {
    ...file,
    kind,
    logicalPath: logicalPathOf(file),
    data,
    date:
      dateIn(named) ??
      firstDate(data, ["date", "publishdate", "pubdate", "published", "lastmod", "modified"]),
    weight: asNumber(data["weight"]) ?? (Number(wordOf(data["weight"])) || 0),
    title,
    menuLabel: shownWords(data["linktitle"]) ?? title,
    isListed: !isHeadless && build["list"] !== "never" && build["list"] !== false,
    isPublished:
      !isHeadless && build["render"] !== "never" && build["render"] !== false && build["render"] !== "link",
  };
}

const datedNameOf = ({ name, folder }: ContentFile) => (name === "index" ? nameOf(folder) : name);

/** YAML reads `title: 404` as a number. */
export const wordOf = (value: unknown) =>
  typeof value === "number" ? String(value) : value === "" ? undefined : asText(value);

/** A title as a browser shows it: with one space for several. */
const shownWords = (value: unknown) => wordOf(value)?.replace(/\s+/g, " ").trim();

function dateIn(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value.trim().replace(" ", "T")) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const firstDate = (data: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.map((name) => dateIn(data[name])).find((date) => date !== undefined);

function whyNotBuilt(page: ContentPage, { builds }: HugoSettings, now: number): string | undefined {
  const { data } = page;
  if (data["draft"] === true && !builds.drafts) return "is a draft";
  const published = firstDate(data, ["publishdate", "pubdate", "published", "date"]);
  if (!builds.future && (published ?? 0) > now) return "is to be published in the future";
  const expires = firstDate(data, ["expirydate", "unpublishdate"]);
  if (!builds.expired && expires !== undefined && expires <= now) return "has expired";
  return page.isPublished ? undefined : "has no address of its own";
}

/** The aliases and the like that front matter lists. */
export const textsIn = (value: unknown): string[] =>
  (typeof value === "string" ? [value] : asList(value)).flatMap((each) => asText(each) ?? []);
