import type { BigIntStats, Dirent } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Skipped } from "../../source-reader.ts";
import {
  type AccessRules,
  bytesMaxOf,
  createAccessRules,
  createIgnored,
  type FileBounds,
  IGNORE_FILE_BYTES_MAX,
  type Ignored,
  isConfigurationName,
  isIgnoreFile,
  isPrivateName,
  isRuleFile,
  type ReadableFile,
  RULE_FILE_BYTES_MAX,
  readRule,
  roleOf,
  type Tracked,
} from "../files/files.ts";
import { entriesOf, readExactly, unreadable } from "../open-file.ts";
import { ignoredByGit, type LeftPlace } from "./ignored-by-git.ts";

/** No file system in use keeps times more coarsely than this. */
const TIME_STEP_MS = 2_000;

/**
 * Names what a file holds by when and where it was written, as git does. A file that was written just now has no such
 * name: it could be written again in the same step of the file system's clock, and nothing would show it.
 */
function revisionOf(state: BigIntStats, nowMs: number): string | undefined {
  const newestMs = Math.max(Number(state.mtimeMs), Number(state.ctimeMs));
  if (newestMs > nowMs - TIME_STEP_MS) return undefined;
  return [state.mtimeNs, state.ctimeNs, state.size, state.ino].map((part) => part.toString(36)).join("-");
}

const FOLDERS_DEEP_MAX = 64;
const FILES_MAX = 1_000_000;

/** Why what is in a folder is left out, where it is. */
const LEFT_OUT = {
  outside: { reason: "outside", detail: "is a link that leaves the folder" },
  dangling: { reason: "not_found", detail: "is a link to nothing" },
  missing: { reason: "not_found", detail: "has a name that is not UTF-8, or is gone" },
} as const;
/** What an entry is; of a file, where it really is. */
type Kind = "folder" | "other" | keyof typeof LEFT_OUT | { file: string };

interface Walk extends FileBounds {
  /** The folder, without links in its own path. */
  base: string;
  /** The name of the file in it that alone is read, with the folder's rule for it; absent: all that is below. */
  only?: string | undefined;
  found: string;
  clock: Clock;
  signal: AbortSignal;
  /** What git tracks, where the folder is a checkout. */
  tracked: Tracked | undefined;
}

/** What is below a folder. */
interface FolderFiles {
  /** What a page can be made of. */
  files: ReadableFile[];
  /** What pages may take something from. */
  others: ReadableFile[];
  access: AccessRules;
  skipped: Skipped[];
}

/** Finds the files below a folder. */
export async function walkFolder(walk: Walk): Promise<FolderFiles> {
  const ignored = createIgnored(walk.tracked);
  const left: LeftPlace[] = [];
  const access = createAccessRules();
  const files: ReadableFile[] = [];
  const others: ReadableFile[] = [];
  const skipped: Skipped[] = [];

  const visit = async (folder: string, depth: number): Promise<void> => {
    walk.signal.throwIfAborted();
    const entries = await entriesIn(walk, folder);
    if (walk.only === undefined) await noteIgnoreFiles(walk, folder, entries, ignored);
    const folders: string[] = [];
    const visitEntry = async (entry: Dirent): Promise<void> => {
      const location = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const kind = await kindOf(walk.base, location, entry);
      // No ignore file takes a rule away.
      if (isRuleFile(location)) return noteRule(access, location, kind);
      noteLink(walk.base, location, kind, access);
      if (kind === "folder") {
        if (!ignored.folder(location)) folders.push(location);
        else if (ignored.isOfGit(location, true)) left.push({ location, isFolder: true });
      } else if (ignored.file(location)) {
        if (ignored.isOfGit(location, false)) left.push({ location, isFolder: false });
      } else if (typeof kind === "object") {
        if (isForConfiguration(location) || roleOf(location).kind === "other") {
          others.push(otherFile(walk, location, kind.file));
          return;
        }
        const file = await toFile(walk, location, kind.file);
        if (file) files.push(file);
        else skipped.push({ location, found: walk.found, ...LEFT_OUT.missing });
      } else if (kind !== "other") skipped.push({ location, found: walk.found, ...LEFT_OUT[kind] });
    };
    // One folder's files are looked at together: a disk answers many questions in the time of one.
    await Promise.all(entries.filter(({ name }) => isRead(name)).map(visitEntry));
    if (files.length + others.length > FILES_MAX) throw tooManyFiles(walk.base);
    for (const location of folders.sort()) {
      if (depth < FOLDERS_DEEP_MAX) await visit(location, depth + 1);
      else skipped.push({ location, found: walk.found, reason: "refused", detail: "is nested too deeply" });
    }
  };
  await visit("", 0);
  skipped.push(...(await ignoredByGit(walk, left, files)));
  return { files, others, access, skipped };
}

