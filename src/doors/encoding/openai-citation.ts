import type { CitedSource } from "@docent/answering/answer/events";

/** A cited passage in OpenAI's form: its address, and the part of the text that links to it. */
interface UrlCitation {
  start_index: number;
  end_index: number;
  url: string;
  title: string;
}

/**
 * A citation at the first link to the passage, or at the end of the text so far where its link is written
 * differently.
 */
export function citationOf({ url, title }: CitedSource, text: string): UrlCitation {
  const close = text.indexOf(`](${url})`);
  const [start, end] =
    close < 0 ? [text.length, text.length] : [openingBracket(text, close), close + url.length + 3];
  return { start_index: start, end_index: end, url, title };
}

/** Where the words of a link that ends at `close` begin: they may contain brackets. */
function openingBracket(text: string, close: number): number {
  let open = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at - 1] === "\\") continue;
    if (text[at] === "]") open += 1;
    if (text[at] === "[") open -= 1;
    if (open === 0) return at;
  }
  return close;
}
