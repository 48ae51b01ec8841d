import { keepLatest } from "@docent/kernel/lib/remember";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { sliceBelow } from "./ordered.ts";

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
  /** The files below a folder, in order; all of them below "". */
  below(folder: string): readonly string[];
  /** What a file holds; undefined where there is none, or it is no text, or cannot be read. */
  text(location: string): Promise<string | undefined>;
  /** What a file holds, be it text or not; undefined where there is none, or it cannot be read. */
  bytes(location: string): Promise<Uint8Array | undefined>;
  /** The files that could not be read when they were asked for, each with why. */
  unread(): ReadonlyMap<string, unknown>;
}

/** Files that many pages take something from are read once. */
const TEXTS_KEPT = 500;
const KEPT_CHARACTERS_MAX = 40_000;

/** `signal` ends what reads the files. */
export function createDocsTree(files: Iterable<DocsFile>, signal?: AbortSignal): DocsTree {
  const byLocation = new Map([...files].map((file) => [file.location, file]));
  const locations = [...byLocation.keys()].sort();
  const kept = new Map<string, string>();
  const unread = new Map<string, unknown>();

  async function read({ location, read }: DocsFile): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    try {
      const content = await read();
      unread.delete(location);
      return content;
    } catch (error) {
      signal?.throwIfAborted();
      unread.set(location, error);
      return undefined;
    }
  }

  return {
    files: locations,
    has: (location) => byLocation.has(location),
    below: (folder) => (folder === "" ? locations : sliceBelow(locations, `${folder}/`)),
    async text(location) {
      const file = byLocation.get(location);
      if (file === undefined) return undefined;
      if (kept.has(location)) return kept.get(location);
      const content = await read(file);
      const text = content === undefined ? undefined : decodeText(content, { html: false })?.text;
      if (text !== undefined && text.length <= KEPT_CHARACTERS_MAX)
        keepLatest(kept, location, text, TEXTS_KEPT);
      return text;
    },
    async bytes(location) {
      const file = byLocation.get(location);
      return file === undefined ? undefined : read(file);
    },
    unread: () => unread,
  };
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
