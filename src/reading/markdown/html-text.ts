import { ENTITY, unescaped } from "@docent/kernel/text/entities";

const ENTITIES = new RegExp(ENTITY.source, "g");
const UNSPOKEN = ["script", "style", "template", "noscript"];
const INLINE = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var wbr".split(
    " ",
  ),
);

/** The words of a piece of HTML: no tags, comments, scripts or styles. Line breaks separate blocks. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  const findTagEnd = tagEndFinder(html);
  let at = 0;
  for (let tag = html.indexOf("<"); tag >= 0; tag = html.indexOf("<", at)) {
    parts.push(html.slice(at, tag));
    const end = findTagEnd(tag);
    if (end === undefined) {
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

/**
 * Finds the end of the tag at a position; undefined where there is none. A terminator that is not found once
 * is not searched for again.
 */
function tagEndFinder(html: string): (start: number) => number | undefined {
  const absent = new Set<string>();
  const after = (wanted: string, from: number): number | undefined => {
    const found = absent.has(wanted) ? -1 : html.indexOf(wanted, from);
    if (found < 0) absent.add(wanted);
    return found < 0 ? undefined : found + wanted.length;
  };
  return (start) => {
    if (html.startsWith("<!--", start)) return after("-->", start + 4);
    if (!/[A-Za-z/!?]/.test(html.charAt(start + 1))) return undefined;
    for (let at = start + 1; !absent.has(">") && at < html.length; at++) {
      const character = html.charAt(at);
      if (character === ">") return at + 1;
      const quoted = (character === '"' || character === "'") && html.charAt(at - 1) === "=";
      if (quoted) at = (after(character, at + 1) ?? at + 1) - 1;
    }
    absent.add(">");
    return undefined;
  };
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

/** Replaces HTML entities by their characters; unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? text.replace(ENTITIES, decodeAny) : text;
}

/** Decodes a link target: Bun's parser leaves entities and backslash escapes in it. */
export function decodeDestination(text: string): string {
  return unescaped(text, decodeAny);
}

/**
 * Lets Bun decode an entity, because it knows all of their names: between two letters it comes back as
 * ordinary text.
 */
function decodeAny(entity: string): string {
  return Bun.markdown.render(`x${entity}x`).slice(1, -1);
}
