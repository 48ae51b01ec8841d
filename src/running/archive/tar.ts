import { AppError } from "@docent/kernel/errors";

export const BLOCK_BYTES = 512;
const OCTAL_MAX = 0o77777777777;
const NAME_BYTES = 100;

/** A file in an archive. */
interface TarEntry {
  path: string;
  bytes: number;
}

/** The block before a file: ustar, and GNU's form of the size from 8 GB on. Every path of a bundle is short and plain. */
export function tarHeader({ path, bytes }: TarEntry, { mode, at }: { mode: number; at: number }): Uint8Array {
  const block = Buffer.alloc(BLOCK_BYTES);
  const [prefix, name] = splitPath(path);
  block.write(name, 0, "ascii");
  block.write(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, "ascii");
  if (bytes <= OCTAL_MAX) block.write(`${octal(bytes, 11)} `, 124, "ascii");
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  block.write(`${octal(Math.floor(at / 1000), 11)} `, 136, "ascii");
  block.write("        0", 148, "ascii");
  block.write("ustar\x0000", 257, "ascii");
  block.write(prefix, 345, "ascii");
  block.write(`${octal(sumOf(block), 6)}\0 `, 148, "ascii");
  return block;
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");

function splitPath(path: string): [prefix: string, name: string] {
  if (path.length <= NAME_BYTES) return ["", path];
  const cut = path.indexOf("/", path.length - NAME_BYTES - 1);
  if (cut > 0 && cut <= 155) return [path.slice(0, cut), path.slice(cut + 1)];
  throw new AppError("invalid_request", `${path} is too long for an archive.`);
}

/** The bytes behind a file up to the next block. */
export const paddingOf = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;

/** The file that a block stands before; undefined at the archive's end. Raises `invalid_request` for anything but a plain file. */
export function readTarHeader(block: Uint8Array): TarEntry | undefined {
  const header = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (header.every((byte) => byte === 0)) return undefined;
  const isFile = header[156] === 0x30 || header[156] === 0;
  const isSound =
    header.toString("ascii", 257, 262) === "ustar" && numberAt(header, 148, 8) === sumOf(header);
  if (!isFile || !isSound) throw new AppError("invalid_request", "The bundle is damaged, or is none.");
  const prefix = textAt(header, 345, 155);
  const name = textAt(header, 0, NAME_BYTES);
  return { path: prefix === "" ? name : `${prefix}/${name}`, bytes: sizeOf(header) };
}

const textAt = (block: Buffer, at: number, length: number) =>
  block.toString("ascii", at, at + length).replace(/\0.*$/s, "");

const numberAt = (block: Buffer, at: number, length: number) =>
  Number.parseInt(textAt(block, at, length).trim(), 8);

function sizeOf(block: Buffer): number {
  const bytes = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : numberAt(block, 124, 12);
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new AppError("invalid_request", "The bundle is damaged, or is none.");
}

/** The sum of a header's bytes, with blanks where it stands itself. */
function sumOf(block: Uint8Array): number {
  let sum = 0;
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  return sum;
}
