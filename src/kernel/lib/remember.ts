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

/** Keeps what was used last, up to a number of bytes in all. */
export interface RecentlyUsed<K, V> {
  get(key: K): V | undefined;
  put(key: K, value: V, bytes: number): void;
}

/**
 * Keeps what was used last. When half of the room is new, what was not used since the last clearing goes: nothing has to be
 * put in order each time that something is used.
 */
export function createRecentlyUsed<K, V>(bytesMax: number): RecentlyUsed<K, V> {
  interface Entry {
    value: V;
    bytes: number;
  }
  let recent = new Map<K, Entry>();
  let older = new Map<K, Entry>();
  let recentBytes = 0;

  function keep(key: K, entry: Entry): void {
    if (entry.bytes > bytesMax / 2) return;
    recentBytes -= recent.get(key)?.bytes ?? 0;
    if (recentBytes + entry.bytes > bytesMax / 2) {
      older = recent;
      recent = new Map();
      recentBytes = 0;
    }
    recent.set(key, entry);
    recentBytes += entry.bytes;
  }

  return {
    get(key) {
      const known = recent.get(key);
      if (known !== undefined) return known.value;
      const entry = older.get(key);
      if (entry !== undefined) keep(key, entry);
      return entry?.value;
    },
    put: (key, value, bytes) => keep(key, { value, bytes }),
  };
}
