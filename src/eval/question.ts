import { normalizePath } from "../pages/page-path.ts";
import type { PageFilter } from "../pages/pages.ts";
import type { Golds } from "./scores.ts";

/** A stretch of a file's text: from a character to before another. */
export type Range = readonly [start: number, end: number];

/** Stretches of one file. */
export interface Placed {
  path: string;
  ranges: Range[];
}

/** A question, and what should be found for it. */
export interface Question {
  id: string;
  text: string;
  /** What kind of question it is; "" where the set has none. */
  subset: string;
  filter: PageFilter;
  pages: Golds;
  /** By `path#anchor`; empty where no section is named. */
  sections: Golds;
  /** What answers it, word for word; undefined where the set does not say. */
  spans: Placed | undefined;
}

/** One thing that a system returned. */
export interface Ranked {
  path: string;
  /** The headings that it stands under and those inside it. Asked for only where sections are scored. */
  anchors(): string[];
  /** From 0 to 1, where the system knows it. */
  relevance: number | undefined;
  /** Where it stands in the page's file. Asked for only where the set has spans. */
  ranges(): Range[];
}

/** Something that ranks passages for a question, best first. */
export interface System {
  name: string;
  /** Every passage that it could return, with its place in its file; needed where the set has spans. */
  passages: readonly Placed[];
  rank(question: Question): Promise<Ranked[]>;
}

/** A path that is the same however the page was named: with or without extension, an index or a README as its folder. */
export function canonicalPath(path: string): string {
  return normalizePath(path).replace(/(^|\/)readme$/i, "");
}

/** A page's place, or a section's, as golds name it. */
export const sectionId = (path: string, anchor: string): string => `${path}#${anchor}`;

/** At most so many questions, evenly from the whole list. */
export function sampleOf(questions: Question[], most: number): Question[] {
  const step = Math.max(1, questions.length / most);
  return questions.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
