import { attribute, type HtmlElement } from "../../markdown/html/html.ts";

/** Those that say something, in a cell of a table above all. */
const SAID: Readonly<Record<string, string>> = {
  tick: "✓",
  check: "✓",
  cross: "✗",
  error: "✗",
  warning: "⚠",
  plus: "+",
  minus: "−",
  question: "?",
  "thumbs-up": "👍",
  "thumbs-down": "👎",
  "yellow-star": "★",
};

/** The Cloud's export writes some signs as a program would. */
const ESCAPED = /\\u([0-9a-f]{4})/gi;

/** An emoticon as its sign; nothing for one that only decorates, and has no sign. */
export function emoticonText(image: HtmlElement): string {
  const sign = (attribute(image, "data-emoji-fallback") ?? "").replace(ESCAPED, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (sign !== "" && !/^:[\w+-]*:$/.test(sign)) return sign;
  return SAID[attribute(image, "data-emoticon-name") ?? ""] ?? "";
}
