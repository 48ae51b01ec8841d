import { jsonIn } from "@docent/kernel/text/json";
import { z } from "zod";
import {
  type DocumentKind,
  mediaTypeOf,
  type ReadDocument,
  readDocument,
  type UnreadDocument,
} from "../documents/documents.ts";
import {
  createReadingProcess,
  type Ending,
  type ProcessOptions,
} from "../reading-process/reading-process.ts";
import type { SourceItem } from "../source-reader.ts";

interface ReadingOptions extends Omit<ChildReadingOptions, "command"> {
  /** The command that starts this program to read documents; without it they are read in this process. */
  command: readonly string[] | undefined;
}

/** Opens what reads the documents of sources. */
export const openDocumentReading = ({ command, ...bounds }: ReadingOptions): DocumentReading =>
  command === undefined
    ? createOwnReading(bounds.bytesMax, bounds.keptBytesMax)
    : createChildReading({ command, ...bounds });

interface ChildReadingOptions extends ProcessOptions {
  /** The largest file that is read. */
  bytesMax: number;
  /** The largest that is kept as it is; 0: none. */
  keptBytesMax: number;
  /** How long one document may take. */
  documentMs: number;
}

const replyShape = z.union([
  z.object({ unreadable: z.string() }),
  z.object({ data: z.record(z.string(), z.string()), markdown: z.string(), faults: z.array(z.string()) }),
]);

/** Reads documents in a process of their own: a file may be made to take all memory, or never to end. */
function createChildReading(options: ChildReadingOptions): DocumentReading {
  const { bytesMax, keptBytesMax, documentMs } = options;
  const reading = createReadingProcess(options);
  return {
    bytesMax,
    keptBytesMax,
    async read(content, kind, signal) {
      const bounds = { clockMs: documentMs };
      const said = await reading.ask({ head: { document: kind }, body: content, bounds, signal });
      if (typeof said === "string") return { unreadable: whyUnread(said, options) };
      const reply = replyShape.safeParse(jsonIn(new TextDecoder().decode(said)));
      return reply.success ? reply.data : { unreadable: whyUnread("itself", options) };
    },
  };
}

function whyUnread(ending: Ending, { documentMs, memoryBytesMax }: ChildReadingOptions): string {
  switch (ending) {
    case "time":
      return `takes more than ${documentMs / 1000} seconds to read`;
    case "memory":
      return `takes more than ${Math.round(memoryBytesMax / 1_000_000)} MB of memory to read`;
    case "itself":
      return "is damaged, or was made to harm: the process that read it has ended";
  }
}

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

/** Reads the documents of sources: PDF, Office, books, mail. */
export interface DocumentReading {
  /** The largest file that is read. */
  bytesMax: number;
  /** The largest that is kept as it is, for readers to download; 0: none. */
  keptBytesMax: number;
  /** Never throws for what is in a document, only where it is told to stop. */
  read(content: Uint8Array, kind: DocumentKind, signal?: AbortSignal): Promise<ReadDocument | UnreadDocument>;
}

/** Reads them in this process, where nothing bounds what a document costs that was made to harm. */
export const createOwnReading = (bytesMax: number, keptBytesMax = bytesMax): DocumentReading => ({
  bytesMax,
  keptBytesMax,
  read: (content, kind) => readDocument(content, kind),
});
