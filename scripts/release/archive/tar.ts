import type { Entry } from "./entry.ts";

const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;

interface TarOptions {
  /** When everything in it was changed, in seconds since 1970. */
  changedAt: number;
  /** Before every path, such as `./` in Debian's packages. */
  prefix?: string;
}

/** An archive in the format ustar, in which nothing depends on the machine that made it. */
export function tar(entries: readonly Entry[], options: TarOptions): Uint8Array {
  const blocks = entries.flatMap((entry) => {
    const bytes = entry.kind === "file" ? entry.bytes : new Uint8Array();
    const rest = (BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES;
    return [header(entry, bytes.length, options), bytes, new Uint8Array(rest)];
  });
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK_BYTES)]);
}

const TYPES: Record<Entry["kind"], string> = { file: "0", link: "2", folder: "5" };

function header(entry: Entry, size: number, { changedAt, prefix = "" }: TarOptions): Uint8Array {
  const block = Buffer.alloc(BLOCK_BYTES);
  const name = `${prefix}${entry.path}${entry.kind === "folder" ? "/" : ""}`;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`${name} is too long a name for an archive`);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  block.write(name, 0);
  octal(entry.mode, 100, 8);
  octal(entry.uid ?? 0, 108, 8);
  octal(entry.gid ?? 0, 116, 8);
  octal(size, 124, 12);
  octal(changedAt, 136, 12);
  // The checksum counts itself as spaces.
  block.write("        ", 148);
  block.write(TYPES[entry.kind], 156);
  if (entry.kind === "link") block.write(entry.target, 157);
  block.write("ustar\x0000", 257);
  const owner = entry.uid === undefined ? "root" : "";
  block.write(owner, 265);
  block.write(owner, 297);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
