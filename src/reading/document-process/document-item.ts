import {
  type DocumentKind,
  mediaTypeOf,
  type ReadDocument,
  type UnreadDocument,
} from "../documents/documents.ts";
import type { SourceItem } from "../source-reader.ts";
import type { DocumentReading } from "./reading.ts";

/** To be raised whenever a reader would make another page of the same file. */
const READERS = "documents.5";

/** Whether a document with this validator was read as it would be read now. */
export const isReadByTheseReaders = (validator: string | undefined) =>
  validator?.endsWith(`\n${READERS}`) === true;

interface DocumentFile {
  location: string;
  /** Names this revision of the file, where that is known without reading it. */
  validator?: string | undefined;
  read(): Promise<Uint8Array>;
}

interface DocumentPlace {
  path: string;
  found: string;
  kind: DocumentKind;
  documents: DocumentReading;
  signal?: AbortSignal | undefined;
}

/** A document, made Markdown when it is read. */
export function documentItem(
  file: DocumentFile,
  { path, found, kind, documents, signal }: DocumentPlace,
): SourceItem {
  const { location, validator } = file;
  const faults: string[] = [];
  const item: SourceItem = {
    path,
    location,
    found,
    format: "document",
    validator: validator === undefined ? undefined : `${validator}\n${READERS}`,
    faults,
    async read() {
      const content = await file.read();
      const said = await documents.read(content, kind, signal);
      faults.splice(0, faults.length, ...faultsOf(said, content, documents));
      if ("unreadable" in said) return new Uint8Array();
      const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex");
      if (content.length <= documents.keptBytesMax)
        item.original = { hash, type: mediaTypeOf(kind), content };
      return new TextEncoder().encode(asPage(said, hash));
    },
  };
  return item;
}

function faultsOf(
  said: ReadDocument | UnreadDocument,
  content: Uint8Array,
  { keptBytesMax }: DocumentReading,
): string[] {
  if ("unreadable" in said) return [said.unreadable];
  const isKept = keptBytesMax === 0 || content.length <= keptBytesMax;
  return isKept
    ? said.faults
    : [...said.faults, `is larger than ${keptBytesMax} bytes, and so not kept to download`];
}

/** The page as its source would have it: that it was made of another file, with the same words, is a change. */
function asPage({ data, markdown }: ReadDocument, hash: string): string {
  const pages = markdown.match(PAGE_MARKS)?.length;
  // JSON is YAML.
  return `---\n${JSON.stringify({ ...data, original: hash, pages })}\n---\n${markdown}`;
}

/** What stands where a page or a slide begins. */
const PAGE_MARKS = /<a id="page=\d+"><\/a>|\{#slide-\d+\}$/gm;
