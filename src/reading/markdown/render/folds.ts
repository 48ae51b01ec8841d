import { htmlToText } from "../html-text.ts";
import { escapeHtml } from "./tags.ts";

const TAG = /<(\/?)(details|summary)\b([^<>]{0,1000})>/gi;
/** Further ones inside of each other stay open all the time: their words are kept. */
const OPEN_MAX = 20;

/** Writes what of a page is folded: each fold is closed where it was opened, whatever the page does. */
interface Folds {
  /** Writes a block of raw HTML; `words` writes what is between the tags that fold. */
  write(html: string, depth: number, words: (html: string) => string): string;
  /** Closes what was opened at this depth or deeper, and is open still. */
  closeFrom(depth: number): string;
}

export function createFolds(): Folds {
  const open: number[] = [];

  function begin(attributes: string, depth: number): string {
    if (open.length >= OPEN_MAX) return "";
    open.push(depth);
    return /\sopen\b/i.test(attributes) ? "<details open>" : "<details>";
  }

  function end(depth: number): string {
    if (open.at(-1) !== depth) return "";
    open.pop();
    return "</details>\n";
  }

  return {
    write(html, depth, words) {
      const parts: string[] = [];
      let at = 0;
      let summary: number | undefined;
      const settle = (until: number) => {
        const between = html.slice(at, until);
        const isTitle = summary !== undefined && open.at(-1) === depth;
        parts.push(isTitle ? titleOf(between) : words(between));
        summary = undefined;
      };
      for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of html.matchAll(TAG)) {
        settle(index);
        at = index + tag.length;
        if (name.toLowerCase() === "summary") summary = slash === "" ? at : undefined;
        else parts.push(slash === "" ? begin(attributes, depth) : end(depth));
      }
      settle(html.length);
      return parts.join("");
    },
    closeFrom(depth) {
      let closing = "";
      while ((open.at(-1) ?? -1) >= depth) {
        open.pop();
        closing += "</details>\n";
      }
      return closing;
    },
  };
}

const titleOf = (html: string) =>
  `<summary>${escapeHtml(htmlToText(html).replace(/\s+/g, " ").trim())}</summary>\n`;
