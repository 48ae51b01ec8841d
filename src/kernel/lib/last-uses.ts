/** Times of last use, kept in memory until they are written: a write on every use would cost more. */
export interface LastUses {
  note(id: string, at: number): void;
  of(id: string): number | undefined;
  /** Writes the times that were noted since the last call. */
  flush(): Promise<void>;
}

export function createLastUses(touch: (uses: ReadonlyMap<string, number>) => Promise<void>): LastUses {
  const noted = new Map<string, number>();
  return {
    note: (id, at) => void noted.set(id, at),
    of: (id) => noted.get(id),
    async flush() {
      if (noted.size === 0) return;
      const uses = new Map(noted);
      noted.clear();
      await touch(uses);
    },
  };
}
