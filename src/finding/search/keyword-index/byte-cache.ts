/** Keeps what was used last, up to so many bytes in all. */
export interface ByteCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, bytes: number): void;
  delete(key: string): void;
}

export function createByteCache<V>(bytesMax: number): ByteCache<V> {
  // A map keeps insertion order, so the first entry is the one that was used longest ago.
  const kept = new Map<string, { value: V; bytes: number }>();
  let keptBytes = 0;

  function remove(key: string): { value: V; bytes: number } | undefined {
    const entry = kept.get(key);
    if (entry === undefined) return undefined;
    kept.delete(key);
    keptBytes -= entry.bytes;
    return entry;
  }

  function set(key: string, value: V, bytes: number): void {
    remove(key);
    kept.set(key, { value, bytes });
    keptBytes += bytes;
    for (const oldest of kept.keys()) {
      if (keptBytes <= bytesMax) return;
      remove(oldest);
    }
  }

  return {
    get(key) {
      const entry = remove(key);
      if (entry !== undefined) set(key, entry.value, entry.bytes);
      return entry?.value;
    },
    set,
    delete: (key) => void remove(key),
  };
}
