import { createByteSource } from "../../byte-source.ts";
import { type ArchiveEntry, damaged, ENTRIES_MAX, tooLarge } from "./entry.ts";

export const BLOCK_BYTES = 512;

const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const SPACE = 32;

/** What an entry is; the last four say something of the entry that follows. */
type TarKind = ArchiveEntry["kind"] | "long name" | "long link" | "pax" | "pax for all";

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
interface TarHeader {
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

/** What a pax header says that matters here: of two that name the same thing, the last one counts. */
interface PaxSaid {
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

const textOfBytes = (content: Uint8Array) => new TextDecoder().decode(content).replace(/\0.*$/s, "");

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

const LONG_NAME_BYTES_MAX = 1_000_000;

/** An entry of a tar while the tar is read. */
interface TarEntry extends ArchiveEntry {
  /** The whole of it. Only until the next entry is asked for, and once. */
  read(): Promise<Uint8Array>;
}

/** The entries of a tar as they come. Throws where the tar ends before its end is marked. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = createByteSource(stream);
  let ahead: PaxSaid = {};
  let forAll: PaxSaid = {};
  for (let count = 0; ; count++) {
    if (count > ENTRIES_MAX) throw tooLarge(`has more than ${ENTRIES_MAX} entries`);
    const block = await bytes.take(BLOCK_BYTES);
    if (block.length < BLOCK_BYTES) throw damaged("it ends too early");
    if (block.every((byte) => byte === 0)) return;
    const header = parseTarHeader(block);
    if (!header) throw damaged("an entry's header cannot be read");

    const said = isAboutNext(header) ? await take(header.sizeBytes, LONG_NAME_BYTES_MAX) : undefined;
    if (said && header.kind === "pax for all") forAll = { ...forAll, ...parsePax(said) };
    else if (said && header.kind === "pax") ahead = { ...ahead, ...parsePax(said) };
    else if (said && header.kind === "long name") ahead.path = textOfBytes(said);
    if (said) continue;

    const entry = toEntry(header, { ...forAll, ...ahead });
    ahead = {};
    let isRead = false;
    yield {
      ...entry,
      read: () => {
        isRead = true;
        return take(entry.sizeBytes, entry.sizeBytes);
      },
    };
    if (!isRead) await pass(padded(entry.sizeBytes));
  }

  async function take(sizeBytes: number, bytesMax: number): Promise<Uint8Array> {
    if (sizeBytes > bytesMax) throw damaged("an entry's name is far too long");
    const content = await bytes.take(sizeBytes);
    if (content.length < sizeBytes) throw damaged("it ends too early");
    await pass(padded(sizeBytes) - sizeBytes);
    return content;
  }

  async function pass(count: number): Promise<void> {
    if ((await bytes.skip(count)) < count) throw damaged("it ends too early");
  }
}

const isAboutNext = ({ kind }: TarHeader) =>
  kind === "pax" || kind === "pax for all" || kind === "long name" || kind === "long link";

function toEntry({ name, kind, sizeBytes }: TarHeader, said: PaxSaid): ArchiveEntry {
  const { path = name, size, isSparse } = said;
  const isKnown = kind === "file" || kind === "folder" || kind === "link";
  const bytes = size === undefined ? sizeBytes : Number(size);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw damaged("an entry's size cannot be read");
  return { name: path, kind: isKnown && !isSparse ? kind : "other", sizeBytes: bytes };
}

const padded = (count: number) => Math.ceil(count / BLOCK_BYTES) * BLOCK_BYTES;
