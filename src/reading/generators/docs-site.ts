import type { Clock } from "@docent/kernel/lib/clock";
import type { AsciidocReader } from "../markdown/asciidoc/asciidoc.ts";
import type { MenuEntry } from "../page/menu.ts";
import type { PageMarks } from "../page/page-marks.ts";
import type { DocsTree } from "./docs-tree.ts";

/** A page that a generator publishes. */
export interface DocsPage {
  /** The file that it is made from. */
  location: string;
  /** Its published address below the site's, without slashes around it: "guide/install", "guide/install.html". */
  path: string;
  edition?: PageEdition | undefined;
  /** What its edition comes to among the pages that are read. */
  marks?: Partial<PageMarks>;
}

/** Which version and language of the docs a page is. */
export interface PageEdition {
  /** Where the docs have several. A version that was asked for is called as it was asked for. */
  version?: string | undefined;
  /** As the pages say it in HTML, where the docs have several. */
  language?: string | undefined;
  /** What a page and its translations have in common, and no other page: where they are, apart from the language. */
  topic?: string | undefined;
}

/** A file that looks like a page and is not published, or only as a part of others. */
export interface LeftOut {
  location: string;
  /** Completes "<location> …" for people: "is a draft". */
  detail: string;
  /** The page is not for everyone. */
  isRestricted?: boolean;
}

/** A file that docs hold inside another one, or under a name that does not say what it is. */
export interface HeldFile {
  /** Where it would lie, with the name that it has for people: what pages show as an image is found by it. */
  location: string;
  sizeBytes: number;
  read(): Promise<Uint8Array>;
}

/** What cannot be known without running the generator. */
export interface Unknown {
  /** A question to the owner: "Which baseUrl does the site have? docusaurus.config.js computes it." */
  question: string;
  /** What is taken instead. */
  guess: string;
  /** What an answer is given for: "baseUrl". Absent where no answer would change what is read. */
  name?: string | undefined;
}

/** A page as Markdown, with all that it takes from other files in it. */
export interface ReadDocsPage {
  /** Front matter. A title in it is the published one. */
  data: Record<string, unknown>;
  /** The body. Headings have their published ids as `{#id}`, links to pages are written from the site's root. */
  markdown: string;
  /** What was wrong with the source, for its author. */
  faults: string[];
}

/** The docs of a repository as their generator publishes them. */
export interface DocsSite {
  /** The generator with its version where that changes something: "Docusaurus 3". */
  generator: string;
  /** The folder of its configuration. */
  root: string;
  /** The main language: its pages are shown where there is no translation. */
  language?: string | undefined;
  /** With distinct paths. */
  pages: DocsPage[];
  leftOut: LeftOut[];
  /** Empty where the generator makes none. */
  menu: MenuEntry[];
  /** Addresses that lead to a page from elsewhere: where it was before. */
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
  /** Whether some of its files are not for everyone: where no page is left, they are not taken as they lie either. */
  holdsRestricted?: boolean;
  /** Docs of generators in other folders of the source, which are no part of these. */
  beside?: readonly { generator: string; root: string; pages: number }[];
  /** Images and documents that are no files of the source by themselves. */
  held?: readonly HeldFile[];
  /** The address of a document that lies beside the pages, where that does not follow from theirs. */
  documentPath?(location: string): string | undefined;
  read(page: DocsPage): Promise<ReadDocsPage>;
  /** A page's text before anything is made of it, where the page is no file by itself. */
  plain?(page: DocsPage): Promise<PlainDocsPage | undefined>;
}

interface PlainDocsPage {
  text: string;
  format: "txt" | "md" | "html";
  title: string;
}

/** Which of a site's docs are asked for. */
export interface WantedDocs {
  /** The version; the latest where none is named, or where the docs have none of that name. */
  version?: string | undefined;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
  /** What the owner says of the configuration, by the names of what was asked. */
  answers?: Readonly<Record<string, string>> | undefined;
}

/** What docs are opened with. */
export interface OpenOptions extends WantedDocs {
  /** Pages may have a date from which they are published. */
  clock: Clock;
  /** What reads AsciiDoc; this process, where nothing is given. */
  asciidoc?: AsciidocReader | undefined;
}

/** What knows one docs generator. */
export interface GeneratorAdapter {
  name: string;
  /** Whether its files may say that some pages are not for everyone: they are then never taken as they lie. */
  knowsRights?: boolean;
  /** The folders whose files look like this generator's configuration, from names alone. */
  roots(tree: DocsTree): string[];
  /** Reads the configuration as data, and never runs it. Undefined where it is something else after all. */
  open(tree: DocsTree, root: string, options: OpenOptions): Promise<DocsSite | undefined>;
}
