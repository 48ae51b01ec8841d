import { join } from "node:path";

/**
 * Reads one of the tables by which fonts of Chinese, Japanese and Korean say which characters they mean. Without them the
 * text of such a PDF is lost wholly where it carries no table itself. The build replaces this file by one that carries
 * the tables (scripts/build.ts): of its 168 files a document needs one or two.
 */
export async function readCMap(name: string): Promise<Uint8Array | undefined> {
  const manifest = Bun.resolveSync("pdfjs-dist/package.json", import.meta.dir);
  const file = Bun.file(join(manifest, "..", "cmaps", name));
  return (await file.exists()) ? file.bytes() : undefined;
}
