import type { DocumentKind, ReadDocument } from "../../documents/documents.ts";
import type { SourceItem } from "../source-reader.ts";
import type { DocumentReading } from "./reading.ts";

/** To be raised whenever a reader would make another page of the same file. */
const READERS = "documents.1";

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
  return {
    path,
    location,
    found,
    format: "document",
    validator: validator === undefined ? undefined : `${validator}\n${READERS}`,
    faults,
    async read() {
      const said = await documents.read(await file.read(), kind, signal);
      faults.splice(0, faults.length, ...("unreadable" in said ? [said.unreadable] : said.faults));
      return new TextEncoder().encode("unreadable" in said ? "" : asPage(said));
    },
  };
}

// JSON is YAML.
const asPage = ({ data, markdown }: ReadDocument) => `---\n${JSON.stringify(data)}\n---\n${markdown}`;
