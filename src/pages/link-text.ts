/** The words of a Markdown link: none of them ends it, or begins another one. */
export const linkText = (words: string) => words.replace(/[[\]\\]/g, "\\$&");
