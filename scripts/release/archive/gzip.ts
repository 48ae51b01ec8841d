import { promisify } from "node:util";
import { gzip as compress } from "node:zlib";

const gzipAsync = promisify(compress);
/** What more effort saves is below one percent, for twice the time. */
const LEVEL = 6;
/** Where the header of gzip says on which system it was written; this says that it is not known. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** Packed bytes that depend on nothing but what is in them. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = await gzipAsync(bytes, { level: LEVEL });
  packed[SYSTEM_AT] = UNKNOWN_SYSTEM;
  return packed;
}

export const sha256 = (bytes: Uint8Array | string): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
