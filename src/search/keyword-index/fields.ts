import { ANALYZER_REVISION } from "../analyze.ts";
import type { IndexablePassage } from "./segment-store.ts";

/** The parts of a passage that are told apart, in the order in which segments hold them. */
export const FIELDS = ["title", "headings", "body", "identifiers"] as const;

/** What a term counts for by where it stands. */
export const FIELD_WEIGHTS: readonly number[] = [3, 2, 1, 0.5];

/** Raised whenever the fields hold other text, or segments are encoded differently. */
const FORMAT_REVISION = 6;

/** What a segment must be of to be read together with others. */
export const SEGMENT_REVISION = `${ANALYZER_REVISION}.${FORMAT_REVISION}`;

/** What is indexed of a passage, field by field. */
export function fieldTexts({
  title,
  keywords,
  headings,
  text,
  identifiers,
}: Omit<IndexablePassage, "id" | "pageId" | "page">): string[] {
  return [[title, ...keywords].join("\n"), headings.join("\n"), text, identifiers.join("\n")];
}
