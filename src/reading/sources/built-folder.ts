import { readdir, realpath } from "node:fs/promises";
import { join, posix } from "node:path";
import { folderOf } from "../generators/generators.ts";
import type { Skipped } from "../source-reader.ts";
import { isHtmlName, roleOf } from "./files/files.ts";
import type { IsInside } from "./open-file.ts";

/** Where generators put what they build, beside their configuration or in a folder above it. */
const BUILT_FOLDERS = [
  "_site",
  "_book",
  "_build/html",
  "build/html",
  "build/site",
  "build",
  "dist",
  "public",
  "site",
  "book",
  "out",
  "doc_build",
  ".vitepress/dist",
  ".vuepress/dist",
];

const HTML_MIN = 3;

/**
 * Whether files are what a generator has built: several pages of HTML, a first one among them, and no more in formats that
 * people write. Some hosts have each page as Markdown beside its HTML.
 */
export function isBuilt(locations: readonly string[]): boolean {
  const pages = locations.filter((location) => roleOf(location).kind === "page");
  const html = pages.filter(isHtmlName);
  return html.includes("index.html") && html.length >= HTML_MIN && html.length * 2 >= pages.length;
}

interface DocsPlace {
  /** The folder that is read, without links in its path. */
  base: string;
  /** Where the configuration of its docs lies below. */
  root?: string | undefined;
  generator: string;
  isInside?: IsInside | undefined;
}

/** Says that docs whose source is read have been built beside it: what was built has the addresses that readers see. */
export async function builtBeside(
  { base, root = "", generator, isInside }: DocsPlace,
  found: string,
): Promise<Skipped[]> {
  for (const above of foldersUp(root))
    for (const name of BUILT_FOLDERS) {
      const location = posix.join(above, name);
      const folder = join(base, location);
      // A link is not followed: it may leave what may be read.
      if ((await realpath(folder).catch(() => undefined)) !== folder || isInside?.(folder) === false)
        continue;
      if (isBuilt(await namesBelow(folder)))
        return [builtNote({ location, generator, found }, `"docent ingest <domain> ${folder}"`)];
    }
  return [];
}

/** The same of a tree of which all files are listed. `instead` says how the folder would be read. */
export function builtInTree(
  locations: readonly string[],
  { root = "", generator }: Pick<DocsPlace, "root" | "generator">,
  found: string,
  instead: (folder: string) => string,
): Skipped[] {
  for (const above of foldersUp(root))
    for (const name of BUILT_FOLDERS) {
      const location = posix.join(above, name);
      const below = locations.flatMap((each) =>
        each.startsWith(`${location}/`) ? [each.slice(location.length + 1)] : [],
      );
      if (isBuilt(below)) return [builtNote({ location, generator, found }, instead(location))];
    }
  return [];
}

const builtNote = (
  { location, generator, found }: { location: string; generator: string; found: string },
  instead: string,
): Skipped => ({
  location,
  found,
  reason: "assumed",
  detail: `holds HTML that ${generator} seems to have built: with ${instead} in place of this source, pages have the addresses, anchors and menu that are published`,
});

function foldersUp(root: string): string[] {
  const folders = [""];
  for (let folder = root; folder !== ""; folder = folderOf(folder)) folders.unshift(folder);
  return folders.toSorted((a, b) => b.length - a.length);
}

const NAMES_MAX = 2_000;
const DEPTH_MAX = 3;

/** Some of the files below a folder: enough to tell what it holds. */
export async function namesBelow(base: string): Promise<string[]> {
  const files: string[] = [];
  let folders = [""];
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (files.length + below.length >= NAMES_MAX) return files;
      const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.slice(0, NAMES_MAX)) {
        const location = posix.join(folder, entry.name);
        if (entry.isDirectory()) below.push(location);
        else if (entry.isFile()) files.push(location);
      }
    }
    folders = below;
  }
  return files;
}
