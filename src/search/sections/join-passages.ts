import type { Candidate } from "../search-store.ts";

/** What passages of one page say, and where its headings are in that. */
export type PassageText = Pick<Candidate, "markdown" | "text" | "innerHeadings" | "lacksWords">;

const GAP = "\n\n";

/** The text of two passages of a page that follow one another. */
export function joinPassages(above: PassageText, below: PassageText): PassageText {
  const start = above.markdown.length + GAP.length;
  const textStart = above.text.length + 1;
  return {
    markdown: `${above.markdown}${GAP}${below.markdown}`,
    text: `${above.text}\n${below.text}`,
    innerHeadings: [
      ...above.innerHeadings,
      ...below.innerHeadings.map(({ offset, textOffset, ...inner }) => ({
        ...inner,
        offset: offset + start,
        textOffset: textOffset + textStart,
      })),
    ],
    lacksWords: above.lacksWords || below.lacksWords,
  };
}
