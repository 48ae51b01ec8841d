import type { CitedSource } from "../answer/events.ts";

/** A cited passage as OpenAI's API says it: where it leads, and which part of the text leads there. */
interface UrlCitation {
  start_index: number;
  end_index: number;
  url: string;
  title: string;
}

/** A cited passage at the first link to it; at the end of the text so far, where its link is written another way. */
export function citationOf({ url, title }: CitedSource, text: string): UrlCitation {
  const close = text.indexOf(`](${url})`);
  const [start, end] =
    close < 0 ? [text.length, text.length] : [openingBracket(text, close), close + url.length + 3];
  return { start_index: start, end_index: end, url, title };
}

/** Where the words of a link begin that end at `close`: there may be brackets among them. */
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
