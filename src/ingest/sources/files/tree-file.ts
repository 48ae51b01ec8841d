import { documentKindOf } from "../../../documents/documents.ts";
import { type AsciidocReader, ownAsciidoc } from "../../../markdown/asciidoc/asciidoc.ts";
import { createOwnReading, type DocumentReading } from "../../documents/documents.ts";

/** A file of a tree: of a folder, a commit, an archive. */
export interface TreeFile {
  /** Where it is below the root, with slashes. */
  location: string;
  sizeBytes: number;
}

/** A file of a tree that can be read in any order. */
export interface ReadableFile extends TreeFile {
  validator?: string | undefined;
  read(): Promise<Uint8Array>;
}

/** How much of a file is read, and by whom where this process might not come to an end. */
export interface FileBounds {
  /** The largest file of text. */
  fileBytesMax: number;
  documents: DocumentReading;
  asciidoc: AsciidocReader;
}

/** The bounds of a source, which may leave it to this process to read documents and AsciiDoc. */
export type GivenBounds = Pick<FileBounds, "fileBytesMax"> & Partial<FileBounds>;

export const boundsOf = ({
  fileBytesMax,
  documents = createOwnReading(fileBytesMax),
  asciidoc = ownAsciidoc,
}: GivenBounds): FileBounds => ({ fileBytesMax, documents, asciidoc });

/**
 * A wiki's dump is one file of XML for all of its pages, a XAR, or the `data.json` of a book. No page is made of any other XML. What is attached to a
 * page lies in Confluence's export of a space under its numbers.
 */
const HOLDS_MANY_PAGES =
  /\.(?:xml|xar|dbk|docbook|sgml)$|(?:^|\/)data\.json$|(?:^|\/)attachments\/\d+\/\d+\/\d+$/i;

/** The largest that a file may be: documents hold pictures, and dumps all pages of a wiki. */
export const bytesMaxOf = (
  { location }: Pick<TreeFile, "location">,
  { fileBytesMax, documents }: Pick<FileBounds, "fileBytesMax" | "documents">,
) =>
  documentKindOf(location) === undefined && !HOLDS_MANY_PAGES.test(location)
    ? fileBytesMax
    : documents.bytesMax;
