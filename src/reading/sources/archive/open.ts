import type { FileHandle } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "@docent/kernel/errors";
import { GONE, type IsInside, openFile } from "../open-file.ts";
import { damaged, tooLarge } from "./entry.ts";
import { BLOCK_BYTES, parseTarHeader } from "./tar.ts";

const PIECE_BYTES = 256_000;
/**
 * How far an archive may be compressed. Text becomes a tenth or a twentieth of itself: what becomes less was made to
 * burst.
 */
const RATIO_MAX = 200;
const RATIO_FREE_BYTES = 10_000_000;

type ArchiveForm = "zip" | "tar" | "tar.gz";

/** An entry, and the directory of a zip that has none. */
const ZIP_STARTS = ["PK\x03\x04", "PK\x05\x06", "PK\x06\x06"];

/** The first bytes of forms that are not read, so that the message can name them. */
const OTHER_FORMS: readonly [start: string, name: string][] = [
  ["BZh", "bzip2"],
  ["\xfd7zXZ", "xz"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["7z\xbc\xaf", "7z"],
  ["Rar!", "rar"],
];

/** Opens an archive's file. `name` is what messages call it. */
export async function openArchive(path: string, name: string, isInside?: IsInside): Promise<FileHandle> {
  try {
    return await openFile(path, isInside);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("not_found", `There is no archive ${name} that can be read.`, { cause, hint: GONE });
  }
}

/** What an archive is by its first bytes: its name may say anything. */
export async function formOf(file: FileHandle, name: string): Promise<ArchiveForm> {
  const block = Buffer.alloc(BLOCK_BYTES);
  const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, 0);
  const start = block.toString("latin1", 0, 8);
  if (ZIP_STARTS.some((mark) => start.startsWith(mark))) return "zip";
  if (start.startsWith("\x1f\x8b")) return "tar.gz";
  const isEmptyTar = bytesRead === BLOCK_BYTES && block.every((byte) => byte === 0);
  if (isEmptyTar || parseTarHeader(block.subarray(0, bytesRead))) return "tar";
  const other = OTHER_FORMS.find(([mark]) => start.startsWith(mark))?.[1];
  const what = other === undefined ? "is neither a zip nor a tar" : `is compressed with ${other}`;
  throw new AppError("unsupported_media_type", `${name} ${what}, and cannot be read.`, {
    hint: "Docent reads .zip, .tar.gz and .tar archives.",
  });
}

/** The bytes of a tar from its beginning, unpacked where it is packed, and bounded. */
export async function* tarBytes(
  file: FileHandle,
  form: "tar" | "tar.gz",
  { totalBytesMax, signal }: { totalBytesMax: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat();
  const bytesMax = Math.min(totalBytesMax, form === "tar" ? size : size * RATIO_MAX + RATIO_FREE_BYTES);
  const plain = fileBytes(file, size, signal);
  let bytes = 0;
  for await (const piece of form === "tar" ? plain : unpacked(plain)) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge(`unpacks to more than ${bytesMax} bytes`);
    yield piece;
  }
}

async function* fileBytes(file: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // What goes wrong comes out of the loop below.
  pipeline(Readable.from(packed), gunzip, () => {});
  try {
    for await (const piece of gunzip) yield piece;
  } catch (cause) {
    throw cause instanceof AppError ? cause : damaged("it cannot be unpacked", cause);
  }
}
