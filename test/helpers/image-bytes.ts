import { deflateSync } from "node:zlib";

/** A PNG of one colour. */
export function pngBytes(width = 4, height = 3, [red, green, blue] = [40, 90, 200]): Uint8Array<ArrayBuffer> {
  const row = [0, ...Array.from({ length: width }, () => [red ?? 0, green ?? 0, blue ?? 0]).flat()];
  const pixels = Buffer.from(Array.from({ length: height }, () => row).flat());
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return new Uint8Array(
    Buffer.concat([signature, piece("IHDR", header), piece("IDAT", deflateSync(pixels)), piece("IEND")]),
  );
}

function piece(name: string, data: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(Bun.hash.crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

export const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120.4 80"><circle r="40"/></svg>`;
