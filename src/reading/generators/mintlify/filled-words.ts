/*
 * Words that a snippet is given are shown, and do not count for the id of a heading. They stand between two
 * characters for private use until then.
 */

const FILLED = /\uE010([^\uE010\uE011]*)\uE011/g;

export const markFilled = (words: string) => `\uE010${words}\uE011`;

/** The words that an id is made from. */
export const withoutFilled = (source: string) => source.replace(FILLED, "");

/** The words that readers see. */
export const showFilled = (markdown: string) => markdown.replace(FILLED, "$1");
