import { asList, asText, isRecord } from "@docent/kernel/text/json";
import type { LeftOut } from "../docs-site.ts";
import { folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import type { ContentPage } from "./content.ts";

/** The pages of one version, in a folder that is named for it: "docs/v1.2". */
interface VersionFolder {
  folder: string;
  /** Without a "v" before it. */
  version: string;
  /** The places of its pages inside of it. */
  places: ReadonlySet<string>;
}

/** Names with two numbers at least: `v1` may be an API's version, and `2024` is a year. */
const VERSION_NAME = /^v?(\d{1,4}(?:\.\d{1,4})+(?:\.x)?(?:-[a-z0-9.]{1,20})?)$/i;

/** Fewer pages of the same names are no docs in versions, such as release notes in a folder for each version. */
const SHARED_MIN = 3;
const SHARED_PART_MIN = 1 / 3;

/** What of several versions is read. */
interface ChosenVersions {
  /** What is of another version than the one that is read. */
  others: ReadonlyMap<ContentPage, LeftOut>;
  /** The versions of pages that are read, where none was asked for. */
  versions: ReadonlyMap<ContentPage, string>;
}

/** Hugo knows no versions: sites keep each one in a folder, with pages of the same names. */
export function chosenVersions(pages: Iterable<ContentPage>, wanted: string | undefined): ChosenVersions {
  const found = new Map<ContentPage, LeftOut>();
  const versions = new Map<ContentPage, string>();
  for (const ofLanguage of Map.groupBy(pages, ({ language }) => language).values()) {
    const params = ofLanguage[0]?.language.params ?? {};
    const shownByFolder = new Map<string, string>();
    const versionByFolder = new Map<string, string>();
    const folders = versionFolders(ofLanguage);
    const old = foldersBesideLatest(folders, ofLanguage);
    const latest = new Set<string>();
    for (const { folder, version, places } of old)
      if (version !== plainVersion(wanted)) shownByFolder.set(folder, `${version}, and not the latest`);
      else for (const place of places) latest.add(joinLocation(folderOf(folder), place));
    for (const family of familiesOf(folders.filter((each) => !old.includes(each)))) {
      const shown = versionShown(family, params, wanted);
      for (const { folder, version } of family)
        if (version !== shown) shownByFolder.set(folder, `${version}, and not of ${shown}`);
        else if (wanted === undefined) versionByFolder.set(folder, version);
    }
    for (const page of ofLanguage) {
      const folder = versionFolderOf(page.logicalPath);
      if (latest.has(page.logicalPath))
        found.set(page, {
          location: page.location,
          detail: `is of the latest version, and not of ${wanted}`,
        });
      const own = folder === undefined ? undefined : versionByFolder.get(folder);
      if (own !== undefined) versions.set(page, own);
      const which = folder === undefined ? undefined : shownByFolder.get(folder);
      if (folder === undefined || which === undefined) continue;
      const detail = `is of version ${which}: a source with --version ${versionIn(folder)} reads it`;
      found.set(page, { location: page.location, detail });
    }
  }
  return { others: found, versions };
}

/** Folders of old versions, where the latest lies in none: `v1.2/docs` beside `docs`. */
function foldersBesideLatest(
  folders: readonly VersionFolder[],
  pages: readonly ContentPage[],
): VersionFolder[] {
  const unversioned = new Set(
    pages.flatMap(({ logicalPath }) => (versionFolderOf(logicalPath) === undefined ? [logicalPath] : [])),
  );
  return folders.filter(({ folder, places }) => {
    const shared = [...places].filter((place) => unversioned.has(joinLocation(folderOf(folder), place)));
    return shared.length >= SHARED_MIN && shared.length / places.size >= SHARED_PART_MIN;
  });
}

const plainVersion = (name = "") => name.trim().replace(/^v/i, "");

const versionIn = (folder: string) => VERSION_NAME.exec(nameOf(folder))?.[1];

/** The outermost folder above a page, or its own, that is named for a version. */
function versionFolderOf(place: string): string | undefined {
  const names = place.split("/");
  const at = names.findIndex((name) => VERSION_NAME.test(name));
  return at < 0 ? undefined : names.slice(0, at + 1).join("/");
}

function versionFolders(pages: readonly ContentPage[]): VersionFolder[] {
  const byFolder = Map.groupBy(pages, ({ logicalPath }) => versionFolderOf(logicalPath));
  return [...byFolder].flatMap(([folder, own]) => {
    const version = folder === undefined ? undefined : versionIn(folder);
    if (folder === undefined || version === undefined) return [];
    return { folder, version, places: new Set(own.map((page) => page.logicalPath.slice(folder.length + 1))) };
  });
}

/** Folders that hold the same docs in several versions, some of them perhaps in a folder for old ones. */
function familiesOf(folders: readonly VersionFolder[]): VersionFolder[][] {
  const families: VersionFolder[][] = [];
  // The outermost come first, the latest of them before others, so that each finds its neighbor.
  const sorted = folders.toSorted(
    (a, b) =>
      a.folder.split("/").length - b.folder.split("/").length || compareVersions(b.version, a.version),
  );
  for (const folder of sorted) {
    const family = families.find((each) => each.some((member) => isSameDocs(member, folder)));
    if (family === undefined) families.push([folder]);
    else family.push(folder);
  }
  return families.filter((family) => family.length > 1);
}

function isSameDocs(outer: VersionFolder, inner: VersionFolder): boolean {
  const parent = folderOf(outer.folder);
  const isBelow = parent === "" || `${folderOf(inner.folder)}/`.startsWith(`${parent}/`);
  if (!isBelow) return false;
  let shared = 0;
  for (const place of inner.places) if (outer.places.has(place)) shared++;
  const part = shared / Math.min(outer.places.size, inner.places.size);
  return shared >= SHARED_MIN && part >= SHARED_PART_MIN;
}

/** The version that is asked for, or that the site calls its current one, or the highest. */
function versionShown(
  family: readonly VersionFolder[],
  params: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): string | undefined {
  const versions = new Set(family.map(({ version }) => version));
  const named = [wanted ?? "", ...namedVersions(params)].map(plainVersion);
  return named.find((name) => versions.has(name)) ?? [...versions].sort(compareVersions).at(-1);
}

const CURRENT = /^(?:docs?)?(?:latest|current|stable|released?)+(?:docs?)?(?:version|release)?$/;

/** What the site's parameters say of versions: the current one, or a list that begins with it. */
function namedVersions(params: Readonly<Record<string, unknown>>): string[] {
  const places = [params, params["version"], params["versions"]].filter(isRecord);
  const current = places.flatMap((place) =>
    Object.entries(place).flatMap(([key, value]) =>
      CURRENT.test(key.replace(/[_-]/g, "")) ? (textOf(value) ?? []) : [],
    ),
  );
  const lists = places.flatMap((place) => [
    place["versions"],
    ...(place === params ? [] : Object.values(place)),
  ]);
  const listed = [params["version"], ...lists.filter(Array.isArray).flatMap((list) => asList(list))];
  return [...current, ...listed.flatMap((each) => textOf(isRecord(each) ? each["version"] : each) ?? [])];
}

const textOf = (value: unknown) => (typeof value === "number" ? String(value) : asText(value));

/** By their numbers, and an early version such as `2.0-beta` before the one that it leads to. */
function compareVersions(a: string, b: string): number {
  const [plainA = "", earlyA] = a.split(/-(.*)/s);
  const [plainB = "", earlyB] = b.split(/-(.*)/s);
  const order = plainA.localeCompare(plainB, "en", { numeric: true });
  if (order !== 0) return order;
  if (earlyA === undefined || earlyB === undefined)
    return Number(earlyA === undefined) - Number(earlyB === undefined);
  return earlyA.localeCompare(earlyB, "en", { numeric: true });
}
