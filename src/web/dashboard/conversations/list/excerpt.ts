import { splitSuggestions } from "../../../../text/suggestions.ts";

const EXCERPT_CHARACTERS = 280;

/** A number in brackets, which leads to what it cites. */
const CITATION = / ?\[\[\d+\]\]\([^()\s]*\)?/g;

/** The beginning of an answer on one line, without the marks of Markdown. */
export function excerptOf(markdown: string): string {
  const plain = splitSuggestions(markdown)
    .text.replace(CITATION, "")
    .replace(/^\s*(?:```|~~~).*$/gm, " ")
    .replace(/!?\[([^\]]*)\]\([^()\s]*\)?/g, "$1")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/gm, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= EXCERPT_CHARACTERS
    ? plain
    : `${plain.slice(0, EXCERPT_CHARACTERS).toWellFormed().trimEnd()}…`;
}
