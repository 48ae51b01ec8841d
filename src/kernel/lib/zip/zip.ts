import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";

/** Where a zip's bytes are: a file, or memory. */
export interface ZipBytes {
  size: number;
  /** As many bytes from there as there are, at most so many. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Why a zip cannot be read: what is wrong with it, or that it is more than may be read. Completes "The zip …". */
export class ZipFault extends Error {
  constructor(
    readonly kind: "damaged" | "too_large",
    readonly detail: string,
    cause?: unknown,
  ) {
    super(detail, cause === undefined ? {} : { cause });
  }
}

const damaged = (detail: string, cause?: unknown) => new ZipFault("damaged", detail, cause);
const tooLarge = (detail: string) => new ZipFault("too_large", detail);

const ENTRIES_MAX = 1_000_000;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const DIRECTORY_BYTES_MAX = 256_000_000;
/** Stands where the real number is in the zip64 part. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;
const MADE_ON_UNIX = 3;
const UNIX_KIND = 0o170000;
const UNIX_LINK = 0o120000;
/**
 * How far an archive may be compressed. Text becomes a tenth or a twentieth of itself: what becomes less was made to
 * burst.
 */
const RATIO_MAX = 200;
const RATIO_FREE_BYTES = 1_000_000;

/** An entry of a zip, with what it takes to read it. */
export interface ZipEntry {
  /** As it stands in the zip. */
  name: string;
  kind: "file" | "folder" | "link";
  sizeBytes: number;
  /** Why it cannot be read, where that is so; completes "<name> …". */
  refusal?: string | undefined;
  crc: number;
  method: number;
  packedBytes: number;
  headerAt: number;
}

/** The entries of a zip, from the directory at its end. */
export async function readZipDirectory(zip: ZipBytes, entriesMax = ENTRIES_MAX): Promise<ZipEntry[]> {
  const { count, at, bytes } = await findDirectory(zip, entriesMax);
  const directory = await readAt(zip, at, bytes);
  const entries: ZipEntry[] = [];
  let offset = 0;
  while (entries.length < count) {
    checkEntryAt(directory, offset);
    const length =
      ENTRY_BYTES + [28, 30, 32].reduce((sum, field) => sum + directory.readUInt16LE(offset + field), 0);
    if (offset + length > directory.length) throw damaged("its directory ends too early");
    entries.push(toEntry(directory.subarray(offset, offset + length)));
    offset += length;
  }
  return entries;
}

/** Whether a zip has an entry, by a glance at where its directory begins: a million of them take a second to read. */
export async function hasZipEntries(zip: ZipBytes): Promise<boolean> {
  const { count, at, bytes } = await findDirectory(zip, ENTRIES_MAX);
  if (count > 0) checkEntryAt(await readAt(zip, at, Math.min(bytes, ENTRY_BYTES)), 0);
  return count > 0;
}

function checkEntryAt(directory: Buffer, offset: number): void {
  if (offset + ENTRY_BYTES > directory.length || directory.readUInt32LE(offset) !== ENTRY_SIGNATURE)
    throw damaged("its directory ends too early");
}

interface Directory {
  count: number;
  at: number;
  bytes: number;
}

/** Where the directory is, as it is told and as it can be. */
async function findDirectory(zip: ZipBytes, entriesMax: number): Promise<Directory> {
  const { size } = zip;
  const { count, at, bytes } = await readEnd(zip);
  if (count > entriesMax || bytes > DIRECTORY_BYTES_MAX)
    throw tooLarge(`has more than ${entriesMax} entries`);
  if (at + bytes > size) throw damaged("its directory lies beyond its end");
  return { count, at, bytes };
}

async function readEnd(zip: ZipBytes): Promise<Directory> {
  const { size } = zip;
  const tailBytes = Math.min(size, END_BYTES + COMMENT_BYTES_MAX);
  const tail = await readAt(zip, size - tailBytes, tailBytes);
  const at = endIn(tail);
  if (at !== undefined) {
    const own = {
      count: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
    };
    return (await findZip64(zip, size - tailBytes + at)) ?? own;
  }
  throw damaged("a zip's directory is at its end, and there is none");
}

/** Where the end of the directory lies: right before the zip's, or else, where bytes were appended, as late as there is one. */
function endIn(tail: Buffer): number | undefined {
  let latest: number | undefined;
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at;
    latest ??= at;
  }
  return latest;
}

