/** The sentences of Docent's own that an owner may put into other words. What they say is in answer/phrases.ts. */
export const PHRASE_NAMES = [
  ...(["quoting", "notCovered", "nearest", "contact"] as const),
  ...(["failed", "sources", "pageNotFound"] as const),
] as const;

export type PhraseName = (typeof PHRASE_NAMES)[number];
