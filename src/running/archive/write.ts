import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { AppError } from "@docent/kernel/errors";
import { readSpan, type Span, writeAll, writeFileWhole } from "./files.ts";
import { type BundleFile, MANIFEST_FILE, SIGNATURE_FILE, SUMS_FILE } from "./manifest.ts";
import { BLOCK_BYTES, paddingOf, tarHeader } from "./tar.ts";

/** Where what a file of a bundle holds comes from. */
export type Content = Span | Uint8Array;

interface Written {
  manifest: Uint8Array;
  signature: Uint8Array | undefined;
  sums: Uint8Array;
  files: readonly { file: BundleFile; content: Content }[];
  /** In milliseconds: every file has this time. */
  at: number;
}

/** Writes a bundle. It is under its name only when it is whole. */
export async function writeBundle(
  target: string,
  { manifest, signature, sums, files, at }: Written,
): Promise<void> {
  await writeFileWhole(target, 0o600, async (handle) => {
    const put = (path: string, content: Content, sha256?: string) =>
      writeEntry(handle, { path, content, sha256, at });
    await put(MANIFEST_FILE, manifest);
    if (signature !== undefined) await put(SIGNATURE_FILE, signature);
    await put(SUMS_FILE, sums);
    for (const { file, content } of files) if (file.isCarried) await put(file.path, content, file.sha256);
    await writeAll(handle, new Uint8Array(2 * BLOCK_BYTES));
  });
}

interface Entry {
  path: string;
  content: Content;
  /** What it has to be: a file may change while it is read. */
  sha256: string | undefined;
  at: number;
}

async function writeEntry(handle: FileHandle, { path, content, sha256, at }: Entry): Promise<void> {
  const bytes = content instanceof Uint8Array ? content.length : content.bytes;
  await writeAll(handle, tarHeader({ path, bytes }, { mode: path.startsWith("bin/") ? 0o755 : 0o644, at }));
  const hash = createHash("sha256");
  let written = 0;
  for await (const piece of content instanceof Uint8Array ? [content] : readSpan(content)) {
    hash.update(piece);
    written += piece.length;
    await writeAll(handle, piece);
  }
  if (written !== bytes || (sha256 !== undefined && hash.digest("hex") !== sha256))
    throw new AppError("conflict", `${path} changed while the bundle was made. Make it again.`);
  await writeAll(handle, new Uint8Array(paddingOf(bytes)));
}
