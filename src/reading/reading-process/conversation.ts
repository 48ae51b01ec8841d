import { type ByteSource, createByteSource } from "../byte-source.ts";

export interface Streams {
  input: AsyncIterable<Uint8Array>;
  /** Resolves when it has left. */
  output(part: Uint8Array): Promise<void>;
}

/** Asks the other process something, and waits for what it says. */
export type Call = (name: string, given: Uint8Array) => Promise<Uint8Array>;

/** No file is larger: who asks has looked at its size. */
const BYTES_MAX = 2_000_000_000;

/**
 * Answers what another process asks, one thing after the other, until that one has no more, or has ended. What is asked back
 * meanwhile has a number: a reader may ask for several things at once, and for one that it then does without.
 */
export async function converse(
  { input, output }: Streams,
  answer: (asked: Frame, call: Call) => Promise<Uint8Array>,
): Promise<void> {
  const source = createByteSource(input);
  const waiting = new Map<number, (body: Uint8Array) => void>();
  let calls = 0;
  let said: Promise<void> = Promise.resolve();
  const say = (head: Record<string, unknown>, body: Uint8Array) => {
    said = said.then(async () => {
      for (const part of writeFrame(head, body)) await output(part);
    });
    return said;
  };
  const call: Call = async (name, given) => {
    const number = ++calls;
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    waiting.set(number, resolve);
    await say({ call: name, number }, given);
    return promise;
  };
  let answered: Promise<void> = Promise.resolve();
  const failed = Promise.withResolvers<never>();
  const listen = async () => {
    for (;;) {
      const frame = await readFrame(source, BYTES_MAX);
      // What still waits for an answer waits for nothing.
      if (frame === undefined) return waiting.size > 0 ? undefined : answered;
      const number = frame.head["answers"];
      if (typeof number === "number") {
        waiting.get(number)?.(frame.body);
        waiting.delete(number);
      } else {
        answered = answered.then(async () => say({}, await answer(frame, call)));
        answered.catch(failed.reject);
      }
    }
  };
  // Raced once: a race for each frame would hold all of them until the last.
  await Promise.race([listen(), failed.promise]);
}

/*
 * What the process that reads documents and the one that asks it say to each other: a length in four bytes, then a line
 * of JSON of that length, then as many bytes as the line names.
 */

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
