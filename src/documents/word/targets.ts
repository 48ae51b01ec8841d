const BOOKMARK = /<(?:\w{1,20}:)?bookmarkStart\b[^<>]{0,500}?\b(?:\w{1,20}:)?name="([^"<>]{1,100})"/g;
const LINK = /\b(?:\w{1,20}:)?anchor="([^"<>]{1,100})"|\\l\s{0,9}(?:"|&quot;)([^"&<>]{1,100})(?:"|&quot;)/g;
/** Tables of contents lead to these; headings have places of their own. */
const OF_CONTENTS = /^_Toc/;

/** Of what is larger, links within it are words: it would be held a second time. */
const BYTES_MAX = 32_000_000;
const TARGETS_MAX = 5_000;

/** The bookmarks of a document that links in it lead to. Read ahead: links come before and after what they lead to. */
export function linkTargets(main: Uint8Array): ReadonlySet<string> {
  const named = new Set<string>();
  if (main.length > BYTES_MAX) return named;
  const text = new TextDecoder().decode(main);
  for (const [, anchor, place] of text.matchAll(LINK)) {
    const name = anchor ?? place ?? "";
    if (!OF_CONTENTS.test(name)) named.add(name);
  }
  if (named.size === 0) return named;
  const found = new Set<string>();
  for (const [, name = ""] of text.matchAll(BOOKMARK)) {
    if (named.has(name)) found.add(name);
    if (found.size >= TARGETS_MAX) break;
  }
  return found;
}
