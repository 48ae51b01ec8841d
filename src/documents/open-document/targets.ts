const LINK = /\b(?:\w{1,20}:)?href="#([^"<>|]{1,200})"/g;

/** The places in a document that links in it lead to. */
export function linkTargets(content: Uint8Array): ReadonlySet<string> {
  const text = new TextDecoder().decode(content);
  const named = new Set(Array.from(text.matchAll(LINK), ([, name = ""]) => name));
  return new Set([...named].filter((name) => text.includes(`name="${name}"`)).slice(0, 1_000));
}
