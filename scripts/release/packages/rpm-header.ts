/** The types of values that a header of RPM holds, by their numbers. */
const TYPES = { int16: 3, int32: 4, string: 6, bytes: 7, strings: 8, translated: 9 } as const;

export type RpmValue =
  | { type: "int16" | "int32"; values: readonly number[] }
  | { type: "string" | "translated"; value: string }
  | { type: "strings"; values: readonly string[] }
  | { type: "bytes"; value: Uint8Array };

export const int16 = (...values: number[]): RpmValue => ({ type: "int16", values });
export const int32 = (...values: number[]): RpmValue => ({ type: "int32", values });
export const string = (value: string): RpmValue => ({ type: "string", value });
export const translated = (value: string): RpmValue => ({ type: "translated", value });
export const strings = (...values: string[]): RpmValue => ({ type: "strings", values });
export const bytes = (value: Uint8Array): RpmValue => ({ type: "bytes", value });

const MAGIC = [0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0];
const ENTRY_BYTES = 16;

/**
 * A header of RPM: an index of tags, and a store of their values. The tag of the region says that all of it was written
 * at once, and so may be signed.
 */
export function rpmHeader(region: number, tags: ReadonlyMap<number, RpmValue>): Uint8Array {
  const sorted = [...tags].sort(([a], [b]) => a - b);
  const index: Uint8Array[] = [];
  const store: Uint8Array[] = [];
  let at = 0;
  const add = (part: Uint8Array) => {
    store.push(part);
    at += part.length;
  };
  for (const [tag, value] of sorted) {
    const { data, count, alignment } = encode(value);
    add(new Uint8Array((alignment - (at % alignment)) % alignment));
    index.push(entry(tag, TYPES[value.type], at, count));
    add(data);
  }
  const trailerAt = at;
  add(entry(region, TYPES.bytes, -(sorted.length + 1) * ENTRY_BYTES, ENTRY_BYTES));
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(sorted.length + 1, 0);
  counts.writeUInt32BE(at, 4);
  const first = entry(region, TYPES.bytes, trailerAt, ENTRY_BYTES);
  return Buffer.concat([Buffer.from(MAGIC), counts, first, ...index, ...store]);
}

function entry(tag: number, type: number, at: number, count: number): Uint8Array {
  const written = Buffer.alloc(ENTRY_BYTES);
  written.writeUInt32BE(tag, 0);
  written.writeUInt32BE(type, 4);
  written.writeInt32BE(at, 8);
  written.writeUInt32BE(count, 12);
  return written;
}

function encode(value: RpmValue): { data: Uint8Array; count: number; alignment: number } {
  switch (value.type) {
    case "int16": {
      const data = Buffer.alloc(2 * value.values.length);
      value.values.forEach((each, index) => {
        data.writeUInt16BE(each, 2 * index);
      });
      return { data, count: value.values.length, alignment: 2 };
    }
    case "int32": {
      const data = Buffer.alloc(4 * value.values.length);
      value.values.forEach((each, index) => {
        data.writeUInt32BE(each, 4 * index);
      });
      return { data, count: value.values.length, alignment: 4 };
    }
    case "strings":
      return {
        data: Buffer.from(value.values.map((each) => `${each}\0`).join("")),
        count: value.values.length,
        alignment: 1,
      };
    case "string":
    case "translated":
      return { data: Buffer.from(`${value.value}\0`), count: 1, alignment: 1 };
    case "bytes":
      return { data: value.value, count: value.value.length, alignment: 1 };
  }
}
