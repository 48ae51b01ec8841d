/** A file to put into a zip. */
interface ZipFile {
  /** Where it is below the folder, with slashes. */
  path: string;
  content: Blob;
}

interface ZipOptions {
  signal?: AbortSignal;
  /** Called after each file, with the number of files packed so far. */
  onProgress?: (files: number) => void;
}

/** The most files of a zip without extensions. */
export const ZIP_FILES_MAX = 65_535;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const VERSION = 20;
const MADE_ON_UNIX = 3;
/** The flag that says that names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** The first day that a zip can name: the same files make the same zip. */
const DATE = 0x0021;
const FILE_MODE = 0o100644;

interface Entry {
  name: Uint8Array<ArrayBuffer>;
  crc: number;
  bytes: number;
  at: number;
}

/**
 * Packs files without compressing them, as docs are small. Holds one file in memory at a time; the browser may keep the
 * others on disk.
 */
export async function zipFiles(
  files: readonly ZipFile[],
  { signal, onProgress }: ZipOptions = {},
): Promise<Blob> {
  if (files.length > ZIP_FILES_MAX) throw new RangeError(`a zip holds ${ZIP_FILES_MAX} files`);
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const entries: Entry[] = [];
  let at = 0;
  for (const { path, content } of files) {
    signal?.throwIfAborted();
    const crc = crc32(new Uint8Array(await content.arrayBuffer()));
    const entry: Entry = { name: new TextEncoder().encode(path), crc, bytes: content.size, at };
    entries.push(entry);
    parts.push(localHeader(entry), entry.name, content);
    at += LOCAL_BYTES + entry.name.length + content.size;
    onProgress?.(entries.length);
  }
  const directory = entries.flatMap((entry) => [directoryEntry(entry), entry.name]);
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0);
  return new Blob([...parts, ...directory, endOf(entries.length, directoryBytes, at)], {
    type: "application/zip",
  });
}

function localHeader({ name, crc, bytes }: Entry): Uint8Array<ArrayBuffer> {
  return record(LOCAL_BYTES, (view) => {
    view.setUint32(0, LOCAL_SIGNATURE, true);
    view.setUint16(4, VERSION, true);
    putCommon(view, 6, { name, crc, bytes });
  });
}

function directoryEntry({ name, crc, bytes, at }: Entry): Uint8Array<ArrayBuffer> {
  return record(ENTRY_BYTES, (view) => {
    view.setUint32(0, ENTRY_SIGNATURE, true);
    view.setUint8(4, VERSION);
    view.setUint8(5, MADE_ON_UNIX);
    view.setUint16(6, VERSION, true);
    putCommon(view, 8, { name, crc, bytes });
    view.setUint32(38, (FILE_MODE << 16) >>> 0, true);
    view.setUint32(42, at, true);
  });
}

/** What both of an entry's headers say, in the same order. */
function putCommon(view: DataView, from: number, { name, crc, bytes }: Omit<Entry, "at">): void {
  view.setUint16(from, UTF8_FLAG, true);
  // Behind it are the method, which is 0: stored, and the time of day.
  view.setUint16(from + 6, DATE, true);
  view.setUint32(from + 8, crc, true);
  view.setUint32(from + 12, bytes, true);
  view.setUint32(from + 16, bytes, true);
  view.setUint16(from + 20, name.length, true);
}

function endOf(count: number, directoryBytes: number, at: number): Uint8Array<ArrayBuffer> {
  return record(END_BYTES, (view) => {
    view.setUint32(0, END_SIGNATURE, true);
    view.setUint16(8, count, true);
    view.setUint16(10, count, true);
    view.setUint32(12, directoryBytes, true);
    view.setUint32(16, at, true);
  });
}

function record(bytes: number, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(bytes);
  fill(new DataView(own.buffer));
  return own;
}

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** The checksum that a zip has of each of its files. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
