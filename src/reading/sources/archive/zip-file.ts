import type { FileHandle } from "node:fs/promises";
import * as zips from "@docent/kernel/lib/zip/zip";
import { damaged, tooLarge } from "./entry.ts";

export type ZipEntry = zips.ZipEntry;

/** The entries of a zip, from the directory at its end. */
export const readZipDirectory = (file: FileHandle): Promise<ZipEntry[]> => told(file, zips.readZipDirectory);

/** Whether a zip has an entry, by a glance at where its directory begins: a million of them take a second to read. */
export const hasZipEntries = (file: FileHandle): Promise<boolean> => told(file, zips.hasZipEntries);

/** The content of an entry, checked against what the directory says of it. */
export async function readZipEntry(
  openArchive: () => Promise<FileHandle>,
  entry: ZipEntry,
): Promise<Uint8Array> {
  // Opened anew for each entry: nothing is left open, however late it is read.
  const file = await openArchive();
  try {
    return await told(file, (zip) => zips.readZipEntry(zip, entry));
  } finally {
    await file.close();
  }
}

/** Reads of a zip, and tells what is wrong with it as of any archive. */
async function told<T>(file: FileHandle, read: (zip: zips.ZipBytes) => Promise<T>): Promise<T> {
  const { size } = await file.stat();
  try {
    return await read({ size, read: (position, length) => readUpTo(file, position, length) });
  } catch (cause) {
    if (!(cause instanceof zips.ZipFault)) throw cause;
    throw cause.kind === "damaged" ? damaged(cause.detail, cause.cause) : tooLarge(cause.detail);
  }
}

/** As many bytes from a place in a file as there are, at most so many. */
async function readUpTo(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}
