/** What was written for a passage. It is searched as if the passage said it, and never shown as docs. */
export interface Enrichment {
  /** Questions that the passage answers. */
  questions: string[];
  /** Words that readers may search for and that the passage does not have. */
  words: string[];
}

/** A passage, as a model reads it. */
export interface PassageToEnrich {
  title: string;
  headings: string[];
  text: string;
}

/** How many questions and words are kept of a passage at most. */
export const QUESTIONS = 3;
export const WORDS = 6;

/** The key of what a model reads of a passage: as long as it is the same, so is what is written for it. */
export function contentKey({ title, headings, text }: PassageToEnrich): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify([title, headings, text])).digest("hex");
}
