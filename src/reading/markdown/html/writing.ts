import type { HtmlElement, HtmlNode } from "./dom.ts";
import type { Survey } from "./survey.ts";
import type { Tabs } from "./tabs.ts";

/** A block's position in the page. */
export interface BlockPlace {
  /** The depth in the tree; below a bound only words are kept. */
  depth: number;
  /** How many lists and quotes surround it: each indents its lines. */
  containers: number;
  /** Whether a heading here opens a section; inside a list, a note or a cell it becomes strong words. */
  opensSections: boolean;
}

/** The state that block writers share while they write one page. */
export interface HtmlWriting {
  survey: Survey;
  tabs: Tabs;
  root: HtmlElement;
  /** The level of the last heading written. */
  headingLevel: number;
  /** The words of the first top-level heading, as Markdown. */
  title?: string;
  /** The number of top-level headings written. */
  titles: number;
  /** Appends nodes to a list of blocks. */
  blocks(nodes: readonly HtmlNode[], place: BlockPlace, out: string[]): void;
}

/** Appends one element to a list of blocks. */
export type BlockWriter = (
  element: HtmlElement,
  place: BlockPlace,
  out: string[],
  writing: HtmlWriting,
) => void;

/** Below this depth, only words are kept. */
export const MAX_DEPTH = 300;
/** Lists and quotes nested deeper are not indented further. */
export const MAX_CONTAINERS = 10;
