const LINK = /\b(?:\w{1,20}:)?href="#([^"<>|]{1,200})"/g;

/** Of what is larger, links within it are words: it would be held a second time. */
const BYTES_MAX = 32_000_000;

/** The places in a document that links in it lead to. */
export function linkTargets(content: Uint8Array): ReadonlySet<string> {
  if (content.length > BYTES_MAX) return new Set();
  const text = new TextDecoder().decode(content);
  const named = new Set(Array.from(text.matchAll(LINK), ([, name = ""]) => name));
  // Each is looked for in all of the text.
  return new Set([...named].slice(0, 500).filter((name) => text.includes(`name="${name}"`)));
}
