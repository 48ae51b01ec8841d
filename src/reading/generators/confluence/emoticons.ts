import { attribute, type HtmlElement } from "../../markdown/html/html.ts";

/** Emoticons that say something, in a cell of a table above all. */
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

/** An emoticon as its sign; "" for one that only decorates, and has no sign. */
export const emoticonText = (image: HtmlElement): string =>
  signOf({
    sign: attribute(image, "data-emoji-fallback") ?? "",
    name: attribute(image, "data-emoticon-name") ?? "",
  });

/** The sign of an emoticon: what stands for it in text, or what its name or its code points (`1f44d`) say. */
export function signOf({ sign, name, id = "" }: { sign: string; name: string; id?: string }): string {
  const plain = sign.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  if (plain !== "" && !/^:[\w+-]*:$/.test(plain)) return plain;
  const isCode = /^1f[0-9a-f]{3}(?:-[0-9a-f]{2,5}){0,7}$/i.test(id);
  return SAID[name] ?? (isCode ? id.split("-").map(ofCodePoint).join("") : "");
}

const ofCodePoint = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16));
