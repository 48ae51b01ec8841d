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

/** Keeps an entry as the latest, and so many in all: a map keeps insertion order. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, kept: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= kept) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    if (map.size <= kept) return;
  }
}
