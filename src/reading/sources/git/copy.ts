import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { entriesOf, openExactly, readExactly } from "../open-file.ts";
import { type Git, runGit } from "./command.ts";

const TEXT_BYTES_MAX = 50_000_000;
const TOTAL_BYTES_MAX = 4_000_000_000;
const PIECE_BYTES = 1_000_000;
const FOLDERS_DEEP_MAX = 20;

const LOOSE_FOLDER = /^[\da-f]{2}$/;
const LOOSE_OBJECT = /^[\da-f]{38}(?:[\da-f]{24})?$/;
const PACK = /^pack-[\da-f]{40,64}\.(?:pack|idx)$/;

interface Copying {
  /** Where the repository is, without links in its own path, and where its copy goes. */
  from: string;
  to: string;
  signal: AbortSignal;
  bytes: number;
  /** What the copy holds of objects, below its folder. */
  kept: Set<string>;
}

/**
 * Copies the commits of a repository that is at exactly this place, and returns the copy's folder. Git itself would go
 * wherever links, alternates and settings in the repository lead it: of these nothing comes along. Objects never change,
 * so that a later copy takes only those that are new.
 */
export async function copyRepository(git: Git, place: string, cacheFolder: string): Promise<string> {
  const from = await repositoryIn(place);
  const to = join(cacheFolder, "copy.git");
  await mkdir(cacheFolder, { recursive: true });
  await initCopy(git, from, to);
  const copying: Copying = { from, to, signal: git.signal, bytes: 0, kept: new Set() };
  await copyNames(copying);
  await copyObjects(copying);
  await removeOthers(copying);
  return to;
}

/** The folder that holds a repository's objects: this one, or `.git` in it. */
async function repositoryIn(place: string): Promise<string> {
  for (const folder of [join(place, ".git"), place])
    if (await isFolder(join(folder, "objects"))) return folder;
  throw new AppError("not_found", `${place} is not a git repository that can be read.`, {
    hint: "Name the folder that holds .git, as a folder and not as a link, and the folder of the docs as its subfolder.",
  });
}

const isFolder = (place: string) =>
  entriesOf(place).then(
    () => true,
    () => false,
  );

async function initCopy(git: Git, from: string, to: string): Promise<void> {
  const settings = await textOf(join(from, "config"));
  const format = /^\s*objectformat\s*=\s*sha256\b/im.test(settings ?? "") ? "sha256" : "sha1";
  const made = await runGit(git, [
    "init",
    "--quiet",
    "--bare",
    "--template=",
    `--object-format=${format}`,
    "--",
    to,
  ]);
  if (!made.ok)
    throw new AppError("unavailable", `The repository could not be copied: ${made.complaint}`, {
      hint: "Readers still see what was there before. Does the data directory have room?",
    });
}

/** Branches and tags, and what HEAD names: before the objects, so that none is named that does not come. */
async function copyNames(copying: Copying): Promise<void> {
  const { from, to } = copying;
  for (const name of ["packed-refs", "shallow"]) await rm(join(to, name), { force: true });
  await rm(join(to, "refs"), { recursive: true, force: true });
  await mkdir(join(to, "refs", "heads"), { recursive: true });
  for (const name of ["HEAD", "packed-refs", "shallow"]) await copyText(copying, name);
  for (const folder of ["refs/heads", "refs/tags"])
    if (await isFolder(join(from, folder))) await copyNamesBelow(copying, folder, 0);
}

async function copyNamesBelow(copying: Copying, folder: string, depth: number): Promise<void> {
  copying.signal.throwIfAborted();
  for (const entry of await entriesOf(join(copying.from, folder))) {
    const name = `${folder}/${entry.name}`;
    if (entry.isFile()) await copyText(copying, name);
    else if (entry.isDirectory() && depth < FOLDERS_DEEP_MAX) await copyNamesBelow(copying, name, depth + 1);
  }
}

async function copyText({ from, to }: Copying, name: string): Promise<void> {
  const text = await textOf(join(from, name));
  if (text === undefined) return;
  await mkdir(dirname(join(to, name)), { recursive: true });
  await writeFile(join(to, name), text);
}

/** Reads a small text file; undefined where there is none, or what is there is no file. */
async function textOf(place: string): Promise<string | undefined> {
  const content = await readExactly(place, TEXT_BYTES_MAX).catch(() => undefined);
  return content === undefined ? undefined : new TextDecoder().decode(content);
}

/** Copies single objects before packs: one that is packed meanwhile comes with its pack. */
async function copyObjects(copying: Copying): Promise<void> {
  const entries = await entriesOf(join(copying.from, "objects"));
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const folder of folders.filter((name) => LOOSE_FOLDER.test(name)))
    await copyFolder(copying, `objects/${folder}`, LOOSE_OBJECT);
  if (folders.includes("pack")) await copyFolder(copying, "objects/pack", PACK);
}

async function copyFolder(copying: Copying, folder: string, names: RegExp): Promise<void> {
  const { from, to, signal, kept } = copying;
  const entries = await entriesOf(join(from, folder)).catch(ifGone([]));
  await mkdir(join(to, folder), { recursive: true });
  for (const entry of entries.filter((each) => each.isFile() && names.test(each.name))) {
    signal.throwIfAborted();
    const name = `${folder}/${entry.name}`;
    await copyObject(copying, name).then(() => kept.add(name), ifGone(undefined));
  }
}

/** Takes a value for a file that is gone by now: it was packed, or nothing names it any more. */
function ifGone<T>(value: T) {
  return (error: unknown): T => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return value;
    throw error;
  };
}

async function copyObject(copying: Copying, name: string): Promise<void> {
  const opened = await openExactly(join(copying.from, name), "file");
  try {
    const { size } = await opened.stat();
    copying.bytes += size;
    if (copying.bytes > TOTAL_BYTES_MAX) throw tooLarge();
    const target = join(copying.to, name);
    if ((await stat(target).catch(() => undefined))?.size === size) return;
    const sink = Bun.file(`${target}.partial`).writer();
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await opened.read(piece, 0, Math.min(PIECE_BYTES, size - at), at);
      if (bytesRead === 0) break;
      sink.write(piece.subarray(0, bytesRead));
      await sink.flush();
      at += bytesRead;
    }
    await sink.end();
    await rename(`${target}.partial`, target);
  } finally {
    await opened.close();
  }
}

/** Removes what the repository no longer has: a copy would only ever grow. */
async function removeOthers({ to, kept }: Copying): Promise<void> {
  const objects = join(to, "objects");
  for (const name of await readdir(objects, { recursive: true })) {
    const isObject = /^[\da-f]{2}[\\/]|^pack[\\/]/.test(name);
    if (isObject && !kept.has(`objects/${name.replaceAll("\\", "/")}`)) await rm(join(objects, name));
  }
}

const tooLarge = () =>
  new AppError("too_large", `The repository is larger than ${TOTAL_BYTES_MAX} bytes.`, {
    hint: "Name it with docent sources add on the server: it is then read where it is.",
  });
