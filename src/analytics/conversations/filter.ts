import type { CallerKind, Outcome } from "../../threads/threads.ts";

/** Which conversations are looked for; what is left out does not narrow. */
export interface ConversationFilter {
  outcomes?: readonly Outcome[] | undefined;
  /** What its reader said of it. */
  helpful?: boolean | undefined;
  caller?: CallerKind | undefined;
  /** Words that the question or the answer has, all of them. What stands in quotes is one. */
  text?: string | undefined;
}

const WORDS_MAX = 10;

/** The words of what somebody looks for: what stands in quotes is one of them. */
export function searchedWords(text: string): string[] {
  const words = [...text.normalize("NFC").matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([word, quoted]) =>
    (quoted ?? word).trim(),
  );
  return [...new Set(words)].filter((word) => word !== "").slice(0, WORDS_MAX);
}
