import { open } from "node:fs/promises";
import { AppError } from "@docent/kernel/errors";
import { digestOf, readSpan, type Span, writeAll } from "../../archive/files.ts";
import { type Manifest, piecePath, sha256Of } from "../../archive/manifest.ts";
import type { Bundle } from "../../archive/read.ts";

/** What was installed before. */
export interface Earlier {
  id: string;
  manifest: Manifest;
  /** When, in milliseconds. */
  installedAt: number;
  /** The fingerprint of the key with which it had to be signed; undefined where any bundle was taken, or it is not known. */
  signedBy: string | undefined;
  /** Its database as it came. */
  database: string;
}

/** The piece of a bundle's database that neither it nor an earlier one has; undefined where there is none. */
export function missingPiece(
  { files, database }: Manifest,
  earlier: Earlier | undefined,
): string | undefined {
  const carried = new Set(files.flatMap(({ path, isCarried }) => (isCarried ? [path] : [])));
  const had = earlier === undefined ? new Map<string, Span>() : spansIn(earlier);
  return database?.pieces.find((piece) => !carried.has(piecePath(piece)) && !had.has(piece));
}

/** Where each piece lies in the database of an earlier bundle. */
function spansIn({
  manifest: { files, database },
  database: file,
}: Pick<Earlier, "manifest" | "database">): Map<string, Span> {
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const spans = new Map<string, Span>();
  let from = 0;
  for (const piece of database?.pieces ?? []) {
    const bytes = bytesOf.get(piecePath(piece)) ?? 0;
    spans.set(piece, { file, from, bytes });
    from += bytes;
  }
  return spans;
}

/** Puts the database of a bundle together. Raises `conflict` where the earlier one is not what it was. */
export async function assemble(bundle: Bundle, earlier: Earlier | undefined, target: string): Promise<void> {
  const { files, database } = bundle.manifest;
  if (database === null) return;
  const carried = new Set(files.flatMap(({ path, isCarried }) => (isCarried ? [path] : [])));
  const had = earlier === undefined ? new Map<string, Span>() : spansIn(earlier);
  const handle = await open(target, "w", 0o600);
  try {
    for (const piece of database.pieces) {
      const path = piecePath(piece);
      const span = carried.has(path) ? bundle.spanOf(path) : had.get(piece);
      if (span === undefined) throw new Error(`the piece ${piece} is nowhere`);
      const bytes = await piecesOf(span);
      if (sha256Of(bytes) !== piece)
        throw new AppError(
          "conflict",
          `The database that was installed here last has changed: ${span.file}.`,
          {
            hint: "Make a bundle without --since, and install that.",
          },
        );
      await writeAll(handle, bytes);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  const { sha256 } = await digestOf({ file: target, from: 0, bytes: database.bytes });
  if (sha256 !== database.sha256)
    throw new AppError("conflict", "The database could not be put together as it was.");
}

async function piecesOf(span: Span): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const piece of readSpan(span)) read.push(piece);
  return Buffer.concat(read);
}
