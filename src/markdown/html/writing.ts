import type { HtmlElement, HtmlNode } from "./dom.ts";
import type { Survey } from "./survey.ts";
import type { Tabs } from "./tabs.ts";

/** A block's position in the page: how deep, and whether headings open sections there. */
export interface Place {
  /** How deep in the tree: too deep, and only words are kept. */
  depth: number;
  /** How many lists and quotes are around it: each of them moves its lines to the right. */
  containers: number;
  /** Whether a heading here opens a section of the page: inside a list, a note or a cell it is only strong words. */
  opensSections: boolean;
}

/** State that the writers of blocks share while they write one page. */
export interface Writing {
  survey: Survey;
  tabs: Tabs;
  root: HtmlElement;
  /** Level of the heading that was written last. */
  headingLevel: number;
  /** Words of the first heading of the top level, as Markdown. */
  title?: string;
  /** How many headings of the top level were written. */
  titles: number;
  /** Writes nodes as blocks, at the end of a list of them. */
  blocks(nodes: readonly HtmlNode[], place: Place, out: string[]): void;
}

/** Writes one element at the end of a list of blocks. */
export type BlockWriter = (element: HtmlElement, place: Place, out: string[], writing: Writing) => void;

/** Deeper than this, only words are kept. */
export const MAX_DEPTH = 300;
/** Lists and quotes deeper than this are written without moving their lines further. */
export const MAX_CONTAINERS = 10;
