import type { FoundByWords } from "../search-store.ts";

/** The best passages so far, of two equal ones the older. */
export interface BestPassages {
  /** The score that a passage must reach to be among them. */
  threshold(): number;
  offer(passageId: number, score: number): void;
  /** Best first. */
  take(): FoundByWords[];
}

/** Keeps a heap whose root is the worst of the best. */
export function createBestPassages(limit: number): BestPassages {
  const ids = new Float64Array(limit);
  const scores = new Float64Array(limit);
  let size = 0;

  const isWorse = (a: number, b: number) => {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
    return difference < 0 || (difference === 0 && (ids[a] ?? 0) > (ids[b] ?? 0));
  };

  function swap(a: number, b: number): void {
    const [id = 0, score = 0] = [ids[a], scores[a]];
    ids[a] = ids[b] ?? 0;
    scores[a] = scores[b] ?? 0;
    ids[b] = id;
    scores[b] = score;
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= size) return;
      const worse = left + 1 < size && isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(worse, at)) return;
      swap(worse, at);
      at = worse;
    }
  }

  return {
    threshold: () => (size < limit || limit === 0 ? 0 : (scores[0] ?? 0)),
    offer(passageId, score) {
      if (size < limit) {
        ids[size] = passageId;
        scores[size] = score;
        rise(size++);
        return;
      }
      const worst = scores[0] ?? 0;
      if (limit === 0 || score < worst || (score === worst && passageId > (ids[0] ?? 0))) return;
      ids[0] = passageId;
      scores[0] = score;
      sink();
    },
    take() {
      const found = Array.from({ length: size }, (_, at) => ({
        passageId: ids[at] ?? 0,
        score: scores[at] ?? 0,
      }));
      return found.sort((a, b) => b.score - a.score || a.passageId - b.passageId);
    },
  };
}