/** Reads the rule of a folder. Whatever else has its name is none that can be read. */
async function noteRule(access: AccessRules, location: string, kind: Kind): Promise<void> {
  if (kind === "folder" || kind === "other") return access.refuse(location, "is no file");
  if (typeof kind !== "object") return access.refuse(location, LEFT_OUT[kind].detail);
  // How large it is shows when it is read.
  await readRule(access, { location, sizeBytes: 0 }, () => readExactly(kind.file, RULE_FILE_BYTES_MAX));
}

/** A file that is another one by a link is for whom both are for. */
function noteLink(base: string, location: string, kind: Kind, access: AccessRules): void {
  if (typeof kind !== "object" || kind.file === join(base, location)) return;
  access.link(location, relative(base, kind.file).replaceAll(sep, "/"));
}

const isRead = (name: string) => !isPrivateName(name) || isConfigurationName(name);

const isForConfiguration = (location: string) => location.split("/").some(isConfigurationName);

/** What is in a folder, or the file of it that is meant, which no ignore file takes away, and its rule. */
async function entriesIn({ base, only }: Walk, folder: string): Promise<Dirent[]> {
  const entries = await listFolder(join(base, folder));
  return only === undefined ? entries : entries.filter(({ name }) => name === only || isRuleFile(name));
}

/** Lists a folder. One that cannot be read ends the run: its pages would be taken for gone. */
async function listFolder(folder: string): Promise<Dirent[]> {
  try {
    return await entriesOf(folder);
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

async function noteIgnoreFiles(
  walk: Walk,
  folder: string,
  entries: Dirent[],
  ignored: Ignored,
): Promise<void> {
  for (const { name } of entries.filter((entry) => entry.isFile() && isIgnoreFile(entry.name))) {
    // Pages that an unreadable ignore file hides would be shown: this ends the run as an unreadable folder does.
    const content = await readExactly(join(walk.base, folder, name), IGNORE_FILE_BYTES_MAX);
    ignored.add(folder === "" ? name : `${folder}/${name}`, content);
  }
}

async function kindOf(base: string, location: string, entry: Dirent): Promise<Kind> {
  if (entry.isDirectory()) return "folder";
  const path = join(base, location);
  if (entry.isFile()) return { file: path };
  // Some file systems do not say in the listing what an entry is.
  const own = await lstat(path).catch((cause: unknown) => {
    if (isMissing(cause)) return undefined;
    throw unreadable(path, cause);
  });
  if (own === undefined) return "missing";
  if (!own.isSymbolicLink()) return own.isDirectory() ? "folder" : own.isFile() ? { file: path } : "other";
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return "dangling";
  if (!(target === base || target.startsWith(base.endsWith(sep) ? base : base + sep))) return "outside";
  // A folder that is linked from inside the folder is read where it really is, once.
  return (await lstat(target)).isFile() ? { file: target } : "other";
}

/** A file as it is on the disk. One that says nothing of itself is listed all the same: reading it tells why. */
async function toFile(walk: Walk, location: string, place: string): Promise<ReadableFile | undefined> {
  const read = () => readExactly(place, bytesMaxOf({ location }, walk));
  try {
    const state = await lstat(place, { bigint: true });
    return { location, sizeBytes: Number(state.size), validator: revisionOf(state, walk.clock()), read };
  } catch (cause) {
    return isMissing(cause) ? undefined : { location, sizeBytes: 0, read };
  }
}

/** Most of them are never asked for: their size is only looked at when they are read. */
const otherFile = (walk: Walk, location: string, place: string): ReadableFile => ({
  location,
  sizeBytes: 0,
  read: () => readExactly(place, bytesMaxOf({ location }, walk)),
});

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT";

function tooManyFiles(folder: string): AppError {
  return new AppError("too_large", `${folder} holds more than ${FILES_MAX} files that could be pages.`, {
    hint: "Name a smaller folder, or leave parts of it out in a .docentignore file.",
  });
}
