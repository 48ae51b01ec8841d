/** The sentences of Docent's own that an owner may put into other words. What they say in each language stands beside. */
export const PHRASE_NAMES = [
  "quoting",
  "touching",
  "notCovered",
  "nearest",
  "contact",
  "failed",
  "cutOff",
  "sources",
  "pageNotFound",
] as const;

export type PhraseName = (typeof PHRASE_NAMES)[number];

/**
 * Docent's own sentences: everything a reader is told that neither the docs nor a model wrote. `quoting` stands before
 * quotes, `touching` before quotes that only touch on a question, `nearest` before pages that may help where the docs do not answer, `contact` before the owner's, `sources` before links to what an answer rests on, `failed` is said of an answer that broke off, `cutOff` behind one that was cut because it had come to its longest.
 */
export type Phrases = Readonly<Record<PhraseName, string>>;

/** What is said in return to a reader who asks nothing of the docs. */
export interface Courtesies {
  greeting: string;
  thanks: string;
  /** Who answers. */
  self: string;
  /** To a text without a word. */
  empty: string;
}

/** The sentences of Docent's own in one language. */
export interface OwnWords {
  readonly phrases: Phrases;
  readonly courtesies: Readonly<Courtesies>;
}
