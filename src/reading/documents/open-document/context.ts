import type { Block, Span } from "../blocks/blocks.ts";
import type { XmlElement } from "../xml/xml.ts";
import type { Styles } from "./styles.ts";

/** What it takes to read any text of an OpenDocument. */
export interface TextContext {
  styles: Styles;
  objects: ReadonlyMap<string, readonly Block[]>;
  /** Notes so far, by their labels. */
  notes: Map<string, readonly Block[]>;
  /** Counters of headings that are numbered, by level. */
  headings: number[];
  /** How far the lists have counted that others may go on from, by their styles. */
  counted: Map<string, number[]>;
  headingShift: { levels: number };
  titles: { title?: string; heading?: string };
  /** Places that links in the document lead to. */
  targets: ReadonlySet<string>;
}

/** What a paragraph holds: its words, and what hangs on it, such as text boxes. */
export interface Inline {
  spans: Span[];
  after: Block[];
}

/** Reads the blocks of an element. */
export type ReadBlocks = (elements: readonly XmlElement[], context: TextContext) => Block[];

export function createContext(
  styles: Styles,
  objects: ReadonlyMap<string, readonly Block[]>,
  targets: ReadonlySet<string> = new Set(),
): TextContext {
  return {
    styles,
    objects,
    targets,
    notes: new Map(),
    headings: [],
    counted: new Map(),
    headingShift: { levels: 0 },
    titles: {},
  };
}
