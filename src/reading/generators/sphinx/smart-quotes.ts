import { plainInline } from "../../markdown/plain-text.ts";

/** The plain words of a title, with the quotes and dashes that Sphinx sets outside of code. */
export function withSmartQuotes(markdown: string): string {
  return markdown
    .split(/(`+[^`]+`+)/)
    .map((part) => (part.startsWith("`") ? part : plainInline(`x${part}x`).slice(1, -1)))
    .map((part) => (part.startsWith("`") ? plainInline(part) : typeset(part)))
    .join("")
    .trim();
}

const typeset = (words: string) =>
  words
    .replaceAll("---", "—")
    .replaceAll("--", "–")
    .replaceAll("...", "…")
    .replace(/(^|[\s([{—–-])"/g, "$1“")
    .replaceAll('"', "”")
    .replace(/(^|[\s([{—–“-])'(?!\d0s)/g, "$1‘")
    .replaceAll("'", "’");
