import type { SharedParts } from "./markdown/html/html.ts";
import type { Authored, LostWords } from "./markdown/kept-words/kept-words.ts";
import type { AnchorStyle, PageFormat, ParsedPage } from "./markdown/page.ts";
import type { PublishedIds } from "./markdown/published-ids/published-ids.ts";
import type { MenuEntry } from "./page/menu.ts";
import type { PageMarks } from "./page/page-marks.ts";
import type { PageRedirect } from "./page/redirects.ts";

/** One page that a source lists. */
export interface SourceItem {
  /** The page's path on its site: no slash before or after, "" for the first page. */
  path: string;
  /** Where it was found, for people: a file below the folder, an address. Links in the page are relative to it. */
  location: string;
  /** How it was found, for the ledger: "folder", "sitemap", "link on https://…". */
  found: string;
  format: PageFormat;
  /** Names this revision of the content where that is known without reading it: a git blob, an ETag. */
  validator?: string | undefined;
  /** The validator is of the page's images as well: where it is the same, they are not looked at. */
  validatesImages?: true | undefined;
  /** Addresses that lead on from here: a crawl needs them again when the page has not changed and is not read. */
  links?: string[] | undefined;
  /** Who makes it Markdown may parse that at once. */
  read(parsing?: Parsing): Promise<Uint8Array>;
  /** What was read, where it was parsed at once. */
  parsed?: (() => ReadWords | undefined) | undefined;
  /** The page as its author wrote it, once it was read, where what is read was made from that. */
  authored?: (() => Authored | undefined) | undefined;
  /**
   * The page's text before anything is made of it, where it is made Markdown when it is read: its words are all that is left
   * where that takes too long. Undefined for what has none.
   */
  plain?: (() => Promise<PlainText | undefined>) | undefined;
  /** What turned out to be wrong with it when it was read, for its author. */
  faults?: readonly string[] | undefined;
  /** What the source knows of a page of HTML, once it was read. */
  around?: (() => AroundPage | undefined) | undefined;
  /** The document that it was made of, once it was read: it is kept for readers to download. */
  original?: OriginalFile | undefined;
  /** The version and language that the source's docs give to it. */
  marks?: DocsMarks | undefined;
  /** The ids that its headings have where it is published, where these are known. */
  published?: PublishedIds | undefined;
  /** Whom it is for by where it lies. */
  rule?: FolderRule | undefined;
  /** Finds the file that an image's address in the page means; undefined where it can be none of the source's. */
  imageFile?: ((reference: string) => ImageFile | undefined) | undefined;
}

/** How pages are parsed. */
export interface Parsing {
  anchors: AnchorStyle;
  /** Whether the page may turn out to be as it was before, which is then not parsed. */
  mayBeHeld(item: Pick<SourceItem, "path" | "location" | "format">): boolean;
}

/** A page that was parsed, with what it lost on the way. */
export interface ReadWords extends ParsedPage {
  lost: LostWords[];
}

/** A page's text as its author wrote it. */
export interface PlainText {
  text: string;
  format: PageFormat | "adoc";
  /** What the page is called, where that stands elsewhere. */
  title?: string | undefined;
}

/** What lies around a page of HTML. */
export interface AroundPage {
  /** Its folder, from which its links are meant. */
  folder: string;
  /** What the pages beside it have, too, which is none of its words. */
  shared: SharedParts | undefined;
  /** The files that are no pages although they are HTML: of links to them, only the words stay. */
  leftOut: ReadonlySet<string>;
}

/** What docs say of a page's version and language; what they leave out is as its source says. */
export type DocsMarks = Partial<PageMarks>;

/** What the rule of a folder says of a page below it. */
export interface FolderRule {
  /** The file that it stands in. */
  location: string;
  /** The groups that may read the page; none: everyone. */
  groups: readonly string[];
}

/** A document as it is. */
interface OriginalFile {
  /** SHA-256 of its content. */
  hash: string;
  /** Its media type. */
  type: string;
  content: Uint8Array;
}

/** A file that a page shows as an image. */
export interface ImageFile {
  /** Where it is below the source's root, or would be. */
  location: string;
  /** Undefined where the source has no such file. */
  read: (() => Promise<Uint8Array>) | undefined;
}

