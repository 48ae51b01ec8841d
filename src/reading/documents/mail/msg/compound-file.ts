/** A folder of a compound file, which is a file system in a file. */
export interface Storage {
  streams: ReadonlyMap<string, Stream>;
  storages: ReadonlyMap<string, Storage>;
}

interface Stream {
  size: number;
  /** Its bytes; fewer where the file was cut off. */
  read(): Uint8Array;
}

/** A file by its sectors. */
interface Sectors {
  bytes: Uint8Array;
  view: DataView;
  sectorSize: number;
  miniSectorSize: number;
  miniStreamLimit: number;
  /** The sector after each one. */
  next: Uint32Array;
  miniNext: Uint32Array;
  miniStream: Uint8Array;
}

const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Numbers above are marks, such as that of a chain's end. */
const SECTOR_MAX = 0xfffffff9;
const ENTRIES_MAX = 100_000;
const DEPTH_MAX = 50;
const NONE = 0xffffffff;

/** Opens a compound file; undefined where it is none, or is damaged at its beginning. */
export function openCompoundFile(bytes: Uint8Array): Storage | undefined {
  if (bytes.length < HEADER_BYTES || !MAGIC.every((byte, at) => bytes[at] === byte)) return undefined;
  const sectors = readSectors(bytes);
  if (sectors === undefined) return undefined;
  const directory = readChain(sectors, sectors.view.getUint32(48, true), Number.POSITIVE_INFINITY);
  const count = Math.min(Math.floor(directory.length / ENTRY_BYTES), ENTRIES_MAX);
  if (count === 0) return undefined;
  const entries = Array.from({ length: count }, (_, index) => readEntry(directory, index));
  const root = entries[0];
  if (root === undefined) return undefined;
  const miniStream = readChain(sectors, root.start, root.size);
  return readStorage({ ...sectors, miniStream }, entries, root, 0, new Set([0]));
}

function readSectors(bytes: Uint8Array): Sectors | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(30, true);
  const miniShift = view.getUint16(32, true);
  if (shift < 7 || shift > 16 || miniShift < 4 || miniShift > shift) return undefined;
  const sectors: Sectors = {
    bytes,
    view,
    sectorSize: 1 << shift,
    miniSectorSize: 1 << miniShift,
    miniStreamLimit: view.getUint32(56, true),
    next: new Uint32Array(0),
    miniNext: new Uint32Array(0),
    miniStream: new Uint8Array(0),
  };
  sectors.next = numbersOf(tableSectors(sectors).map((sector) => sectorBytes(sectors, sector)));
  sectors.miniNext = numbersOf([readChain(sectors, view.getUint32(60, true), Number.POSITIVE_INFINITY)]);
  return sectors;
}

/** The sectors of the table that says which sector follows which: the first in the header, others in a chain. */
function tableSectors(sectors: Sectors): number[] {
  const { view, sectorSize } = sectors;
  const found: number[] = [];
  const most = sectorCount(sectors);
  for (let at = 76; at < HEADER_BYTES; at += 4) found.push(view.getUint32(at, true));
  const seen = new Set<number>();
  for (let sector = view.getUint32(68, true); sector < most && !seen.has(sector); ) {
    seen.add(sector);
    const numbers = numbersOf([sectorBytes(sectors, sector)]);
    found.push(...numbers.subarray(0, sectorSize / 4 - 1));
    sector = numbers[sectorSize / 4 - 1] ?? NONE;
  }
  return [...new Set(found)].filter((sector) => sector < most);
}

const sectorCount = ({ bytes, sectorSize }: Sectors) => Math.ceil(bytes.length / sectorSize);

/** Sector 0 follows the header, which fills a sector. */
const sectorBytes = ({ bytes, sectorSize }: Sectors, sector: number) =>
  bytes.subarray((sector + 1) * sectorSize, (sector + 2) * sectorSize);

function numbersOf(parts: readonly Uint8Array[]): Uint32Array {
  const bytes = Buffer.concat(parts);
  return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4));
}

/** The bytes of a chain of sectors; a chain that comes back to itself ends there. */
function readChain(sectors: Sectors, first: number, size: number): Uint8Array {
  const { next, sectorSize } = sectors;
  const parts: Uint8Array[] = [];
  let left = Math.min(size, sectors.bytes.length);
  const seen = new Set<number>();
  for (
    let sector = first;
    sector <= SECTOR_MAX && left > 0 && !seen.has(sector);
    sector = next[sector] ?? NONE
  ) {
    seen.add(sector);
    const part = sectorBytes(sectors, sector).subarray(0, left);
    if (part.length === 0) break;
    parts.push(part);
    left -= sectorSize;
  }
  return Buffer.concat(parts);
}

function readMiniChain(sectors: Sectors, first: number, size: number): Uint8Array {
  const { miniNext, miniSectorSize, miniStream } = sectors;
  const parts: Uint8Array[] = [];
  let left = Math.min(size, miniStream.length);
  const seen = new Set<number>();
  for (
    let sector = first;
    sector <= SECTOR_MAX && left > 0 && !seen.has(sector);
    sector = miniNext[sector] ?? NONE
  ) {
    seen.add(sector);
    const at = sector * miniSectorSize;
    parts.push(miniStream.subarray(at, at + Math.min(miniSectorSize, left)));
    left -= miniSectorSize;
  }
  return Buffer.concat(parts);
}

/** An entry of the directory: a folder or a stream. */
interface Entry {
  name: string;
  kind: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

function readEntry(directory: Uint8Array, index: number): Entry {
  const bytes = Buffer.from(directory.buffer, directory.byteOffset + index * ENTRY_BYTES, ENTRY_BYTES);
  const nameBytes = Math.min(Math.max(0, bytes.readUInt16LE(64) - 2), 62);
  return {
    name: bytes.subarray(0, nameBytes - (nameBytes % 2)).toString("utf16le"),
    kind: bytes.readUInt8(66),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
    size: bytes.readUInt32LE(120),
  };
}

/** Reads a folder: its entries are a tree, of which each is visited once. */
function readStorage(
  sectors: Sectors,
  entries: readonly Entry[],
  { child }: Entry,
  depth: number,
  visited: Set<number>,
): Storage {
  const streams = new Map<string, Stream>();
  const storages = new Map<string, Storage>();
  const waiting = [child];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const entry = entries[index];
    if (entry === undefined || visited.has(index)) continue;
    visited.add(index);
    waiting.push(entry.left, entry.right);
    const name = entry.name.toLowerCase();
    if (entry.kind === 2) streams.set(name, streamOf(sectors, entry));
    else if (entry.kind === 1 && depth < DEPTH_MAX)
      storages.set(name, readStorage(sectors, entries, entry, depth + 1, visited));
  }
  return { streams, storages };
}

function streamOf(sectors: Sectors, { start, size }: Entry): Stream {
  const isMini = size < sectors.miniStreamLimit;
  return {
    size,
    read: () => (isMini ? readMiniChain(sectors, start, size) : readChain(sectors, start, size)),
  };
}
