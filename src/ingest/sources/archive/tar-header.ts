import type { ArchiveEntry } from "./entry.ts";
import { damaged } from "./entry.ts";

export const BLOCK_BYTES = 512;

const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const SPACE = 32;

/** What an entry is; the last four say something of the entry that follows. */
export type TarKind = ArchiveEntry["kind"] | "long name" | "long link" | "pax" | "pax for all";

const KINDS: Readonly<Record<string, TarKind>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "link",
  "2": "link",
  "5": "folder",
  L: "long name",
  K: "long link",
  x: "pax",
  g: "pax for all",
};

/** One header of a tar. */
export interface TarHeader {
  name: string;
  kind: TarKind;
  sizeBytes: number;
}

/** Reads a header; undefined where the block is no header of a tar. */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (bytes.length < BLOCK_BYTES || !hasItsChecksum(bytes)) return undefined;
  const type = String.fromCharCode(bytes[156] ?? 0);
  const name = textAt(bytes, 0, 100);
  const isUstar = bytes.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isUstar ? textAt(bytes, 345, 155) : "";
  const kind = KINDS[type] ?? "other";
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    // Before there was a mark for folders, their names ended in a slash.
    kind: kind === "file" && name.endsWith("/") ? "folder" : kind,
    sizeBytes: sizeAt(bytes),
  };
}

/** What a pax header says that matters here; the last word counts. */
export interface PaxSaid {
  path?: string;
  size?: string;
  /** What follows is a file with holes, and not as it stands in the archive. */
  isSparse?: true;
}

/** Reads a pax header: lines of "length name=value". What else they name may be without end, and is not kept. */
export function parsePax(content: Uint8Array): PaxSaid {
  const bytes = Buffer.from(content);
  const said: PaxSaid = {};
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(SPACE, at);
    const length = space < 0 ? 0 : Number(bytes.toString("latin1", at, space));
    if (!(length > space - at && at + length <= bytes.length))
      throw damaged("an entry's long name cannot be read");
    const line = bytes.toString("utf8", space + 1, at + length - 1);
    const equals = line.indexOf("=");
    const name = line.slice(0, equals);
    if (name === "path" || name === "size") said[name] = line.slice(equals + 1);
    else if (name.startsWith("GNU.sparse.")) said.isSparse = true;
    at += length;
  }
  return said;
}

export const textOfBytes = (content: Uint8Array) => new TextDecoder().decode(content).replace(/\0.*$/s, "");

function hasItsChecksum(bytes: Buffer): boolean {
  const told = Number.parseInt(textAt(bytes, CHECKSUM_AT, CHECKSUM_BYTES).trim(), 8);
  const sum = bytes.subarray(0, BLOCK_BYTES).reduce((total, byte, at) => {
    const isOwn = at >= CHECKSUM_AT && at < CHECKSUM_AT + CHECKSUM_BYTES;
    return total + (isOwn ? SPACE : byte);
  }, 0);
  return told === sum;
}

const textAt = (bytes: Buffer, at: number, length: number) => textOfBytes(bytes.subarray(at, at + length));

function sizeAt(bytes: Buffer): number {
  const field = bytes.subarray(124, 136);
  // What octal digits cannot hold is written in binary, and marked by the highest bit.
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const size = isBinary
    ? Number(field.readBigUInt64BE(4))
    : Number.parseInt(textAt(bytes, 124, 12).trim() || "0", 8);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged("an entry's size cannot be read");
  return size;
}
