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
