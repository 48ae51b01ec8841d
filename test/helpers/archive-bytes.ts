import { crc32, deflateRawSync } from "node:zlib";

/** An entry to put into a zip, with what makes it a strange one. */
export interface ZipPart {
  name: string | Uint8Array;
  text?: string | Uint8Array;
  stored?: boolean;
  flags?: number;
  method?: number;
  /** A Unix mode, as for a link. */
  mode?: number;
  crc?: number;
  /** Size and place go into the zip64 part. */
  zip64?: boolean;
  /** Sizes stand behind the content, as where a zip was written to a pipe. */
  descriptor?: boolean;
  /** What the directory says of the size. */
  sizeBytes?: number;
}

/** A zip, byte for byte. */
export function zipBytes(parts: ZipPart[], { comment = "", zip64 = false } = {}): Buffer<ArrayBuffer> {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const content = Buffer.from(part.text ?? "");
    const packed = part.stored ? content : deflateRawSync(content);
    const name = Buffer.from(part.name);
    const sizeBytes = part.sizeBytes ?? content.length;
    const crc = part.crc ?? crc32(content);
    const flags = (part.flags ?? 0x800) | (part.descriptor ? 8 : 0);
    const method = part.method ?? (part.stored ? 0 : 8);
    const sizes = part.descriptor ? [0, 0, 0] : [crc, packed.length, sizeBytes];
    const header = Buffer.concat([
      u32(0x04034b50),
      u16(20, flags, method, 0, 0),
      u32(...sizes),
      u16(name.length, 0),
    ]);
    const behind = part.descriptor ? u32(0x08074b50, crc, packed.length, sizeBytes) : Buffer.alloc(0);
    const body = Buffer.concat([header, name, packed, behind]);
    const extra = part.zip64
      ? Buffer.concat([u16(1, 24), u64(sizeBytes, packed.length, at)])
      : Buffer.alloc(0);
    const wide = 0xffffffff;
    directory.push(
      u32(0x02014b50),
      u16(0x031e, 20, flags, method, 0, 0),
      u32(crc, ...(part.zip64 ? [wide, wide] : [packed.length, sizeBytes])),
      u16(name.length, extra.length, 0, 0, 0),
      u32(((part.mode ?? 0o100644) << 16) >>> 0, part.zip64 ? wide : at),
      name,
      extra,
    );
    bodies.push(body);
    at += body.length;
  }
  const list = Buffer.concat(directory);
  const count = parts.length;
  const end64 = zip64
    ? Buffer.concat([
        u32(0x06064b50),
        u64(44),
        u16(45, 45),
        u32(0, 0),
        u64(count, count, list.length, at),
        u32(0x07064b50, 0),
        u64(at + list.length),
        u32(1),
      ])
    : Buffer.alloc(0);
  const told = zip64 ? [0xffff, 0xffff] : [count, count];
  const place = zip64 ? [0xffffffff, 0xffffffff] : [list.length, at];
  const end = Buffer.concat([u32(0x06054b50), u16(0, 0, ...told), u32(...place), u16(comment.length)]);
  return Buffer.concat([...bodies, list, end64, end, Buffer.from(comment)]);
}

/** An entry to put into a tar. */
export interface TarPart {
  name: string;
  text?: string;
  type?: string;
  link?: string;
  prefix?: string;
}

/** A tar, byte for byte. */
export function tarBytes(parts: TarPart[], { isEnded = true } = {}): Buffer<ArrayBuffer> {
  const blocks = parts.flatMap(({ name, text = "", type = "0", link = "", prefix = "" }) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write("0000644\0", 100);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write("ustar\x0000", 257);
    header.write(prefix, 345, 155);
    return [signed(header), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, ...(isEnded ? [Buffer.alloc(1024)] : [])]);
}

/** A line of a pax header, whose length counts itself. */
export function paxLine(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}

/** The header with its checksum. */
export function signed(header: Buffer): Buffer {
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

const u16 = (...values: number[]) =>
  numbers(2, values, (buffer, value, at) => buffer.writeUInt16LE(value, at));
const u32 = (...values: number[]) =>
  numbers(4, values, (buffer, value, at) => buffer.writeUInt32LE(value, at));
const u64 = (...values: number[]) =>
  numbers(8, values, (buffer, value, at) => buffer.writeBigUInt64LE(BigInt(value), at));

function numbers(
  width: number,
  values: number[],
  write: (buffer: Buffer, value: number, at: number) => void,
) {
  const buffer = Buffer.alloc(width * values.length);
  for (const [index, value] of values.entries()) write(buffer, value, index * width);
  return buffer;
}
