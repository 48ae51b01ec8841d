/** The words of a heading, however they are spelled in an anchor, a link or a question. */
export const plainWords = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