async function findZip64(zip: ZipBytes, endAt: number) {
  if (endAt < LOCATOR_BYTES) return undefined;
  const locator = await readAt(zip, endAt - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return undefined;
  const end = await readAt(zip, numberAt(locator, 8), END64_BYTES);
  if (end.readUInt32LE(0) !== END64_SIGNATURE) throw damaged("its zip64 directory is not where it should be");
  return { count: numberAt(end, 32), bytes: numberAt(end, 40), at: numberAt(end, 48) };
}

function toEntry(record: Buffer): ZipEntry {
  const flags = record.readUInt16LE(8);
  const nameEnd = ENTRY_BYTES + record.readUInt16LE(28);
  const name = nameOf(record.subarray(ENTRY_BYTES, nameEnd));
  const method = record.readUInt16LE(10);
  const extra = record.subarray(nameEnd, nameEnd + record.readUInt16LE(30));
  const [sizeBytes, packedBytes, headerAt] = wideNumbers(extra, [
    record.readUInt32LE(24),
    record.readUInt32LE(20),
    record.readUInt32LE(42),
  ]);
  const isUnix = record.readUInt8(5) === MADE_ON_UNIX;
  const isLink = isUnix && ((record.readUInt32LE(38) >>> 16) & UNIX_KIND) === UNIX_LINK;
  return {
    name,
    kind: isLink ? "link" : name.endsWith("/") ? "folder" : "file",
    sizeBytes,
    packedBytes,
    headerAt,
    method,
    crc: record.readUInt32LE(16),
    refusal: refusalOf({ isEncrypted: (flags & 1) === 1, method, sizeBytes, packedBytes }),
  };
}

/** Since 2006 names are UTF-8 where they say so, and mostly where they do not. */
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

/** The numbers that do not fit their fields are in the zip64 part, in this order. */
function wideNumbers(extra: Buffer, narrow: [number, number, number]): [number, number, number] {
  let wide: Buffer = Buffer.alloc(0);
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === ZIP64_FIELD)
      wide = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  let offset = 0;
  const widen = (value: number): number => {
    if (value !== IN_ZIP64) return value;
    if (offset + 8 > wide.length) throw damaged("an entry's size is missing");
    offset += 8;
    return numberAt(wide, offset - 8);
  };
  return [widen(narrow[0]), widen(narrow[1]), widen(narrow[2])];
}

interface Packing {
  isEncrypted: boolean;
  method: number;
  sizeBytes: number;
  packedBytes: number;
}

function refusalOf({ isEncrypted, method, sizeBytes, packedBytes }: Packing): string | undefined {
  if (isEncrypted) return "is encrypted";
  if (method !== 0 && method !== 8) return `is compressed in a way that is not read (method ${method})`;
  if (packedBytes > sizeBytes * 2 + RATIO_FREE_BYTES) return "is packed in far more room than it needs";
  if (sizeBytes > packedBytes * RATIO_MAX + RATIO_FREE_BYTES)
    return "would unpack to far more than a page of its size";
  return undefined;
}

function numberAt(buffer: Buffer, offset: number): number {
  const value = buffer.readBigUInt64LE(offset);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged("it names a place that no file has");
  return Number(value);
}

/** Exactly so many bytes from a place. */
async function readAt(zip: ZipBytes, position: number, length: number): Promise<Buffer> {
  const bytes = await zip.read(position, length);
  if (bytes.length < length) throw damaged("it ends too early");
  return bytes;
}

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const STORED = 0;

const inflate = promisify(inflateRaw);

/** The content of an entry, checked against what the directory says of it. */
export async function readZipEntry(zip: ZipBytes, entry: ZipEntry): Promise<Uint8Array> {
  const packed = await readPacked(zip, entry);
  const content = entry.method === STORED ? packed : await unpack(packed, entry);
  const isWhole = content.length === entry.sizeBytes && crc32(content) === entry.crc;
  if (!isWhole) throw damaged(`${entry.name} is not what its directory says`);
  return content;
}

async function readPacked(zip: ZipBytes, { headerAt, packedBytes }: ZipEntry): Promise<Buffer> {
  const header = await readAt(zip, headerAt, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw damaged("an entry is not where it should be");
  const at = headerAt + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (at + packedBytes > zip.size) throw damaged("an entry lies beyond its end");
  return await readAt(zip, at, packedBytes);
}

async function unpack(packed: Buffer, { name, sizeBytes }: ZipEntry): Promise<Buffer> {
  try {
    // One more than there should be, so that an entry of no bytes has a bound too.
    return await inflate(packed, { maxOutputLength: sizeBytes + 1 });
  } catch (cause) {
    throw damaged(`${name} cannot be unpacked`, cause);
  }
}
