import type { Entry } from "./entry.ts";

const S_IFREG = 0o100_000;
const S_IFDIR = 0o040_000;
const S_IFLNK = 0o120_000;

/** The kind and the mode of an entry, as the system writes both in one number. */
export function modeOf(entry: Entry): number {
  return { file: S_IFREG, folder: S_IFDIR, link: S_IFLNK }[entry.kind] | entry.mode;
}

/** What is in an entry: the bytes of a file, or where a link leads. */
export function contentOf(entry: Entry): Uint8Array {
  if (entry.kind === "file") return entry.bytes;
  return entry.kind === "link" ? Buffer.from(entry.target) : new Uint8Array();
}

/** An archive in cpio's format newc, which is the payload of a package of RPM. */
export function cpio(entries: readonly Entry[], changedAt: number): Uint8Array {
  const parts = entries.flatMap((entry, index) =>
    member(`./${entry.path}`, contentOf(entry), { inode: index + 1, mode: modeOf(entry), changedAt }),
  );
  const end = member("TRAILER!!!", new Uint8Array(), { inode: 0, mode: 0, changedAt: 0 });
  return Buffer.concat([...parts, ...end]);
}

function member(
  name: string,
  bytes: Uint8Array,
  { inode, mode, changedAt }: { inode: number; mode: number; changedAt: number },
): Uint8Array[] {
  const named = Buffer.from(`${name}\0`);
  const fields = [inode, mode, 0, 0, 1, changedAt, bytes.length, 0, 0, 0, 0, named.length, 0];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`;
  return [Buffer.from(header), named, padding(header.length + named.length), bytes, padding(bytes.length)];
}

const padding = (length: number) => new Uint8Array((4 - (length % 4)) % 4);
