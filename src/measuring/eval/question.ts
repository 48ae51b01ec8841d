import { normalizePath } from "@docent/reading/page/page-path";
import type { PageFilter } from "@docent/sites/pages/pages";
import type { Golds } from "./scores.ts";

/** A range of a file's characters, the end excluded. */
export type Range = readonly [start: number, end: number];

/** Ranges in one file. */
export interface Placed {
  path: string;
  ranges: Range[];
}

/** A question with what should be found for it. */
export interface EvalQuestion {
  id: string;
  text: string;
  /** The kind of question; "" where the set has none. */
  subset: string;
  filter: PageFilter;
  pages: Golds;
  /** Keyed by `path#anchor`; empty where no section is expected. */
  sections: Golds;
  /** The text that answers it; undefined where the set does not say. */
  spans: Placed | undefined;
  /** Texts that answer it, of which one is enough; empty or missing where the set does not say. */
  answers?: readonly string[];
}

/** One result of a system. */
export interface Ranked {
  path: string;
  /** The anchors of its heading and those inside it. Called only where sections are scored. */
  anchors(): string[];
  /** From 0 to 1, where the system knows it. */
  relevance: number | undefined;
  /** Its ranges in the page's file. Called only where the set has spans. */
  ranges(): Range[];
}

/** Something that ranks passages for a question, best first. */
export interface System {
  name: string;
  /** Every passage that it could return, with its place in its file; needed where the set has spans. */
  passages: readonly Placed[];
  rank(question: EvalQuestion): Promise<Ranked[]>;
}

/** A path without extension, an index or README as its folder: the same however the page was named. */
export function canonicalPath(path: string): string {
  return normalizePath(path.replace(/\.(qmd|rmd|rst|txt|adoc|asciidoc|asc)$/i, "")).replace(
    /(^|\/)readme$/i,
    "",
  );
}

/** The id of a section among the expected results. */
export const sectionId = (path: string, anchor: string): string => `${path}#${anchor}`;

/** At most `most` questions, spread evenly over the list. */
export function sampleOf<Question>(questions: readonly Question[], most: number): Question[] {
  const step = Math.max(1, questions.length / most);
  return questions.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
