import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { AppError } from "../../errors.ts";
import type { Skipped, SourceItem, SourceReader } from "../source-reader.ts";

const MARKDOWN = /\.(md|mdx|markdown)$/i;
const INDEX = /(^|\/)index$/i;
const README = /(^|\/)readme$/i;
const FOLDERS_DEEP_MAX = 64;

/** Why what is in a folder is left out, where it is. */
const LEFT_OUT = {
  outside: "is a link that leaves the folder",
  dangling: "is a link to nothing",
  missing: "has a name that is not UTF-8, or is gone",
};
type Kind = "folder" | "file" | "other" | keyof typeof LEFT_OUT;

interface FolderOptions {
  root: string;
  fileBytesMax: number;
}

/**
 * The Markdown files of a folder. Names that begin with a dot, and node_modules, are left out; a link that leaves the
 * folder is not followed. An index file stands for its folder, and so does a README where there is no index.
 */
export function createFolderReader({ root, fileBytesMax }: FolderOptions): SourceReader {
  return {
    async *list(signal) {
      const base = await openFolder(root);
      const files: string[] = [];
      const skipped: Skipped[] = [];
      await walk(base, base, 0, files, skipped, signal);
      yield* skipped;
      yield* await toItems(base, files.sort(), fileBytesMax);
    },
  };
}

async function openFolder(root: string): Promise<string> {
  try {
    const base = await realpath(root);
    if (!(await stat(base)).isDirectory()) throw new Error("it is a file");
    return base;
  } catch (cause) {
    throw new AppError("not_found", `There is no folder ${root} that can be read.`, { cause });
  }
}

async function walk(
  base: string,
  folder: string,
  depth: number,
  files: string[],
  skipped: Skipped[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  for (const name of await namesIn(folder)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = join(folder, name);
    const location = relative(base, path);
    const kind = await kindOf(base, path);
    if (kind === "folder" && depth < FOLDERS_DEEP_MAX)
      await walk(base, path, depth + 1, files, skipped, signal);
    else if (kind === "file" && MARKDOWN.test(name)) files.push(location);
    else if (kind === "folder") skipped.push({ location, reason: "is nested too deeply" });
    else if (kind !== "file" && kind !== "other") skipped.push({ location, reason: LEFT_OUT[kind] });
  }
}

/** Without what an unreadable folder holds, a run would remove its pages: it ends instead, and nothing changes. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function unreadable(path: string, cause: unknown): AppError {
  return new AppError("unavailable", `${path} cannot be read.`, {
    hint: "Readers still see what was there before. Make it readable for this user, then run this again.",
    cause,
  });
}

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT";

async function kindOf(base: string, path: string): Promise<Kind> {
  const own = await lstat(path).catch((cause) => {
    if (isMissing(cause)) return undefined;
    throw unreadable(path, cause);
  });
  if (own === undefined) return "missing";
  if (!own.isSymbolicLink()) return own.isDirectory() ? "folder" : own.isFile() ? "file" : "other";
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return "dangling";
  if (!(target === base || target.startsWith(base + sep))) return "outside";
  // A folder that is linked from inside the folder is read where it really is, once.
  return (await stat(target)).isFile() ? "file" : "other";
}

async function toItems(
  base: string,
  files: string[],
  fileBytesMax: number,
): Promise<(SourceItem | Skipped)[]> {
  const names = files.map((location) => ({
    location,
    name: location.replaceAll(sep, "/").replace(MARKDOWN, ""),
  }));
  const indexed = new Set(
    names.filter(({ name }) => INDEX.test(name)).map(({ name }) => name.replace(INDEX, "")),
  );
  const taken = new Set<string>();
  const items: (SourceItem | Skipped)[] = [];
  for (const { location, name } of names) {
    const path = pathOf(name, indexed);
    const { size } = await stat(join(base, location)).catch((cause) => {
      throw unreadable(join(base, location), cause);
    });
    if (taken.has(path))
      items.push({ location, reason: `has the same path as another file: ${path || "/"}` });
    else if (size > fileBytesMax) items.push({ location, reason: `is larger than ${fileBytesMax} bytes` });
    else {
      const format = /\.mdx$/i.test(location) ? "mdx" : "md";
      items.push({ path, location, format, read: () => readWhole(join(base, location), fileBytesMax) });
    }
    taken.add(path);
  }
  return items;
}

async function readWhole(file: string, bytesMax: number): Promise<Uint8Array> {
  try {
    const content = await Bun.file(file)
      .slice(0, bytesMax + 1)
      .bytes();
    if (content.length > bytesMax) throw new Error(`it has grown beyond ${bytesMax} bytes while it was read`);
    return content;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function pathOf(name: string, indexed: Set<string>): string {
  if (INDEX.test(name)) return name.replace(INDEX, "");
  const folder = name.replace(README, "");
  return README.test(name) && !indexed.has(folder) ? folder : name;
}
