import type { AddedText, IndexablePassage } from "./segment-store.ts";

/** The parts of a passage that are told apart, in the order in which segments hold them. */
export const FIELDS = ["title", "headings", "body", "identifiers"] as const;

/** What a term counts for by where it stands. */
export const FIELD_WEIGHTS: readonly number[] = [3, 2, 1, 0.5];

/** What is indexed of a passage, field by field. Where that becomes another text, `ANALYZER_REVISION` must change. */
export function fieldTexts({
  title,
  keywords,
  headings,
  text,
  identifiers,
}: Omit<IndexablePassage, "id" | "pageId" | "page" | "added">): string[] {
  return [[title, ...keywords].join("\n"), headings.join("\n"), text, identifiers.join("\n")];
}

/** The parts of what was added to a passage, in the order in which segments of it hold them, and what each counts for. */
export const ADDED_WEIGHTS: readonly number[] = [1.5, 0.75];

/** What is indexed of what was added to a passage, in that order. */
export const addedTexts = ({ questions, words }: AddedText): string[] => [
  questions.join("\n"),
  words.join("\n"),
];
