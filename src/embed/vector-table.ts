import { AppError } from "../errors.ts";
import type { EmbedderIdentity } from "./embedder.ts";

// The asset, little-endian, made by scripts/embedder/pack.py:
//
//   0   4 bytes   "DVEC"
//   4   uint32    format version, 1
//   8   uint32    dimensions, a multiple of 4
//   12  uint32    entries
//   16  uint32    bytes of the vocabulary
//   20  12 bytes  name, ASCII, filled with zero bytes
//   32  32 bytes  SHA-256 of all that follows
//   64            the vectors, entry by entry, one byte a value: the value plus 128
//   …             the vocabulary, UTF-8, entries parted by newlines, in the order of the vectors

/** A vocabulary with a vector for each entry. */
export interface VectorTable {
  /** Name and hash: the same bytes mean the same vectors. */
  identity: string;
  dimensions: number;
  vocabulary: string[];
  /** One row for each entry; each byte is the value plus 128. */
  rows: Uint8Array;
}

const MAGIC = "DVEC";
const FORMAT_VERSION = 1;
const NAME_AT = 20;
const HASH_AT = 32;
const HASH_SHOWN_BYTES = 6;
/** Where the vectors begin. */
export const HEADER_BYTES = 64;

/**
 * Reads the asset. Trusts its hash, as it trusts the binary around it: checking would double the time to
 * load.
 */
export function readVectorTable(asset: Uint8Array): VectorTable {
  const { identity, dimensions } = readHeader(asset);
  const view = new DataView(asset.buffer, asset.byteOffset, asset.byteLength);
  const entries = view.getUint32(12, true);
  const vocabularyAt = HEADER_BYTES + dimensions * entries;
  if (asset.byteLength !== vocabularyAt + view.getUint32(16, true)) throw unreadable("it has another length");
  const vocabulary = new TextDecoder().decode(asset.subarray(vocabularyAt)).split("\n");
  if (vocabulary.length !== entries) throw unreadable("its vocabulary does not fit its vectors");
  return { identity, dimensions, vocabulary, rows: asset.subarray(HEADER_BYTES, vocabularyAt) };
}

/** The identity of the vectors, from the asset's first bytes. */
export function readHeader(asset: Uint8Array): EmbedderIdentity {
  const view = new DataView(asset.buffer, asset.byteOffset, asset.byteLength);
  if (asset.byteLength < HEADER_BYTES || ascii(asset.subarray(0, 4)) !== MAGIC)
    throw unreadable("it is not a table of vectors");
  if (view.getUint32(4, true) !== FORMAT_VERSION) throw unreadable("it has another format version");
  const hash = asset.subarray(HASH_AT, HASH_AT + HASH_SHOWN_BYTES).toHex();
  return {
    identity: `builtin:${ascii(asset.subarray(NAME_AT, HASH_AT))}:${hash}`,
    dimensions: view.getUint32(8, true),
  };
}

const ascii = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes).replace(/\0+$/, "");

function unreadable(why: string): AppError {
  return new AppError("internal", "Internal error", { cause: `The built-in vectors can't be read: ${why}` });
}
