import { hideCode } from "../../text/code-spans.ts";

/** A link to another page of the docs: a model can only cite what it was given, by number. */
const INNER_LINK =
  /\[([^[\]]*)\]\((?![a-z][a-z\d+.-]*:|\/\/)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"]*")?\)/gi;
/** A picture, wherever it is: a model reads what it is said to show. */
const PICTURE = /!\[([^[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"]*")?\)/g;
/** A link whose words are its address. */
const ADDRESS_LINK = /\[([^[\]()\s]+)\]\(\1\)/g;
/**
 * An escape that only says what needs no saying within a line, where the mark cannot begin anything. Those of cells,
 * links, code and emphasis stay.
 */
const NEEDLESS_ESCAPE = /(?<=\S|\S )\\([-.()+!{}~=:,;"'$%&/@^?])/g;
/** An item's number or a line's first mark would begin a list. */
const BEGINS_LINE = /^[ \t>]*(?:\d+|\S)?\\[-.()+]/;

/** Prose as a model reads it best, in fewer tokens: `c5d\.large` is `c5d.large`, and links within the docs are their words. */
export function plainText(markdown: string): string {
  if (!markdown.includes("\\") && !markdown.includes("](")) return markdown;
  const { hidden, show } = hideCode(markdown);
  const plain = hidden.replace(PICTURE, "$1").replace(INNER_LINK, "$1").replace(ADDRESS_LINK, "$1");
  return show(plain.split("\n").map(withoutEscapes).join("\n"));
}

function withoutEscapes(line: string): string {
  const start = BEGINS_LINE.exec(line)?.[0] ?? "";
  return start + line.slice(start.length).replace(NEEDLESS_ESCAPE, "$1");
}
