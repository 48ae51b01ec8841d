import { decodeEntities } from "./entities.ts";

const UNSPOKEN = ["script", "style", "template", "noscript"];
const INLINE = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var wbr".split(
    " ",
  ),
);

/** The words of a piece of HTML: no tags, comments, scripts or styles. Blocks are set apart by line breaks. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    if (tag < 0) break;
    parts.push(html.slice(at, tag));
    const end = tagEnd(html, tag);
    if (end < 0) {
      at = tag;
      break;
    }
    if (end === tag) {
      parts.push("<");
      at = tag + 1;
      continue;
    }
    const name =
      /^<\/?([A-Za-z][A-Za-z0-9-]{0,60})/.exec(html.slice(tag, tag + 64))?.[1]?.toLowerCase() ?? "";
    parts.push(tagText(html.slice(tag, end), name));
    at = UNSPOKEN.includes(name) && html.charAt(tag + 1) !== "/" ? afterElement(html, end, name) : end;
  }
  parts.push(html.slice(at));
  return decodeEntities(parts.join(""));
}

/** Where a tag ends: its own start when it is none, -1 when nothing after it ends one. */
function tagEnd(html: string, start: number): number {
  if (html.startsWith("<!--", start)) return indexAfter(html, "-->", start + 4);
  if (!/[A-Za-z/!?]/.test(html.charAt(start + 1))) return start;
  return indexAfter(html, ">", start + 1);
}

function indexAfter(html: string, wanted: string, from: number): number {
  const found = html.indexOf(wanted, from);
  return found < 0 ? -1 : found + wanted.length;
}

function afterElement(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found === null ? html.length : found.index;
}

function tagText(tag: string, name: string): string {
  if (name === "img") return ` ${/\balt=(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? ""} `;
  return name === "" || INLINE.has(name) ? "" : "\n";
}
