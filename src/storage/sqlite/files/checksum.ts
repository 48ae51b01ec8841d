import { createHash } from "node:crypto";
import { appendFileSync, closeSync, openSync, readSync, statSync, truncateSync } from "node:fs";

// SQLite notices a page that is out of order, and not a letter that has changed in a text. So a backup ends with a digest of
// itself, behind what SQLite reads. Who opens and changes it makes its header another: the digest then counts no more.

const MARK = "docent-backup-sha256";
const DIGEST = /^[0-9a-f]{64}$/;
const HEADER_BYTES = 100;
const PIECE_BYTES = 1024 * 1024;
/** The mark, two digests in hexadecimal, and what stands between them. */
const TRAILER_BYTES = MARK.length + 2 * 64 + 4;

/** What a backup's own digest says of it. `none`: it has none, or was in use since. */
type Checksum = "matches" | "differs" | "none";

/** Puts a digest behind a copy that nobody else has open. */
export function addChecksum(file: string): void {
  const bytes = statSync(file).size;
  appendFileSync(file, `\n${MARK} ${digestOf(file, HEADER_BYTES)} ${digestOf(file, bytes)}\n`);
}

export function checksumOf(file: string): Checksum {
  const bytes = statSync(file).size - TRAILER_BYTES;
  if (bytes < HEADER_BYTES) return "none";
  const trailer = withFile(file, (descriptor) => {
    const read = Buffer.alloc(TRAILER_BYTES);
    readSync(descriptor, read, 0, TRAILER_BYTES, bytes);
    return read.toString("latin1");
  });
  const [mark, header = "", whole = ""] = trailer.trim().split(" ");
  if (mark !== MARK || !DIGEST.test(header) || !DIGEST.test(whole)) return "none";
  if (header !== digestOf(file, HEADER_BYTES)) return "none";
  return whole === digestOf(file, bytes) ? "matches" : "differs";
}

/** Leaves of a backup what SQLite reads. */
export function removeChecksum(file: string): void {
  if (checksumOf(file) === "matches") truncateSync(file, statSync(file).size - TRAILER_BYTES);
}

/** The digest of a file's first bytes. */
function digestOf(file: string, bytes: number): string {
  return withFile(file, (descriptor) => {
    const hash = createHash("sha256");
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, bytes));
    for (let at = 0; at < bytes; ) {
      const count = readSync(descriptor, piece, 0, Math.min(piece.length, bytes - at), at);
      if (count === 0) break;
      hash.update(piece.subarray(0, count));
      at += count;
    }
    return hash.digest("hex");
  });
}

function withFile<T>(file: string, read: (descriptor: number) => T): T {
  const descriptor = openSync(file, "r");
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
