import type { PageMarks } from "@docent/reading/page/page-marks";
import type { PageRedirect } from "@docent/reading/page/redirects";

/** A curated answer as it is stored. */
export interface StoredAnswer {
  /** Of one from a source, its file below `answers` without the extension. */
  name: string;
  /** Where the source is that it came from; undefined where it was added by hand. */
  source: string | undefined;
  /** Where it stands among the pages, as links in it are meant. */
  path: string;
  location: string;
  /** Empty where it belongs to every version. */
  version: string;
  /** Empty where it belongs to every language. */
  language: string;
  frontMatter: Record<string, unknown>;
  /** Whom it is for; empty: everyone. */
  groups: string[];
  /** The answer, without the front matter. */
  markdown: string;
  /** Its author keeps it back. */
  hidden: boolean;
  /** The generation in which it last changed; of one added by hand, the one that readers saw then. */
  generation: number;
}

/** A page that an answer may lead to. */
export interface LinkedPage extends PageMarks {
  path: string;
  /** Where it was found: its address ends as that does. */
  location: string;
  title: string;
  /** Whom it is for; empty: everyone. */
  groups: string[];
  /** The generation in which its file last changed. */
  generation: number;
  /** What it is about, or its beginning. */
  text: string;
  /** In their order, with the anchors of the headings in them. */
  passages: { id: number; anchors: string[] }[];
}

/** A curated answer that is added by hand. */
export interface HandWrittenAnswer {
  name: string;
  version: string;
  language: string;
  /** As it was given, front matter included. */
  markdown: string;
}

/** Tells which answers a site has, without reading them. */
export interface AnswersState {
  /** The generation that readers see. */
  generation: number;
  /** Changes with every change of those that were added by hand. */
  byHand: string;
}

/** Keeps curated answers. Those of sources come and go with generations, as pages do. */
export interface CuratedStore {
  state(siteId: number): Promise<AnswersState>;
  /** The answers that sources brought into a generation, in the order in which they came. */
  fromSources(siteId: number, generation: number, limit: number): Promise<StoredAnswer[]>;
  /** The answers that were added by hand, by name. */
  byHand(siteId: number, limit: number): Promise<StoredAnswer[]>;
  /** The pages of these paths that readers of a generation can open. */
  pages(siteId: number, generation: number, paths: string[]): Promise<LinkedPage[]>;
  /** The old addresses that lead to pages of a generation. */
  redirects(siteId: number, generation: number): Promise<PageRedirect[]>;
  /** Adds an answer by hand, in place of the one of that name, version and language. */
  put(siteId: number, answer: HandWrittenAnswer, at: number): Promise<void>;
  /** Removes those of that name that were added by hand. Returns how many there were. */
  remove(siteId: number, name: string): Promise<number>;
}
