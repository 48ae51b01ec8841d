import { isSkipped } from "./skipped.ts";
import { walkRtf } from "./walk.ts";

/** Words that stand for characters of HTML. */
const CHARACTERS = new Map([
  ["par", "\n"],
  ["line", "\n"],
  ["lbr", "\n"],
]);

/**
 * The HTML that a mail of Outlook was written in, and that it keeps in its RTF; undefined where there is none. Tags lie in
 * groups of their own, and what is only for the RTF is marked.
 */
export function htmlInRtf(source: string, charactersMax: number): string | undefined {
  if (!/\\fromhtml1?\b/.test(source.slice(0, 2_000))) return undefined;
  const parts: string[] = [];
  let characters = 0;
  let isForRtf = false;
  const outer: boolean[] = [];
  const put = (words: string) => {
    if (isForRtf) return;
    characters += words.length;
    parts.push(words);
  };
  walkRtf(source, {
    open: () => void outer.push(isForRtf),
    close() {
      isForRtf = outer.pop() ?? false;
    },
    text: (words) => put(words.replaceAll("\u00a0", "&nbsp;")),
    isDone: () => characters > charactersMax,
    word(name, value, isOptional) {
      if (name === "htmlrtf") isForRtf = value !== 0;
      else if (name !== "htmltag" && isSkipped(name, isOptional)) return "skip";
      put(CHARACTERS.get(name) ?? "");
      return undefined;
    },
  });
  return parts.join("");
}
