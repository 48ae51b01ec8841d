import { readZipDirectory, readZipEntry, type ZipBytes, ZipFault } from "../../lib/zip/zip.ts";
import { createDocsTree, type DocsFile, type DocsTree } from "../docs-tree.ts";

const ENTRIES_MAX = 200_000;
const UNPACKED_BYTES_MAX = 4_000_000_000;
const FILE_BYTES_MAX = 500_000_000;

/** The files in a XAR, which is a zip; or why it cannot be read. */
export async function openXar(content: Uint8Array): Promise<DocsTree | string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const zip: ZipBytes = {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
  try {
    const entries = (await readZipDirectory(zip, ENTRIES_MAX)).filter(({ kind }) => kind === "file");
    const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (total > UNPACKED_BYTES_MAX) return `it unpacks to more than ${UNPACKED_BYTES_MAX} bytes`;
    const files = entries
      .filter(({ refusal, sizeBytes }) => refusal === undefined && sizeBytes <= FILE_BYTES_MAX)
      .map((entry): DocsFile => ({ location: entry.name, read: () => readZipEntry(zip, entry) }));
    return createDocsTree(files);
  } catch (error) {
    if (error instanceof ZipFault) return error.detail;
    throw error;
  }
}
