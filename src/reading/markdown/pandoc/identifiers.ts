import { hideCode } from "@docent/kernel/text/code-spans";
import { inlineText } from "../plain-text.ts";

/** Gives a heading its id: by its Markdown without attributes, and the id that its author chose. */
export type NameHeading = (source: string, given: string | undefined) => string;

/** The ids that Pandoc gives the headings of a document, in order. */
export function createPandocNames(): NameHeading {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (source, given) => {
    const id = given ?? free(pandocId(source) || "section", used, counts);
    used.add(id);
    return id;
  };
}

function free(id: string, used: ReadonlySet<string>, counts: Map<string, number>): string {
  if (!used.has(id)) return id;
  let count = counts.get(id) ?? 0;
  do count += 1;
  while (used.has(`${id}-${count}`));
  counts.set(id, count);
  return `${id}-${count}`;
}

/** A note in the text is no word of a heading; the mark of one below the page is, as it is not known yet. */
const NOTE = /\^\[[^\]\n]{0,1000}\]/g;
const SPAN_ATTRIBUTES = /(?<=[\])\uE001])\{[^{}\n]{0,500}\}/g;

/** Pandoc's `auto_identifiers`: letters, digits and `_-.` of the words; what stands before the first letter goes. */
function pandocId(source: string): string {
  const { hidden, show } = hideCode(source);
  const plain = hidden
    .replace(NOTE, "")
    .replace(SPAN_ATTRIBUTES, "")
    .replace(/\[\^([^\]\n]{1,100})\]/g, "$1")
    // Typographic signs are no letters.
    .replace(/-{2,}|\.{3,}/g, "");
  return inlineText(show(plain))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_.-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")
    .replace(/^[^\p{L}]+/u, "");
}
