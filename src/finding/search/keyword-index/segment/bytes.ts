const SEVEN_BITS = 0x7f;
const MORE = 0x80;
const NUMBER_BYTES_MAX = 8;
const BYTE = 256;

/** Writes bytes; whole numbers take as few of them as they need, seven bits to a byte. */
export interface ByteWriter {
  readonly length: number;
  number(value: number): void;
  /** A whole number in so many bytes, the lowest first. */
  fixed(value: number, size: number): void;
  /** Text in UTF-8, behind its length. */
  text(value: string): void;
  bytes(value: Uint8Array): void;
  /** A part of other bytes. */
  part(of: Uint8Array, from: number, end: number): void;
  /** What was written so far; the writer begins anew. */
  take(): Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function createByteWriter(capacity = 1024): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;

  function makeRoom(more: number): void {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  function number(value: number): void {
    if (length + NUMBER_BYTES_MAX > buffer.length) makeRoom(NUMBER_BYTES_MAX);
    if (value <= SEVEN_BITS) {
      buffer[length++] = value;
      return;
    }
    let rest = value;
    // Bit operations would cut numbers that need more than 31 bits.
    for (; rest > 0x7fffffff; rest = Math.floor(rest / MORE)) buffer[length++] = (rest % MORE) | MORE;
    for (; rest > SEVEN_BITS; rest >>>= 7) buffer[length++] = (rest & SEVEN_BITS) | MORE;
    buffer[length++] = rest;
  }

  function bytes(value: Uint8Array): void {
    makeRoom(value.length);
    buffer.set(value, length);
    length += value.length;
  }

  return {
    get length() {
      return length;
    },
    number,
    fixed(value, size) {
      makeRoom(size);
      let rest = value;
      for (let left = size; left > 0; left--, rest = Math.floor(rest / BYTE)) buffer[length++] = rest % BYTE;
    },
    bytes,
    part(of, from, end) {
      makeRoom(end - from);
      // Parts are a few bytes long: to copy each takes less time than to make a view of them.
      for (let at = from; at < end; at++) buffer[length++] = of[at] ?? 0;
    },
    text(value) {
      const encoded = encoder.encode(value);
      number(encoded.length);
      bytes(encoded);
    },
    take() {
      const taken = buffer.slice(0, length);
      length = 0;
      return taken;
    },
  };
}

/** A place in bytes, which reading moves on. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

export const cursorOf = (bytes: Uint8Array, at = 0): Cursor => ({ bytes, at });

export function readNumber(cursor: Cursor): number {
  const { bytes } = cursor;
  let byte = bytes[cursor.at++] ?? 0;
  if (byte < MORE) return byte;
  let value = byte & SEVEN_BITS;
  let scale = MORE;
  do {
    byte = bytes[cursor.at++] ?? 0;
    value += (byte & SEVEN_BITS) * scale;
    scale *= MORE;
  } while (byte >= MORE);
  return value;
}

export function readText(cursor: Cursor): string {
  const length = readNumber(cursor);
  const start = cursor.at;
  cursor.at += length;
  return decoder.decode(cursor.bytes.subarray(start, cursor.at));
}

/** Passes over some numbers. */
export function skipNumbers(cursor: Cursor, count: number): void {
  const { bytes } = cursor;
  let { at } = cursor;
  for (let left = count; left > 0; left--) while ((bytes[at++] ?? 0) >= MORE);
  cursor.at = at;
}

/** A whole number of either sign as one without. */
export const unsigned = (value: number) => (value >= 0 ? value * 2 : -value * 2 - 1);
export const signed = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
