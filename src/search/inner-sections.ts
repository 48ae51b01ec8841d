import { plainText } from "../markdown/plain-text.ts";
import { analyze } from "./analyze.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";

/** Where in a passage a reader is sent. */
export interface Place {
  anchor: string;
  headings: string[];
  /** The plain text there. */
  text: string;
}

/**
 * Of a passage that was joined from short sections, the one that speaks most of the terms, the first of several that
 * speak alike; else the passage itself.
 */
export function placeOf(passage: Candidate, weights: TermWeights): Place {
  const { anchor, headings, text } = passage;
  const terms = [...weights.keys()];
  const shares = innerSections(passage).map(({ words, ...place }) => {
    return { place, share: shareOf(terms, new Set(analyze(words)), weights) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.find(({ share }) => share === most)?.place ?? { anchor, headings, text };
}

/** The sections, each with its words, its own heading's among them; none of a passage that is of one section. */
function innerSections({ anchor, headings, markdown, innerHeadings }: Candidate) {
  if (innerHeadings.length === 0) return [];
  const starts = [
    { offset: 0, anchor, headings },
    ...innerHeadings.map(({ headingPath, ...rest }) => ({ ...rest, headings: headingPath })),
  ];
  return starts.map(({ offset, ...place }, index) => {
    const text = plainText(markdown.slice(offset, starts[index + 1]?.offset));
    // The first section's heading stands above the passage, those of the others in it.
    return { ...place, text, words: index === 0 ? `${headings.at(-1) ?? ""}\n${text}` : text };
  });
}
