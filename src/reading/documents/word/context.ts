import type { Block, Span } from "../blocks/blocks.ts";
import type { Relationship } from "../package/package.ts";
import type { XmlElement } from "../xml/xml.ts";
import type { Fields } from "./fields.ts";
import type { Numbering } from "./numbering.ts";
import type { Styles } from "./styles.ts";

/** Notes of a document, and which of them its text has named so far. */
export interface Notes {
  /** The label of a note; undefined where there is no such note. */
  labelOf(kind: "footnote" | "endnote", id: string): string | undefined;
}

/** What it takes to read any part of a document's text. */
export interface WordContext {
  styles: Styles;
  numbering: Numbering;
  fields: Fields;
  notes: Notes;
  relationships: ReadonlyMap<string, Relationship>;
  /** What charts and diagrams say, and documents that are embedded, by the ids of their relationships. */
  embedded: ReadonlyMap<string, readonly Block[]>;
  /** Bookmarks that links in the document lead to. */
  targets: ReadonlySet<string>;
  /** Bookmarks that wait for the next words. */
  places: string[];
  /** The words of paragraphs whose end was deleted: they go on in the next. */
  carried: Span[];
  /** Whether content that stands there in several ways says something: each is looked through once. */
  said: WeakMap<XmlElement, boolean>;
  /** How many drawings are open around what is read. */
  drawings: { open: number };
  /** How far headings are moved down: below a title. */
  headingShift: { levels: number };
  /** The words of the document's title and of its first heading, as far as they have come. */
  titles: { title?: string; heading?: string };
}

/** Reads the blocks of an element. */
export type ReadBlocks = (elements: readonly XmlElement[], context: WordContext) => Block[];
