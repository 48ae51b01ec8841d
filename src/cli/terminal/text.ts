import { printable, printableLine } from "@docent/kernel/lib/printable";

export { createMarkdownUnescaper } from "./unescape-markdown.ts";

/** Text for people. Its strings are plain, wherever they come from; only a style can add control codes. */
export type Text = string | Styled | Link | readonly Text[];

type Style = "bold" | "code" | "dim" | "red" | "yellow";

interface Styled {
  style: Style;
  text: string;
}

interface Link {
  text: string;
  url: string;
  /** The address stands beside it. */
  isShown?: boolean;
}

const ESCAPE = "\u001b";
const CODES: Record<Style, readonly [on: number, off: number]> = {
  bold: [1, 22],
  // Magenta: of the colours that mean nothing else, the one that reads on light and on dark.
  code: [35, 39],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
};
/** Clears the line that the next one overwrites. */
export const CLEAR_LINE = `\r${ESCAPE}[2K`;

export const bold = (text: string): Text => ({ style: "bold", text });
export const dim = (text: string): Text => ({ style: "dim", text });
export const code = (text: string): Text => ({ style: "code", text });
/** Marks what did not work. */
export const red = (text: string): Text => ({ style: "red", text });
/** Marks what works in part. */
export const yellow = (text: string): Text => ({ style: "yellow", text });
/** Text with a link, for terminals that support them. */
export const link = (text: string, url: string): Text => ({ text, url });
/** Text that leads, where a terminal can, to the address that stands beside it. */
export const leading = (text: string, url: string): Text => ({ text, url, isShown: true });

/** The characters for the terminal. The only control codes in them are those of the styles. */
export function render(text: Text, hasStyles: boolean): string {
  if (typeof text === "string") return printable(text);
  if (!("text" in text)) return text.map((each) => render(each, hasStyles)).join("");
  const words = printable(text.text);
  if ("url" in text) return renderLink(words, text, hasStyles);
  const [on, off] = CODES[text.style];
  return hasStyles && words !== "" ? `${ESCAPE}[${on}m${words}${ESCAPE}[${off}m` : words;
}

function renderLink(words: string, { url, isShown = false }: Link, hasStyles: boolean): string {
  const address = /^https?:/i.test(url) ? URL.parse(url)?.href : undefined;
  if (!hasStyles || address === undefined) return isShown ? words : `${words} (${printableLine(url)})`;
  return `${ESCAPE}]8;;${printableLine(address)}${ESCAPE}\\${words}${ESCAPE}]8;;${ESCAPE}\\`;
}