/** The docs that a source holds, as their generator publishes them. */
export interface RecognizedDocs {
  /** "Docusaurus 3". */
  generator: string;
  pages: number;
  /** Some of the pages, from all of them, with the addresses that they get. */
  samples: { location: string; path: string }[];
  menu: MenuEntry[];
  /** Addresses that lead to pages from elsewhere. */
  redirects: PageRedirect[];
  /** What cannot be known without running the generator, and what is taken instead. */
  unknowns: { name?: string | undefined; question: string; guess: string }[];
  /** The folder of the generator's configuration, where that is not all of the source. */
  root?: string | undefined;
  /** Docs of generators in other folders, which are not read with these. */
  beside?: readonly { generator: string; root: string; pages: number }[] | undefined;
}

/** Files that are no generator's docs, as far as can be seen. */
interface PlainDocs extends Pick<RecognizedDocs, "pages" | "samples"> {
  generator: undefined;
  /** Addresses that lead to pages from elsewhere: other names of a manual page, files of HTML that only lead to one. */
  redirects?: PageRedirect[] | undefined;
  /** The trees of documents that are cut into pages; the other pages stand by their paths. */
  menu?: MenuEntry[] | undefined;
}

/** What the files of a source turned out to be. */
export type FoundDocs = RecognizedDocs | PlainDocs;

/** Why something that a source has was not taken. */
export const SKIP_REASONS = [
  "robots",
  "noindex",
  "hidden",
  /** A page that is not for everyone. Where it was for everyone before, it is taken away, whatever else there is. */
  "restricted",
  "empty",
  "too_large",
  "parse_fault",
  "assumed",
  "duplicate",
  "outside",
  "not_found",
  "refused",
  "failed",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Whether something was left out. What had to be assumed is noted beside it, and leaves nothing out. */
export const isLeftOut = ({ reason }: Pick<Skipped, "reason">) => reason !== "assumed";

/** Something that a source has and that is not taken, with the reason. */
export interface Skipped {
  location: string;
  found: string;
  reason: SkipReason;
  /** Completes "<location> …" for people: "is a link that leaves the folder". */
  detail: string;
  /**
   * Nothing was learned of a page, as when its server did not answer, or of all pages at and below a path: what the
   * index has of them stays.
   */
  keeps?: { path: string } | { below: string } | undefined;
  validator?: string | undefined;
  links?: string[] | undefined;
  /** It could be a page, and the docs around it say nothing of it. */
  isBeside?: true | undefined;
  /** The files that it stands for, which could be pages and are left out as git is told to ignore them. */
  ignoredFiles?: number | undefined;
  /** Whom what is kept is for by where it lies. */
  rule?: FolderRule | undefined;
}

/** What the last run noted about a location. Only where the index still holds what was read then. */
export interface Remembered {
  path: string;
  format: PageFormat;
  validator: string | undefined;
  links: string[];
  /** Set where it was skipped. */
  skipped: { reason: SkipReason; detail: string } | undefined;
}

export interface ListContext {
  signal: AbortSignal;
  remembered(location: string): Remembered | undefined;
  /**
   * All that the last run noted, by location, where it came to the end of the source and took or passed over each thing
   * for good: what has changed since then is all there is to know. Undefined otherwise.
   */
  settled(): ReadonlyMap<string, Remembered> | undefined;
  /** Says that the docs are as they were recognized before: their menu stays. */
  keepDocs(): void;
  /** Hears which generator's docs the files of the source are, if any's, before the first item. */
  onRecognized?: ((docs: FoundDocs) => void) | undefined;
  /** Hears which menu the pages have, where that is known only when all were read. */
  onMenu?: ((menu: MenuEntry[]) => void) | undefined;
  /** Hears what stands beside the docs of questions for their passages. */
  onWritten?: ((content: Uint8Array) => void) | undefined;
}

/**
 * Lists what is at a source's location. An item whose validator is the remembered one is taken as unchanged, and not
 * read. What is thrown ends the run: before the first item nothing changes; later, what was read is kept, and what
 * was not reached stays as it was.
 */
export interface SourceReader {
  list(context: ListContext): AsyncIterable<SourceItem | Skipped>;
}

export const isSkipped = (item: SourceItem | Skipped): item is Skipped => "reason" in item;
