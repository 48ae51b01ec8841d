import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// What a power cut may leave of a folder, from a record of the system calls on it. Synced is kept; of the rest any
// part may be there, of names as of content.

/** One change that a program made below the folder. */
type Change =
  | { kind: "write"; file: File; at: number; bytes: Buffer }
  | { kind: "truncate"; file: File; size: number }
  | { kind: "name"; folder: string; name: string; file: File | undefined }
  | { kind: "syncFile"; file: File }
  | { kind: "syncFolder"; folder: string };

/** A file whatever it is called. */
interface File {
  number: number;
}

/** What strace is told, before the command. */
export const STRACE = [
  "strace",
  "-f",
  "-y",
  "-xx",
  "-s",
  "4000000",
  "-e",
  "signal=none",
  "-e",
  "trace=openat,pwrite64,write,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,copy_file_range,sendfile",
];

/** Reads what strace wrote of a program that worked below a folder, of which nothing was there before. */
export function readChanges(record: string, root: string): Change[] {
  const changes: Change[] = [];
  const files = new Map<string, File>();
  const lengths = new Map<File, number>();
  /** Where each file ends, by whichever call: there begins what is appended. */
  const ends = new Map<File, number>();
  const endsAt = (file: File, end: number) => ends.set(file, Math.max(end, ends.get(file) ?? 0));
  let count = 0;
  const isBelow = (path: string) => path === root || path.startsWith(`${root}/`);
  const name = (path: string, file: File | undefined) => {
    if (file) files.set(path, file);
    else files.delete(path);
    changes.push({ kind: "name", folder: dirname(path), name: path.slice(dirname(path).length + 1), file });
  };
  for (const { call, args, result } of callsOf(record)) {
    if (result < 0) continue;
    const paths = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = ""]) => decode(hex));
    const open = /^(?:\w+)<([^>]*)>/.exec(args)?.[1];
    const path = open === undefined ? "" : decodeName(open);
    const named = paths.map((each) => each.toString()).filter(isBelow);
    const [first = "", second = ""] = named;
    if (call === "openat" && first !== "" && /O_CREAT/.test(args) && !files.has(first))
      name(first, { number: count++ });
    else if (call === "openat" && first !== "" && /O_TRUNC/.test(args)) {
      const file = files.get(first);
      if (file) changes.push({ kind: "truncate", file, size: 0 });
    } else if (/^rename/.test(call) && second !== "") {
      const moved = files.get(first);
      name(first, undefined);
      name(second, moved);
    } else if (/^unlink/.test(call) && first !== "") name(first, undefined);
    const appended = call === "openat" && /O_APPEND/.test(args) ? files.get(first) : undefined;
    if (appended) lengths.set(appended, ends.get(appended) ?? 0);
    if (path === "" || !isBelow(path)) continue;
    const file = files.get(path);
    if (call === "fsync" || call === "fdatasync")
      changes.push(file ? { kind: "syncFile", file } : { kind: "syncFolder", folder: path });
    if (file === undefined) continue;
    if (call === "ftruncate") {
      const size = Number(args.split(", ").at(-1));
      changes.push({ kind: "truncate", file, size });
      ends.set(file, size);
    }
    if (call === "pwrite64") {
      const at = Number(args.split(", ").at(-1));
      changes.push({ kind: "write", file, at, bytes: (paths[0] ?? Buffer.alloc(0)).subarray(0, result) });
      endsAt(file, at + result);
    }
    if (call === "write") {
      const at = lengths.get(file) ?? 0;
      changes.push({ kind: "write", file, at, bytes: (paths[0] ?? Buffer.alloc(0)).subarray(0, result) });
      lengths.set(file, at + result);
      endsAt(file, at + result);
    }
    if (call === "copy_file_range" || call === "sendfile")
      throw new Error("what is copied by the system itself is not in the record");
  }
  return changes;
}

/** The files below a folder, by their paths in it, and what is in them. */
type Image = ReadonlyMap<string, Uint8Array>;

/** What a cut after so many changes may leave. `keeps` says of each change that was not synced whether it is there. */
export function imageAfter(
  changes: readonly Change[],
  cut: number,
  root: string,
  keeps: () => boolean,
): Image {
  const happened = changes.slice(0, cut);
  const areSynced = syncedLater(happened);
  const contents = new Map<File, Content>();
  const names = new Map<string, File>();
  for (const [index, change] of happened.entries()) {
    if (change.kind === "syncFile" || change.kind === "syncFolder") continue;
    if (!areSynced[index] && !keeps()) continue;
    if (change.kind === "name") {
      const path = join(change.folder, change.name);
      if (change.file) names.set(path, change.file);
      else names.delete(path);
      continue;
    }
    const content = contents.get(change.file) ?? { room: Buffer.alloc(0), size: 0 };
    contents.set(change.file, content);
    if (change.kind === "write") write(content, change.at, change.bytes);
    else truncate(content, change.size);
  }
  const image = new Map<string, Uint8Array>();
  for (const [path, file] of names) {
    // The index of a write-ahead log lives in memory alone, and is made anew.
    if (path.endsWith("-shm")) continue;
    const { room, size } = contents.get(file) ?? { room: Buffer.alloc(0), size: 0 };
    image.set(path.slice(root.length), room.subarray(0, size));
  }
  return image;
}

/** A word for all of an image: two that are the same to the byte have the same. */
export const markOf = (image: Image): string =>
  [...image]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => `${path} ${Bun.hash(bytes)}`)
    .join("\n");

export function layDown(image: Image, folder: string): void {
  for (const [path, bytes] of image) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

/** Whether what each change did was synced by a later one. */
function syncedLater(changes: readonly Change[]): boolean[] {
  const files = new Set<File>();
  const folders = new Set<string>();
  const are: boolean[] = [];
  for (const [index, change] of [...changes.entries()].reverse()) {
    if (change.kind === "syncFile") files.add(change.file);
    else if (change.kind === "syncFolder") folders.add(change.folder);
    else are[index] = change.kind === "name" ? folders.has(change.folder) : files.has(change.file);
  }
  return are;
}

/** What is in a file, at the beginning of room for more. */
interface Content {
  room: Buffer;
  size: number;
}

function write(content: Content, at: number, bytes: Buffer): void {
  const end = at + bytes.length;
  makeRoom(content, end);
  bytes.copy(content.room, at);
  content.size = Math.max(content.size, end);
}

function truncate(content: Content, size: number): void {
  makeRoom(content, size);
  content.room.fill(0, Math.min(size, content.size));
  content.size = size;
}

function makeRoom(content: Content, bytes: number): void {
  if (bytes <= content.room.length) return;
  const room = Buffer.alloc(Math.max(bytes, 2 * content.room.length));
  content.room.copy(room);
  content.room = room;
}

interface Call {
  call: string;
  args: string;
  result: number;
}

/** Each call whole: one that another thread interrupted stands in two lines. */
function* callsOf(record: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of record.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(thread, rest.slice(0, -"<unfinished ...>".length).trimEnd());
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    const whole = resumed === undefined ? rest : (begun.get(thread) ?? "") + resumed;
    const [, call, args, result] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(whole) ?? [];
    if (call !== undefined && args !== undefined) yield { call, args, result: Number(result) };
  }
}

const decode = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");
const decodeName = (name: string) => (name.startsWith("\\x") ? decode(name).toString() : name);
