/** A heading's source without the anchor that its author wrote into it, and that anchor. */
export interface HeadingSource {
  text: string;
  id?: string;
}

const MAX_BRACES = 300;
const MAX_ID_CHARACTERS = 1_000;
const TAG_ID =
  /<a\s[^<>]{0,300}?\b(?:id|name)\s{0,5}=\s{0,5}(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')[^<>]{0,300}>/i;

/** Classes and other attributes may stand before the id. */
const ATTRIBUTES_TO_ID =
  /^:?\s{0,9}(?:(?:\.[\w:-]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"']+))\s+)*#([^\s{}#]{1,200})(?:\s|$)/;

/** Finds `{#id}`, `{: .class #id}`, `{/* #id *\/}`, else `<a id="…">` in a heading. The braces win, and are not words of it. */
export function takeHeadingId(source: string): HeadingSource {
  const braces = trailingBraces(source);
  if (braces) return braces;
  const tag = TAG_ID.exec(source);
  const id = tag?.[1] ?? tag?.[2];
  return id === undefined ? { text: source } : { text: source, id };
}

function trailingBraces(source: string): HeadingSource | undefined {
  const trimmed = source.trimEnd();
  if (!trimmed.endsWith("}")) return undefined;
  const whole = lastWordId(trimmed);
  if (whole) return whole;
  const start = trimmed.lastIndexOf("{");
  if (start < 0 || trimmed.length - start > MAX_BRACES) return undefined;
  const inside = trimmed.slice(start + 1, -1).replace(/^\/\*|\*\/$/g, "");
  const id = ATTRIBUTES_TO_ID.exec(inside)?.[1];
  return id === undefined ? undefined : { text: trimmed.slice(0, start).trimEnd(), id };
}

/** An id may hold all but white space, braces too: C++ and Rust have such names. As a word of its own it is taken whole. */
function lastWordId(trimmed: string): HeadingSource | undefined {
  const near = trimmed.slice(-MAX_ID_CHARACTERS - 4);
  const start = trimmed.length - near.length + near.search(/\S+$/);
  const word = trimmed.slice(start);
  const beginsWord = start === 0 || /\s/.test(trimmed.charAt(start - 1));
  if (!beginsWord || !word.startsWith("{#") || word.length < 4) return undefined;
  return { text: trimmed.slice(0, start).trimEnd(), id: word.slice(2, -1) };
}
