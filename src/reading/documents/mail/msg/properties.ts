import { decodeText } from "@docent/kernel/text/decode-bytes";
import type { Storage } from "./compound-file.ts";

/** What a message, a recipient or an attachment has, by the numbers of MAPI. */
export interface Properties {
  text(id: number): string | undefined;
  bytes(id: number): Uint8Array | undefined;
  number(id: number): number | undefined;
  date(id: number): Date | undefined;
}

const STREAM = "__properties_version1.0";
const ENTRY_BYTES = 16;
const ENTRIES_MAX = 10_000;
const VALUE_BYTES_MAX = 100_000_000;
/** Milliseconds from 1601, where Windows begins to count, to 1970. */
const EPOCH_MILLISECONDS = 11_644_473_600_000;

/** Reads the properties of a folder; its fixed values begin behind a header of so many bytes. */
export function readProperties({ streams }: Storage, headerBytes: number, charset: string): Properties {
  const fixed = fixedValues(streams.get(STREAM)?.read() ?? new Uint8Array(0), headerBytes);
  const stream = (id: number, type: string) => {
    const found = streams.get(`__substg1.0_${id.toString(16).padStart(4, "0")}${type}`);
    return found === undefined || found.size > VALUE_BYTES_MAX ? undefined : found.read();
  };
  return {
    text(id) {
      const wide = stream(id, "001f");
      if (wide !== undefined) return withoutEnd(new TextDecoder("utf-16le").decode(wide));
      const narrow = stream(id, "001e");
      return narrow === undefined ? undefined : withoutEnd(decodeNarrow(narrow, charset));
    },
    bytes: (id) => stream(id, "0102"),
    number: (id) => fixed.get(id)?.getInt32(0, true),
    date(id) {
      const value = fixed.get(id);
      if (value === undefined) return undefined;
      const date = new Date(Number(value.getBigUint64(0, true) / 10_000n) - EPOCH_MILLISECONDS);
      return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970 || date.getUTCFullYear() > 2200
        ? undefined
        : date;
    },
  };
}

function fixedValues(bytes: Uint8Array, headerBytes: number): Map<number, DataView> {
  const values = new Map<number, DataView>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = headerBytes; at + ENTRY_BYTES <= bytes.length && values.size < ENTRIES_MAX; at += ENTRY_BYTES)
    values.set(view.getUint16(at + 2, true), new DataView(bytes.buffer, bytes.byteOffset + at + 8, 8));
  return values;
}

/** Programs write UTF-8 whatever the code page says: what is valid as such is such. */
const decodeNarrow = (bytes: Uint8Array, charset: string) =>
  decodeText(bytes, charset === "" ? {} : { charset })?.text ?? new TextDecoder("windows-1252").decode(bytes);

const withoutEnd = (text: string) => text.replace(/(?<!\0)\0+$/, "").replaceAll("\0", " ");
