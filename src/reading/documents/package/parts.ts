import { readZipDirectory, readZipEntry, type ZipEntry, ZipFault } from "@docent/kernel/lib/zip/zip";
import type { UnreadDocument } from "../document.ts";

/** More parts than this are no document: a presentation of a thousand slides has ten thousand. */
const PARTS_MAX = 100_000;
/** Of one part. What is larger is pictures and films, which are not read. */
const PART_BYTES_MAX = 150_000_000;
const HEADER_BYTES = 30;

/** A document that is a zip of parts. */
export interface DocumentPackage {
  /** The names of all parts, as they stand in the zip. */
  names: readonly string[];
  has(name: string): boolean;
  /** A part's content; undefined where there is none, or none that can be read. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** What was wrong with parts that were asked for; each completes "<location> …". */
  faults(): string[];
}

/** Opens a document as a zip in memory, or says why it is none. `what` is what it should be: "a Word document". */
export async function openPackage(
  content: Uint8Array,
  what: string,
  unpackedBytesMax: number,
): Promise<DocumentPackage | UnreadDocument> {
  if (content.length === 0) return { unreadable: "is empty" };
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const other = otherForm(bytes, what);
  if (other !== undefined) return { unreadable: other };
  const zip = {
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  };
  try {
    const entries = await readZipDirectory(zip, PARTS_MAX);
    const overlap = overlapIn(entries);
    if (overlap !== undefined) return { unreadable: `is damaged: ${overlap} lies in another of its parts` };
    return packageOf(entries, unpackedBytesMax, (entry) => readZipEntry(zip, entry));
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    return { unreadable: error.kind === "damaged" ? `is damaged: ${error.detail}` : error.detail };
  }
}

/** Parts that share their bytes are how little becomes much: no program writes such. */
function overlapIn(entries: readonly ZipEntry[]): string | undefined {
  let end = 0;
  for (const { headerAt, packedBytes, name } of entries.toSorted((a, b) => a.headerAt - b.headerAt)) {
    if (headerAt < end) return name.slice(0, 100);
    end = headerAt + HEADER_BYTES + packedBytes;
  }
  return undefined;
}

function packageOf(
  entries: readonly ZipEntry[],
  unpackedBytesMax: number,
  unpack: (entry: ZipEntry) => Promise<Uint8Array>,
): DocumentPackage {
  // Names differ in case between what is written and what is meant: parts are found without it.
  const parts = new Map(entries.map((entry) => [keyOf(entry.name), entry]));
  const faults = new Set<string>();
  let bytesLeft = unpackedBytesMax;
  return {
    names: entries.map(({ name }) => name),
    has: (name) => parts.has(keyOf(name)),
    faults: () => [...faults],
    async read(name) {
      const entry = parts.get(keyOf(name));
      if (entry === undefined || entry.kind !== "file") return undefined;
      const refusal = refusalOf(entry, bytesLeft);
      if (refusal !== undefined) {
        faults.add(refusal);
        return undefined;
      }
      bytesLeft -= entry.sizeBytes;
      try {
        return await unpack(entry);
      } catch (error) {
        if (!(error instanceof ZipFault)) throw error;
        faults.add(`is damaged: ${error.detail}`);
        return undefined;
      }
    },
  };
}

function refusalOf({ name, refusal, sizeBytes }: ZipEntry, bytesLeft: number): string | undefined {
  const shown = name.slice(0, 100);
  if (refusal === "is encrypted") return "is encrypted: it needs a password";
  if (refusal !== undefined) return `is damaged: its part ${shown} ${refusal}`;
  if (sizeBytes > PART_BYTES_MAX)
    return `has a part of more than ${PART_BYTES_MAX} bytes, ${shown}, which is not read`;
  if (sizeBytes > bytesLeft) return `unpacks to more than may be read: its part ${shown} is left out`;
  return undefined;
}

const keyOf = (name: string) => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** The beginning of the containers of Office 2003 and older, and of encrypted documents of later ones. */
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const ZIPS = ["PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK00PK\x03\x04"];

/** Streams of an OLE container, by which one knows what made it. Their names are written in UTF-16. */
const STREAMS: readonly [name: string, says: string][] = [
  ["EncryptedPackage", "is encrypted: it needs a password"],
  ["EncryptionInfo", "is encrypted: it needs a password"],
  ["DRMEncryptedDataSpace", "is encrypted: it is protected by rights management"],
  ["WordDocument", "is a Word document of 2003 or older: save it as .docx"],
  ["PowerPoint Document", "is a presentation of 2003 or older: save it as .pptx"],
  ["Workbook", "is a workbook of 2003 or older: save it as .xlsx"],
  ["Book", "is a workbook of 2003 or older: save it as .xlsx"],
];

/** Other forms that are given such names, by their beginning. */
const OTHERS: readonly [start: RegExp, says: string][] = [
  [/^\{\\rtf/, "is rich text: name it .rtf"],
  [/^%PDF-/, "is a PDF: name it .pdf"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i, "is a page of HTML: name it .html"],
];

/** What a document is that is no zip; undefined for a zip. Completes "<location> …". */
function otherForm(bytes: Buffer, what: string): string | undefined {
  const start = bytes.toString("latin1", 0, 200);
  if (ZIPS.some((mark) => start.startsWith(mark))) return undefined;
  if (start.startsWith(OLE)) {
    const found = STREAMS.find(([name]) =>
      [name, name.toUpperCase()].some((each) => bytes.includes(Buffer.from(`${each}\0`, "utf16le"))),
    );
    return found?.[1] ?? `is not ${what}: it is a container of Office 2003 or older`;
  }
  return OTHERS.find(([pattern]) => pattern.test(start))?.[1] ?? `is not ${what}`;
}
