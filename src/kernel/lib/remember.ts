import { keepLatest } from "./keep-latest.ts";

/**
 * Does pure work on texts, and remembers what it made of those that came last: a site's best passages are read again for
 * one question after the other.
 */
export function remembering<V>(
  work: (text: string, of: string) => V,
  textsKept: number,
): (text: string, of?: string) => V {
  const kept = new Map<string, V>();
  return (text, of = "") => {
    // The length says where one ends: either may have any characters.
    const key = `${of.length} ${of}${text}`;
    const made = kept.get(key) ?? work(text, of);
    keepLatest(kept, key, made, textsKept);
    return made;
  };
}
