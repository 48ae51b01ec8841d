import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { damaged } from "./entry.ts";
import { readAt } from "./read-at.ts";
import type { ZipEntry } from "./zip-directory.ts";

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const STORED = 0;

const inflate = promisify(inflateRaw);

/** The content of an entry, checked against what the directory says of it. */
export async function readZipEntry(
  openArchive: () => Promise<FileHandle>,
  entry: ZipEntry,
): Promise<Uint8Array> {
  // Opened anew for each entry: nothing is left open, however late it is read.
  const file = await openArchive();
  try {
    const packed = await readPacked(file, entry);
    const content = entry.method === STORED ? packed : await unpack(packed, entry);
    const isWhole = content.length === entry.sizeBytes && crc32(content) === entry.crc;
    if (!isWhole) throw damaged(`${entry.name} is not what its directory says`);
    return content;
  } finally {
    await file.close();
  }
}

async function readPacked(file: FileHandle, { headerAt, packedBytes }: ZipEntry): Promise<Buffer> {
  const header = await readAt(file, headerAt, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw damaged("an entry is not where it should be");
  const at = headerAt + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const { size } = await file.stat();
  if (at + packedBytes > size) throw damaged("an entry lies beyond its end");
  return await readAt(file, at, packedBytes);
}

async function unpack(packed: Buffer, { name, sizeBytes }: ZipEntry): Promise<Buffer> {
  try {
    // One more than there should be, so that an entry of no bytes has a bound too.
    return await inflate(packed, { maxOutputLength: sizeBytes + 1 });
  } catch (cause) {
    throw damaged(`${name} cannot be unpacked`, cause);
  }
}
