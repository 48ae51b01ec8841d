import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { cosine } from "@docent/kernel/vectors/quantize";

interface VectorDeps {
  embedder: Embedder;
  log: Log;
  /** How long a question may wait for its vector. */
  questionMs: number;
}

const VECTORS_KEPT = 2000;

/** How near a question is to each of some others, from 0 to 1; undefined where that cannot be told in time. */
export type MeasureQuestions = (
  question: string,
  others: string[],
  signal: AbortSignal,
) => Promise<Map<string, number> | undefined>;

/** Compares questions by their vectors. Those of written questions are kept: they come again. */
export function createQuestionVectors({ embedder, log, questionMs }: VectorDeps): MeasureQuestions {
  let identity = "";
  let kept = new Map<string, Float32Array | undefined>();

  async function measure(question: string, others: string[], signal: AbortSignal) {
    const own = (await embedder.describe(signal)).identity;
    if (own !== identity || kept.size + others.length > VECTORS_KEPT) kept = new Map();
    identity = own;
    const vectors = kept;
    const missing = others.filter((text) => !vectors.has(text));
    const [asked, ...found] = await embedder.embed([question, ...missing], "question", signal);
    for (const [index, text] of missing.entries()) vectors.set(text, found[index]);
    return new Map(
      others.map((text) => {
        const vector = vectors.get(text);
        return [text, asked && vector ? Math.max(0, cosine(asked, vector)) : 0];
      }),
    );
  }

  return async (question, others, signal) => {
    try {
      return await measure(question, others, AbortSignal.any([signal, AbortSignal.timeout(questionMs)]));
    } catch (error) {
      signal.throwIfAborted();
      log.warn("a question has no vector: it was compared with others by words alone", {
        ...reasonFields(error),
      });
      return undefined;
    }
  };
}
