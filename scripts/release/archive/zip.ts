import { crc32, deflateRawSync } from "node:zlib";

/** 1980-01-01, the first day that a ZIP archive knows: the same for every build. */
const DATE = 0x21;
const DEFLATED = 8;
/** Made under Unix, so that modes count. */
const MADE_BY = 0x03_14;
const NEEDS = 20;

/** A ZIP archive, for Windows. */
export function zip(members: readonly { path: string; bytes: Uint8Array; mode: number }[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { path, bytes, mode } of members) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const name = Buffer.from(path);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(NEEDS, 0);
    shared.writeUInt16LE(DEFLATED, 4);
    shared.writeUInt16LE(DATE, 8);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = [Buffer.from("PK\x03\x04"), shared, name, packed];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((0o100_000 | mode) << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(MADE_BY);
    directory.push(Buffer.from("PK\x01\x02"), madeBy, shared, rest, name);
    parts.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}
