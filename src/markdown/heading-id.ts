/** A heading's source without the anchor that its author wrote into it, and that anchor. */
export interface HeadingSource {
  text: string;
  id?: string;
}

const MAX_BRACES = 300;
const TAG_ID =
  /<a\s[^<>]{0,300}?\b(?:id|name)\s{0,5}=\s{0,5}(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')[^<>]{0,300}>/i;

/** Finds `{#id}`, `{: #id .class}`, `{/* #id *\/}`, else `<a id="…">` in a heading. The braces win, and are not words of it. */
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
  const start = trimmed.lastIndexOf("{");
  if (start < 0 || trimmed.length - start > MAX_BRACES) return undefined;
  const inside = trimmed.slice(start + 1, -1).replace(/^\/\*|\*\/$/g, "");
  const id = /^:?\s{0,9}#([^\s{}#]{1,200})(?:\s|$)/.exec(inside)?.[1];
  return id === undefined ? undefined : { text: trimmed.slice(0, start).trimEnd(), id };
}
