import { type BigIntStats, constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { platform } from "node:process";
import { AppError } from "@docent/kernel/errors";
import { outsideOfRoots } from "../allowed-places.ts";

/** What to do where a source of this machine is not there: it may have come with a bundle from another one. */
export const GONE =
  "Readers still see what was read before. Bring it back, or take the source off its schedule: docent sources schedule <domain> <number> never";

/** Whether a place, links followed, may be read. Where there is none, the operator named the place, wherever it is. */
export type IsInside = (place: string) => boolean;

// A pipe would be waited for, and a terminal become the program's own. Windows knows neither, nor has it these flags.
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants;
const AT_ONCE = O_RDONLY | O_NONBLOCK | O_NOCTTY;
/** An editor, or a checkout, may put another file in its place between the two looks at it. */
const TRIES = 3;
const PIECE_BYTES_MAX = 1_000_000;
const SWAPPED = "a link has taken its place, or that of a folder on the way to it";

/**
 * Opens a file or folder that is at exactly this place, and raises where any part of the way has become a link: it is
 * what was opened that is asked where it is, so that nothing can be put in its place between a look and the other.
 */
export async function openExactly(place: string, what: "file" | "folder"): Promise<FileHandle> {
  const flags = AT_ONCE | O_NOFOLLOW | (what === "folder" ? O_DIRECTORY : 0);
  for (let tried = 1; ; tried++) {
    const opened = await open(place, flags);
    try {
      if ((await placeOf(opened, place)) === place) return await checkKind(opened, what);
    } catch (error) {
      await opened.close();
      throw error;
    }
    await opened.close();
    if (tried === TRIES) throw new Error(SWAPPED);
  }
}

/** What is in the folder that is at exactly this place. */
export async function entriesOf(place: string): Promise<Dirent[]> {
  if (platform === "win32") return readdir(place, { withFileTypes: true });
  const opened = await openExactly(place, "folder");
  try {
    // Where /proc is, the open folder itself is listed; elsewhere what is at the place, before it is looked at again.
    const own = await readdir(descriptorOf(opened), { withFileTypes: true }).catch(() => undefined);
    if (own !== undefined) return own;
    const entries = await readdir(place, { withFileTypes: true });
    if ((await placeOf(opened, place)) !== place) throw new Error(SWAPPED);
    return entries;
  } finally {
    await opened.close();
  }
}

/** Opens a file, wherever a link leads that stands for it. Raises `forbidden` where that is not inside. */
export async function openFile(path: string, isInside?: IsInside): Promise<FileHandle> {
  if (isInside !== undefined) return openExactly(await realPlace(path, isInside), "file");
  const opened = await open(path, AT_ONCE);
  try {
    return await checkKind(opened, "file");
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Where a path really leads. Raises `forbidden` where that is not inside, or nowhere. */
export async function realPlace(path: string, isInside: IsInside): Promise<string> {
  const place = await realpath(path).catch(() => undefined);
  if (place === undefined || !isInside(place)) throw outsideOfRoots(path);
  return place;
}

/** All that a file holds, never more than the bound, however it grows meanwhile. */
async function readOpened(opened: FileHandle, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let expected = (await opened.stat()).size;
  while (length <= bytesMax) {
    const room = Math.min(Math.max(expected - length, 0) + 1, PIECE_BYTES_MAX, bytesMax + 1 - length);
    const { bytesRead, buffer } = await opened.read(Buffer.allocUnsafe(room), 0, room, length);
    if (bytesRead === 0) return Buffer.concat(pieces, length);
    pieces.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
    // The file has become longer than its size said.
    if (length > expected) expected = length + PIECE_BYTES_MAX;
  }
  throw new Error(`it has grown beyond ${bytesMax} bytes while it was read`);
}

/** The whole of a file, never more than the bound. */
export async function readFileWithin(
  path: string,
  bytesMax: number,
  isInside?: IsInside,
): Promise<Uint8Array> {
  return readAndClose(path, () => openFile(path, isInside), bytesMax);
}

/** The whole of a file that is at exactly this place. */
export async function readExactly(place: string, bytesMax: number): Promise<Uint8Array> {
  return readAndClose(place, () => openExactly(place, "file"), bytesMax);
}

async function readAndClose(
  path: string,
  openIt: () => Promise<FileHandle>,
  bytesMax: number,
): Promise<Uint8Array> {
  try {
    const opened = await openIt();
    try {
      return await readOpened(opened, bytesMax);
    } finally {
      await opened.close();
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : unreadable(path, cause);
  }
}

/** What ends a run that cannot see a file or folder. */
export function unreadable(path: string, cause: unknown): AppError {
  return new AppError("unavailable", `${path} cannot be read.`, {
    hint: "Readers still see what was there before. Make it readable for this user, then run this again.",
    cause,
  });
}

async function checkKind(opened: FileHandle, what: "file" | "folder"): Promise<FileHandle> {
  const state = await opened.stat();
  if (what === "file" ? state.isFile() : state.isDirectory()) return opened;
  throw new Error(`it is no ${what}`);
}

/** Where what was opened is: Linux says so of the open file itself. */
async function placeOf(opened: FileHandle, asked: string): Promise<string | undefined> {
  const told = await readlink(descriptorOf(opened)).catch(() => undefined);
  if (told !== undefined) return told;
  // Elsewhere it is compared with what is at that place, if no link is on the way there.
  const place = await realpath(asked);
  const [own, there] = await Promise.all([opened.stat({ bigint: true }), lstat(place, { bigint: true })]);
  return isSameFile(own, there) ? place : undefined;
}

const descriptorOf = ({ fd }: FileHandle) => `/proc/self/fd/${fd}`;

const isSameFile = (a: BigIntStats, b: BigIntStats) => a.dev === b.dev && a.ino === b.ino;
