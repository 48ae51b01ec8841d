import { decodePercent } from "@docent/kernel/text/decode-percent";
import { folderOf, resolveLocation } from "../../generators/generators.ts";
import type { ImageFile } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";

const IMAGE = /\.(?:png|jpe?g|jfif|gif|webp|avif|svg)$/i;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** How Docusaurus, Vite and others write the root of the site or of its sources. */
const ROOT = /^(?:\/|@site\/|[@~]\/)/;

/** Folders that generators publish without their name. */
export const PUBLIC_FOLDERS = [
  "",
  "static",
  "public",
  "assets",
  "source",
  "src",
  ".vitepress/public",
  ".vuepress/public",
];

export const isImageName = (location: string) => IMAGE.test(location);

/** Where a page is in its source, and on its site. */
interface PagePlace {
  location: string;
  path: string;
}

/**
 * Finds the files that pages show as images: beside the page, as most generators read an address; from the page's own
 * address, as browsers read it; or in the folders that are published as they are. `root` is the folder of the site's
 * configuration, which its pages need not be in.
 */
export function createImageFinder(files: readonly ReadableFile[], root = "") {
  const images = new Map(
    files.filter(({ location }) => isImageName(location)).map((file) => [file.location, file]),
  );
  return (page: PagePlace) =>
    (reference: string): ImageFile | undefined => {
      if (ELSEWHERE.test(reference)) return undefined;
      const target = decodePercent(reference.replace(/[?#].*$/s, ""));
      if (!isImageName(target)) return undefined;
      const places = placesOf(page, target, root);
      const found = places.find((place) => images.has(place));
      const file = found === undefined ? undefined : images.get(found);
      const missing = ROOT.test(target) ? target.replace(ROOT, "") : (places[0] ?? target);
      return { location: found ?? missing, read: file?.read };
    };
}

/** Where the file may be, the likeliest place first; all of them in the source. */
function placesOf({ location, path }: PagePlace, target: string, root: string): string[] {
  const around = [...new Set([...foldersAbove(location), root])];
  if (ROOT.test(target)) return publishedPlaces(around, target.replace(ROOT, ""));
  const beside = resolveLocation(folderOf(location), target);
  const published = [path, folderOf(path)].flatMap((folder) => {
    const place = resolveLocation(folder, target);
    return place === undefined ? [] : publishedPlaces(around, place);
  });
  return [...(beside === undefined ? [] : [beside]), ...published];
}

/** The files that may have been published at a place, of some folders. */
function publishedPlaces(folders: readonly string[], place: string): string[] {
  const below = place.slice(place.indexOf("/") + 1);
  // A site that is itself below a path has that path in front of its addresses.
  return [place, ...(below === place ? [] : [below])].flatMap((name) =>
    folders.flatMap((folder) =>
      PUBLIC_FOLDERS.flatMap(
        (published) => resolveLocation(folder, `${published}/${name}`.replace(/^\//, "")) ?? [],
      ),
    ),
  );
}

function foldersAbove(location: string): string[] {
  const folders = [folderOf(location)];
  for (let folder = folderOf(location); folder !== ""; folder = folderOf(folder))
    folders.push(folderOf(folder));
  return folders;
}
