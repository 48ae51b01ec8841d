import { folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";

/** Where a page stands below its collection, without the numbers that only order files. */
export interface DocPlace {
  /** The id that menus name it by: "guide/install". */
  id: string;
  /** Its address below that of its version. */
  slug: string;
  /** The folder below its version, as it is and without numbers. */
  rawFolder: string;
  folder: string;
  /** The number before its name. */
  position: number | undefined;
  isIndex: boolean;
  /** Whether its address ends in a slash. */
  isFolder: boolean;
}

interface PlaceOptions {
  takesPrefixesOff: boolean;
  /** In the page's front matter. */
  id: string | undefined;
  slug: string | undefined;
}

/** The place of a file, from its location below its version's folder. */
export function placeOf(location: string, { takesPrefixesOff, id, slug }: PlaceOptions): DocPlace {
  const rawFolder = folderOf(location);
  const rawStem = stemOf(nameOf(location));
  const { name, position } = takesPrefixesOff
    ? withoutPrefix(rawStem)
    : { name: rawStem, position: undefined };
  const folder = takesPrefixesOff ? folderWithoutPrefixes(rawFolder) : rawFolder;
  const isIndex = isFolderIndex(rawFolder, rawStem);
  const ownId = id ?? name;
  const usual = isIndex ? folder : joinLocation(folder, ownId);
  return {
    id: joinLocation(folder, ownId),
    slug: slug === undefined ? usual : slugFrom(folder, slug),
    rawFolder,
    folder,
    position,
    isIndex,
    isFolder: slug === undefined ? isIndex : slug.endsWith("/"),
  };
}

/** `index`, `readme`, and a file that is called like its folder, stand for the folder. */
function isFolderIndex(folder: string, stem: string): boolean {
  const name = stem.toLowerCase();
  return name === "index" || name === "readme" || (folder !== "" && name === nameOf(folder).toLowerCase());
}

/** A slug that begins with a slash is below the version, any other below the folder. */
function slugFrom(folder: string, slug: string): string {
  const segments = slug.startsWith("/") ? [] : folder.split("/");
  for (const segment of slug.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.filter((segment) => segment !== "").join("/");
}

const PREFIX = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/;
/** A date or a version number is a part of the name. */
const NO_PREFIX = /^(?:\d{2,4}[-_.]\d{2}|\d+[-_.]\d+)/;

export function withoutPrefix(name: string): { name: string; position: number | undefined } {
  const match = NO_PREFIX.test(name) ? null : PREFIX.exec(name);
  return match ? { name: match[2] ?? name, position: Number(match[1]) } : { name, position: undefined };
}

const folderWithoutPrefixes = (folder: string) =>
  folder
    .split("/")
    .map((segment) => withoutPrefix(segment).name)
    .join("/");
