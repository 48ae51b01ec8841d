import type { FileHandle } from "node:fs/promises";
import { damaged } from "./entry.ts";

/** Exactly so many bytes from a place in a file. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw damaged("it ends too early");
    read += bytesRead;
  }
  return buffer;
}
