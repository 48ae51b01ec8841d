import { AppError } from "@docent/kernel/errors";
import type { EmbedderIdentity } from "@docent/kernel/vectors/embedder";

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

/** What an asset's first bytes say: whose vectors they are, and what stands where. */
export interface TableHead extends EmbedderIdentity {
  entries: number;
  vocabularyAt: number;
  vocabularyBytes: number;
}

const MAGIC = "DVEC";
const FORMAT_VERSION = 1;
const NAME_AT = 20;
const HASH_AT = 32;
const HASH_SHOWN_BYTES = 6;
/** Where the vectors begin. */
export const HEADER_BYTES = 64;

/**
 * Reads an asset's first bytes. Trusts its hash, as it trusts the binary around it: to check it, all of the asset would
 * have to be read.
 */
export function readHead(asset: Uint8Array): TableHead {
  const view = new DataView(asset.buffer, asset.byteOffset, asset.byteLength);
  if (asset.byteLength < HEADER_BYTES || ascii(asset.subarray(0, 4)) !== MAGIC)
    throw unreadable("it is not a table of vectors");
  if (view.getUint32(4, true) !== FORMAT_VERSION) throw unreadable("it has another format version");
  const hash = asset.subarray(HASH_AT, HASH_AT + HASH_SHOWN_BYTES).toHex();
  const dimensions = view.getUint32(8, true);
  const entries = view.getUint32(12, true);
  return {
    identity: `builtin:${ascii(asset.subarray(NAME_AT, HASH_AT))}:${hash}`,
    dimensions,
    entries,
    vocabularyAt: HEADER_BYTES + dimensions * entries,
    vocabularyBytes: view.getUint32(16, true),
  };
}

/** Reads the end of an asset, where its vocabulary is: entries, parted by newlines, in the order of their vectors. */
export function readVocabulary({ entries, vocabularyBytes }: TableHead, end: Uint8Array): string {
  if (end.byteLength !== vocabularyBytes) throw unreadable("it has another length");
  const vocabulary = new TextDecoder().decode(end);
  let lines = 1;
  for (let at = vocabulary.indexOf("\n"); at >= 0; at = vocabulary.indexOf("\n", at + 1)) lines++;
  if (lines !== entries) throw unreadable("its vocabulary does not fit its vectors");
  return vocabulary;
}

const ascii = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes).replace(/(?<!\0)\0+$/, "");

function unreadable(why: string): AppError {
  return new AppError("internal", "Internal error", { cause: `The built-in vectors can't be read: ${why}` });
}
