import type { FoundByWords } from "../../search-store.ts";

/** The best passages so far, of two equal ones the older. */
export interface BestPassages {
  /** The score that a passage must reach to be among them. */
  threshold(): number;
  offer(passageId: number, score: number): void;
  /** Best first. */
  take(): FoundByWords[];
}

export function createBestPassages(limit: number): BestPassages {
  const heap: Heap = { ids: new Float64Array(limit), scores: new Float64Array(limit), size: 0 };
  const { ids, scores } = heap;
  return {
    threshold: () => (heap.size < limit || limit === 0 ? 0 : (scores[0] ?? 0)),
    offer(passageId, score) {
      const isFull = heap.size === limit;
      const worst = scores[0] ?? 0;
      if (isFull && (limit === 0 || score < worst || (score === worst && passageId > (ids[0] ?? 0)))) return;
      const at = isFull ? 0 : heap.size++;
      ids[at] = passageId;
      scores[at] = score;
      if (isFull) sink(heap);
      else rise(heap, at);
    },
    take() {
      const found = Array.from({ length: heap.size }, (_, at) => ({
        passageId: ids[at] ?? 0,
        score: scores[at] ?? 0,
      }));
      return found.sort((a, b) => b.score - a.score || a.passageId - b.passageId);
    },
  };
}

/** The worst of the best is the root: it is the first to go. */
interface Heap {
  ids: Float64Array;
  scores: Float64Array;
  size: number;
}

function isWorse({ ids, scores }: Heap, a: number, b: number): boolean {
  const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
  return difference < 0 || (difference === 0 && (ids[a] ?? 0) > (ids[b] ?? 0));
}

function swap({ ids, scores }: Heap, a: number, b: number): void {
  const [id = 0, score = 0] = [ids[a], scores[a]];
  ids[a] = ids[b] ?? 0;
  scores[a] = scores[b] ?? 0;
  ids[b] = id;
  scores[b] = score;
}

function rise(heap: Heap, from: number): void {
  for (let at = from; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap, at, parent)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: Heap): void {
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    if (left >= heap.size) return;
    const worse = left + 1 < heap.size && isWorse(heap, left + 1, left) ? left + 1 : left;
    if (!isWorse(heap, worse, at)) return;
    swap(heap, worse, at);
    at = worse;
  }
}
