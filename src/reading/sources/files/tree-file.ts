import type { Clock } from "@docent/kernel/lib/clock";
import { createOwnReading, type DocumentReading } from "../../document-process/documents.ts";
import { documentKindOf } from "../../documents/documents.ts";
import { HOLDS_MANY_PAGES } from "../../generators/site-files.ts";
import { type AsciidocReader, ownAsciidoc } from "../../markdown/asciidoc/asciidoc.ts";
import type { Authored } from "../../markdown/kept-words/kept-words.ts";
import type { AnchorStyle } from "../../markdown/page.ts";
import type { PlainText, ReadWords } from "../../source-reader.ts";

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

/** A rule of a folder with what it says, or with why it cannot be read; or a link to a file. */
export type RuleNote = { location: string } & (
  | { content: Uint8Array }
  | { why: string }
  | { target: string }
);

/** Makes pages of files in another process, which a page that was made never to end ends alone. */
export interface ReadApart {
  /** Nothing is started before the first page is read. */
  open(tree: TreeApart): OpenTree;
}

/** A tree of files with all that says how it is read. */
export interface TreeApart extends Pick<FileBounds, "fileBytesMax" | "documents"> {
  files: readonly ReadableFile[];
  others: readonly ReadableFile[];
  found: string;
  subfolder?: string | undefined;
  version?: string | undefined;
  siteUrl?: string | undefined;
  answers?: Readonly<Record<string, string>> | undefined;
  rules: readonly RuleNote[];
  clock: Clock;
  signal?: AbortSignal | undefined;
}

export interface OpenTree {
  /** The files to list the pages from: of what is read of them, the other process does not have to ask. */
  tree: { files: ReadableFile[]; others: ReadableFile[] };
  /** Makes a page; where that takes too long or too much memory, no more than the words of its text. Raises where it has none. */
  read(page: PageOfTree, plain: () => Promise<PlainText | undefined>): Promise<MadePage>;
  /** The files that could not be read when they were asked for, each with why. */
  unread(): ReadonlyMap<string, unknown>;
  end(): void;
}

/** A page as a tree lists it. */
export interface PageOfTree {
  location: string;
  path: string;
  /** The style of the anchors with which the page is parsed at once. */
  anchors?: AnchorStyle | undefined;
  /** Where the tree does not hold its file, and no other file belongs to it. */
  alone?: { format: string; read: ReadableFile["read"] } | undefined;
}

export interface MadePage {
  content: Uint8Array;
  faults: string[];
  parsed?: ReadWords | undefined;
  authored?: Authored | undefined;
}

/** How much of a file is read, and by whom where this process might not come to an end. */
export interface FileBounds {
  /** The largest file of text. */
  fileBytesMax: number;
  documents: DocumentReading;
  asciidoc: AsciidocReader;
  /** Makes pages of files; this process does, where nothing is given. */
  apart?: ReadApart | undefined;
}

/** The bounds of a source, which may leave it to this process to read documents and AsciiDoc. */
export type GivenBounds = Pick<FileBounds, "fileBytesMax"> & Partial<FileBounds>;

export const boundsOf = ({
  fileBytesMax,
  documents = createOwnReading(fileBytesMax),
  asciidoc = ownAsciidoc,
  apart,
}: GivenBounds): FileBounds => ({ fileBytesMax, documents, asciidoc, apart });

/** The largest that a file may be: documents hold pictures, and dumps all pages of a wiki. */
export const bytesMaxOf = (
  { location }: Pick<TreeFile, "location">,
  { fileBytesMax, documents }: Pick<FileBounds, "fileBytesMax" | "documents">,
) =>
  documentKindOf(location) === undefined && !HOLDS_MANY_PAGES.test(location)
    ? fileBytesMax
    : documents.bytesMax;
