import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { FetchFault } from "./fetch-fault.ts";

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** The encodings that a fetch accepts. */
export const ACCEPTED_ENCODINGS = "gzip, br";

/** The decompressed bytes. Stops at `bytesMax`, however small they came. */
export async function decompress(bytes: Uint8Array, encoding: string, bytesMax: number): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity" || bytes.length === 0) return bytes;
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decode === undefined) throw new FetchFault("protocol", `it came compressed as ${name.slice(0, 40)}`);
  try {
    return new Uint8Array(await decode(bytes, { maxOutputLength: bytesMax }));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE")
      throw new FetchFault("too_large", `it is larger than ${bytesMax} bytes when unpacked`, cause);
    throw new FetchFault("protocol", "it cannot be unpacked", cause);
  }
}
