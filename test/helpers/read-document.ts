import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DocumentBounds,
  type DocumentKind,
  readDocument,
} from "../../src/reading/documents/documents.ts";

/** A fixture of test/fixtures/documents. */
export const documentFixture = (name: string) =>
  readFile(join(import.meta.dir, "../fixtures/documents", name));

/** What a document becomes; fails where it cannot be read. */
export async function documentOf(content: Uint8Array, kind: DocumentKind, bounds?: DocumentBounds) {
  const read = await readDocument(content, kind, bounds);
  if ("unreadable" in read) throw new Error(`The document ${read.unreadable}.`);
  return read;
}

/** Why a document cannot be read; "" where it can. */
export async function unreadable(
  content: Uint8Array,
  kind: DocumentKind,
  bounds?: DocumentBounds,
): Promise<string> {
  const read = await readDocument(content, kind, bounds);
  return "unreadable" in read ? read.unreadable : "";
}
