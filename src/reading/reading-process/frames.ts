/*
 * What the process that reads documents and the one that asks it say to each other: a length in four bytes, then a line
 * of JSON of that length, then as many bytes as the line names.
 */

import type { ByteSource } from "../byte-source.ts";

const HEAD_BYTES_MAX = 10_000;
const JOINED_BYTES_MAX = 100_000;

export interface Frame {
  head: Record<string, unknown>;
  body: Uint8Array;
}

export function writeFrame(head: Record<string, unknown>, body: Uint8Array): Uint8Array[] {
  const line = new TextEncoder().encode(JSON.stringify({ ...head, bytes: body.length }));
  // What is small leaves at once: each part costs as much as a page may.
  const isSmall = body.length <= JOINED_BYTES_MAX;
  const start = new Uint8Array(4 + line.length + (isSmall ? body.length : 0));
  new DataView(start.buffer).setUint32(0, line.length);
  start.set(line, 4);
  if (!isSmall) return [start, body];
  start.set(body, 4 + line.length);
  return [start];
}

/** The next frame; undefined where the other side has ended, even in the middle of one. */
export async function readFrame(source: ByteSource, bodyBytesMax: number): Promise<Frame | undefined> {
  const start = await source.take(4);
  if (start.length < 4) return undefined;
  const length = new DataView(start.buffer, start.byteOffset).getUint32(0);
  if (length > HEAD_BYTES_MAX) return undefined;
  const line = await source.take(length);
  if (line.length < length) return undefined;
  const head: Record<string, unknown> = JSON.parse(new TextDecoder().decode(line));
  const bytes = Number(head["bytes"]);
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > bodyBytesMax) return undefined;
  const body = await source.take(bytes);
  return body.length < bytes ? undefined : { head, body };
}
