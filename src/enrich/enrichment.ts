/** What a model wrote for a passage. It is searched, and never shown as docs. */
export interface Enrichment {
  /** Questions that the passage answers. */
  questions: string[];
  /** A sentence that says what the passage is about. */
  context: string;
}

/** A passage, as a model reads it. */
export interface PassageToEnrich {
  title: string;
  headings: string[];
  text: string;
}

/** How many questions a model is asked for. */
export const QUESTIONS = 3;

/** The key of what a model reads of a passage: as long as it is the same, so is what is written for it. */
export function contentKey({ title, headings, text }: PassageToEnrich): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify([title, headings, text])).digest("hex");
}
