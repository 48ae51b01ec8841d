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

/** Keeps what was used last, up to a size in all. */
export interface RecentlyUsed<K, V> {
  get(key: K): V | undefined;
  /** Each counts as one unless its size is given. */
  put(key: K, value: V, size?: number): void;
}

/**
 * Keeps what was used last. When half of the room is new, what was not used since the last clearing goes: nothing has to be
 * put in order each time that something is used.
 */
export function createRecentlyUsed<K, V>(sizeMax: number): RecentlyUsed<K, V> {
  interface Entry {
    value: V;
    size: number;
  }
  let recent = new Map<K, Entry>();
  let older = new Map<K, Entry>();
  let recentSize = 0;

  function keep(key: K, entry: Entry): void {
    if (entry.size > sizeMax / 2) return;
    recentSize -= recent.get(key)?.size ?? 0;
    if (recentSize + entry.size > sizeMax / 2) {
      older = recent;
      recent = new Map();
      recentSize = 0;
    }
    recent.set(key, entry);
    recentSize += entry.size;
  }

  return {
    get(key) {
      const known = recent.get(key);
      if (known !== undefined) return known.value;
      const entry = older.get(key);
      if (entry !== undefined) keep(key, entry);
      return entry?.value;
    },
    put: (key, value, size = 1) => keep(key, { value, size }),
  };
}
