import type { Embedder } from "../../embed/embedder.ts";
import { cosine } from "../../embed/quantize.ts";
import type { Log } from "../../lib/log.ts";

/** How near the meanings of two texts are; undefined where that is not known. */
export type Similarities = (pairs: [string, string][]) => Promise<(number | undefined)[]>;

/** A reader waits for this no longer, once in an answer. */
const WAIT_MS = 400;

/** Measures pairs of texts. Where vectors are slow or missing it gives up, for the rest of the answer. */
export function createSimilarities(
  embedder: Pick<Embedder, "embed">,
  log: Log,
  signal: AbortSignal,
): Similarities {
  let gaveUp = false;
  return async (pairs) => {
    const unknown = pairs.map(() => undefined);
    if (gaveUp || pairs.length === 0) return unknown;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    try {
      const texts = [...new Set(pairs.flat())];
      const vectors = await embedder.embed(texts, "passage", bounded);
      const byText = new Map(texts.map((text, index) => [text, vectors[index]]));
      return pairs.map(([a, b]) => {
        const [first, second] = [byText.get(a), byText.get(b)];
        return first && second ? cosine(first, second) : undefined;
      });
    } catch (error) {
      signal.throwIfAborted();
      gaveUp = true;
      log.info("what carries an answer is told by its words alone", { reason: String(error) });
      return unknown;
    }
  };
}
