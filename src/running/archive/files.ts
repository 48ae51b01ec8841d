import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";

const PIECE_BYTES = 1024 * 1024;

/** Somewhere in a file. */
export interface Span {
  file: string;
  from: number;
  bytes: number;
}

/** The bytes of a part of a file, a piece at a time. Ends early where the file does. */
export async function* readSpan({ file, from, bytes }: Span): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file, "r");
  try {
    let at = from;
    while (at < from + bytes) {
      const { bytesRead, buffer } = await handle.read({
        buffer: Buffer.allocUnsafe(Math.min(PIECE_BYTES, from + bytes - at)),
        position: at,
      });
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The digest of a part of a file, and how much of it there was. */
export async function digestOf(span: Span): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of readSpan(span)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Writes all of a piece: a write may take a part of it alone. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Writes a file that is under its name only when it is whole, and on the disk. Where that fails, nothing of it stays. */
export async function writeFileWhole(
  target: string,
  mode: number,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const unfinished = `${target}.partial`;
  const handle = await open(unfinished, "w", mode);
  try {
    await write(handle);
    await handle.sync();
    await handle.close();
    await rename(unfinished, target);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}
