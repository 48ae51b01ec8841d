import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { readSpan, type Span } from "./files.ts";
import { PIECE_BYTES_MAX } from "./manifest.ts";

const PAGE_BYTES = 4096;
const PAGES_MIN = 16;
const PAGES_MAX = PIECE_BYTES_MAX / PAGE_BYTES;
/** A cut comes after one page in 64: a piece has about 300 kB. */
const CUT_MASK = 63n;

/** A piece of a file, by what is in it. */
interface Piece extends Span {
  sha256: string;
}

/**
 * Cuts a database into pieces, behind pages that are chosen by their content: where pages were added or taken away, the
 * cuts behind them are the same as before, and so are most pieces.
 */
export async function cutIntoPieces(file: string): Promise<Piece[]> {
  const { size } = await stat(file);
  const pieces: Piece[] = [];
  let from = 0;
  let bytes = 0;
  let hash = createHash("sha256");
  const end = () => {
    if (bytes === 0) return;
    pieces.push({ file, from, bytes, sha256: hash.digest("hex") });
    from += bytes;
    bytes = 0;
    hash = createHash("sha256");
  };
  for await (const read of readSpan({ file, from: 0, bytes: size }))
    for (let at = 0; at < read.length; at += PAGE_BYTES) {
      const page = read.subarray(at, at + PAGE_BYTES);
      hash.update(page);
      bytes += page.length;
      const pages = bytes / PAGE_BYTES;
      if (pages >= PAGES_MAX || (pages >= PAGES_MIN && (BigInt(Bun.hash(page)) & CUT_MASK) === 0n)) end();
    }
  end();
  return pieces;
}
