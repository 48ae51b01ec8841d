import { folderOf, nameOf } from "../../generators/generators.ts";
import { foldersNamed, pathGlob } from "./path-glob.ts";
import type { TreeFile } from "./tree-file.ts";

/** The names of ignore files. What stands first has the last word. */
const DOCENT = ".docentignore";
const GIT = ".gitignore";
const IGNORE_FILES = [DOCENT, GIT];
/** More than this is no ignore file. */
export const IGNORE_FILE_BYTES_MAX = 1_000_000;

/** What the ignore files of a tree leave out. */
export interface Ignored {
  /** Notes an ignore file, which must be known before what is beside it and below it is asked for. */
  add(location: string, content: Uint8Array): void;
  /** Whether a file is left out, itself or with a folder that it is in. */
  file(location: string): boolean;
  /** Whether a folder is left out, with all that is in it: nothing in it can be taken back in. */
  folder(location: string): boolean;
  /** Of what is left out, whether that is git's doing, and not the docs' own. */
  isOfGit(location: string, isFolder: boolean): boolean;
}

/** Whether a file says what to leave out. */
export const isIgnoreFile = (location: string) => IGNORE_FILES.includes(nameOf(location));

/** What git tracks of a tree: it is a part of it, whatever `.gitignore` says. */
export interface Tracked {
  file(location: string): boolean;
  /** Whether a file below it is tracked. */
  folder(location: string): boolean;
}

const NOTHING: Tracked = { file: () => false, folder: () => false };

/** Whether what is in a folder is read, left out, or left out where git does not track it. */
type FolderState = "in" | "out" | "untracked";

export function createIgnored(tracked: Tracked = NOTHING): Ignored {
  const filesByName = new Map(IGNORE_FILES.map((name) => [name, new Map<string, IgnoreFile>()]));
  const folders = new Map<string, FolderState>([["", "in"]]);

  /** What the ignore files say of a place itself, and which of them. */
  const verdictOn = (location: string, isFolder: boolean): { by: string; isOut: boolean } | undefined => {
    for (const [by, files] of filesByName) {
      if (files.size === 0) continue;
      for (let folder = folderOf(location); ; folder = folderOf(folder)) {
        const below = folder === "" ? location : location.slice(folder.length + 1);
        const verdict = files.get(folder)?.(below, isFolder);
        if (verdict !== undefined) return { by, isOut: verdict === "out" };
        if (folder === "") break;
      }
    }
    return undefined;
  };

  const stateOf = (location: string): FolderState => {
    const known = folders.get(location);
    if (known !== undefined) return known;
    const above = stateOf(folderOf(location));
    const verdict = above === "out" ? undefined : verdictOn(location, true);
    const isLeft = verdict?.isOut === true || above === "untracked";
    const isOfGit = verdict === undefined || verdict.by === GIT || !verdict.isOut;
    const state =
      above === "out" ? "out" : !isLeft ? "in" : isOfGit && tracked.folder(location) ? "untracked" : "out";
    folders.set(location, state);
    return state;
  };

  return {
    add(location, content) {
      const text = new TextDecoder().decode(content);
      filesByName.get(nameOf(location))?.set(folderOf(location), parseIgnoreFile(text));
    },
    file(location) {
      const state = stateOf(folderOf(location));
      if (state === "out") return true;
      const verdict = verdictOn(location, false);
      if (verdict !== undefined && verdict.by !== GIT) return verdict.isOut;
      return (state === "untracked" || verdict?.isOut === true) && !tracked.file(location);
    },
    folder: (location) => stateOf(location) === "out",
    isOfGit: (location, isFolder) => verdictOn(location, isFolder)?.by !== DOCENT,
  };
}

/**
 * The files of a tree without those that its ignore files name, and without these. `read` gives what is in an ignore
 * file; undefined for one that says nothing.
 */
export async function withoutIgnored<File extends TreeFile>(
  { files, others }: { files: File[]; others: File[] },
  read: (file: File) => Promise<Uint8Array | undefined>,
  tracked?: Tracked,
): Promise<{ files: File[]; others: File[] }> {
  const ignored = createIgnored(tracked);
  for (const file of files) {
    const { location, sizeBytes } = file;
    const isRead = isIgnoreFile(location) && sizeBytes <= IGNORE_FILE_BYTES_MAX;
    const content = isRead ? await read(file) : undefined;
    if (content !== undefined) ignored.add(location, content);
  }
  const kept = (all: File[]) =>
    all.filter(({ location }) => !isIgnoreFile(location) && !ignored.file(location));
  return { files: kept(files), others: kept(others) };
}

const SPACES_AT_END = /(?<![\\ ]) +$/;
const RULES_MAX = 10_000;

/** One line of an ignore file. */
interface IgnoreRule {
  glob: Bun.Glob;
  negated: boolean;
  foldersOnly: boolean;
}

type Verdict = "out" | "in";

/** What an ignore file says of a path below its folder; undefined where it says nothing. */
type IgnoreFile = (path: string, isFolder: boolean) => Verdict | undefined;

/**
 * Reads a file that is written like a .gitignore. Bun.Glob does the matching, and not a regular expression: what is
 * read may come from strangers, and no pattern takes it long.
 */
export function parseIgnoreFile(text: string): IgnoreFile {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/, RULES_MAX);
  const rules = lines.flatMap(parseLine).reverse();
  return (path, isFolder) => {
    const last = rules.find((rule) => (isFolder || !rule.foldersOnly) && rule.glob.match(path));
    return last && (last.negated ? "in" : "out");
  };
}

function parseLine(line: string): IgnoreRule[] {
  if (line.startsWith("#")) return [];
  const negated = line.startsWith("!");
  const pattern = line.slice(negated ? 1 : 0).replace(SPACES_AT_END, "");
  const { name, foldersOnly } = foldersNamed(pattern);
  return name === "" ? [] : [{ glob: pathGlob(name), negated, foldersOnly }];
}
