import { decodeText } from "../text/decode-bytes.ts";

/** A file of a source, which can be read in any order. */
export interface DocsFile {
  /** Where it is below the source's root, with slashes. */
  location: string;
  read(): Promise<Uint8Array>;
}

/** The files of a source: nothing outside of it can be named. */
export interface DocsTree {
  /** The locations of all files, in order. */
  readonly files: readonly string[];
  has(location: string): boolean;
  /** Those below a folder, in order; all of them below "". */
  below(folder: string): readonly string[];
  /** What a file holds; undefined where there is none, or it is no text. */
  text(location: string): Promise<string | undefined>;
}

/** Files that many pages take something from are read once. */
const TEXTS_KEPT = 500;
const KEPT_CHARACTERS_MAX = 200_000;

export function createDocsTree(files: Iterable<DocsFile>): DocsTree {
  const byLocation = new Map([...files].map((file) => [file.location, file]));
  const locations = [...byLocation.keys()].sort();
  const kept = new Map<string, string | undefined>();
  return {
    files: locations,
    has: (location) => byLocation.has(location),
    below: (folder) => (folder === "" ? locations : sliceBelow(locations, `${folder}/`)),
    async text(location) {
      const file = byLocation.get(location);
      if (file === undefined) return undefined;
      if (kept.has(location)) return kept.get(location);
      const text = decodeText(await file.read(), { html: false })?.text;
      if ((text?.length ?? 0) <= KEPT_CHARACTERS_MAX) keep(kept, location, text);
      return text;
    },
  };
}

function keep(kept: Map<string, string | undefined>, location: string, text: string | undefined): void {
  kept.set(location, text);
  for (const oldest of kept.keys()) if (kept.size > TEXTS_KEPT) kept.delete(oldest);
}

/** The part of an ordered list that begins with something. */
function sliceBelow(ordered: readonly string[], prefix: string): readonly string[] {
  const start = firstFrom(ordered, prefix);
  let end = start;
  while (ordered[end]?.startsWith(prefix)) end++;
  return ordered.slice(start, end);
}

function firstFrom(ordered: readonly string[], wanted: string): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A location written from a folder; undefined where it leads out of the source. */
export function resolveLocation(folder: string, written: string): string | undefined {
  const segments = written.startsWith("/") ? [] : folder.split("/").filter((name) => name !== "");
  for (const name of written.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") segments.push(name);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}

export const folderOf = (location: string) => location.slice(0, Math.max(0, location.lastIndexOf("/")));
export const nameOf = (location: string) => location.slice(location.lastIndexOf("/") + 1);
/** A name without its extension. */
export const stemOf = (name: string) => (name.includes(".", 1) ? name.slice(0, name.lastIndexOf(".")) : name);
/** A location below a folder, "" being the root. */
export const joinLocation = (folder: string, name: string) =>
  folder === "" ? name : name === "" ? folder : `${folder}/${name}`;
