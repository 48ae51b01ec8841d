import type { FileHandle } from "node:fs/promises";

/** Whatever is in a data directory is the operator's alone. */
export const FILE_MODE = 0o600;

/** Writes a piece whole: one write may take only a part of it. */
export async function writeAll(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength; ) at += (await handle.write(piece, at)).bytesWritten;
}
