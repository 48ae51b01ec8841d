import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Tracked } from "../files/files.ts";
import type { IsInside } from "../open-file.ts";

const FOLDERS_UP_MAX = 16;
const INDEX_BYTES_MAX = 200_000_000;

/**
 * What git tracks below a folder that is a checkout, or lies in one: by the index of the checkout, which is read and no
 * program run. Undefined where there is none that may be read.
 */
export async function trackedBelow(
  base: string,
  isInside: IsInside | undefined,
): Promise<Tracked | undefined> {
  let folder = base;
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    if (up > 0 && isInside?.(folder) === false) return undefined;
    const place = join(folder, ".git", "index");
    const index = Bun.file(place);
    // A link is not followed: it may leave what may be read.
    const isThere = (await realpath(place).catch(() => undefined)) === place;
    if (isThere && index.size <= INDEX_BYTES_MAX) {
      const names = namesIn(await index.bytes().catch(() => new Uint8Array()));
      const below = relative(folder, base).replaceAll(sep, "/");
      return names === undefined ? undefined : trackedOf(names, below === "" ? "" : `${below}/`);
    }
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

function trackedOf(names: readonly string[], prefix: string): Tracked {
  const files = new Set(
    names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  );
  const folders = new Set<string>();
  for (const file of files)
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return { file: (location) => files.has(location), folder: (location) => folders.has(location) };
}

/** Where the flags of an entry stand, behind what git knows of the file's state; the name follows. */
const FLAGS_AT = 60;
const SHA256_MORE = 12;
/** No file system has longer ones. In version 4 a name goes on with the one before it: a few bytes each could fill the memory. */
const NAME_BYTES_MAX = 4096;
const EXTENDED = 0x4000;

/** The names in git's index, versions 2 to 4; undefined for what is none. */
export function namesIn(bytes: Uint8Array): string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isIndex = bytes.length >= 12 && new TextDecoder().decode(bytes.subarray(0, 4)) === "DIRC";
  const version = isIndex ? view.getUint32(4) : 0;
  if (version < 2 || version > 4) return undefined;
  // The names of a repository with longer hashes begin later.
  return readNames(bytes, view, FLAGS_AT) ?? readNames(bytes, view, FLAGS_AT + SHA256_MORE);
}

function readNames(bytes: Uint8Array, view: DataView, flagsAt: number): string[] | undefined {
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  const names: string[] = [];
  let last: Uint8Array = new Uint8Array();
  let at = 12;
  for (let index = 0; index < count; index++) {
    if (at + flagsAt + 2 > bytes.length) return undefined;
    const flags = view.getUint16(at + flagsAt);
    let start = at + flagsAt + (version > 2 && (flags & EXTENDED) !== 0 ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const cut = readCount(bytes, start);
      kept = last.length - cut.value;
      start = cut.end;
    }
    const end = bytes.indexOf(0, start);
    if (end < 0 || kept < 0) return undefined;
    if (kept + end - start > NAME_BYTES_MAX) return undefined;
    last = Buffer.concat([last.subarray(0, kept), bytes.subarray(start, end)]);
    names.push(new TextDecoder().decode(last));
    // Entries of the older versions end at a multiple of eight, with one zero at least.
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
    if (last.length === 0) return undefined;
  }
  return names;
}

/** A number as git writes how much of the name before is cut off. */
function readCount(bytes: Uint8Array, from: number): { value: number; end: number } {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}
