import type { Embedder } from "../../embed/embedder.ts";
import { cosine, signedBytes } from "../../embed/quantize.ts";
import { keepLatest } from "../../lib/keep-latest.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { GenerationCache } from "../generation-cache.ts";
import type { IndexState, SearchScope, SearchStore } from "../search-store.ts";
import type { SimilarityLevel } from "./sign-distances.ts";
import type { VectorMemory } from "./vector-memory.ts";

export { type CountDiffering, openCountDiffering } from "./count-differing.ts";
export { similaritiesOfHeadings } from "./match-headings.ts";
export { NO_LEVEL, type SimilarityLevel } from "./sign-distances.ts";
export { createVectorMemory, type VectorMemory } from "./vector-memory.ts";
export { createVectorSigns, type VectorSigns } from "./vector-signs.ts";

/**
 * How many of the nearest passages by their signs are compared by their full vectors. With more, words and meaning
 * together find the right pages of eight sets no better: nDCG@10 and recall@5 are the same to four digits.
 */
const RESCORED = 100;

/** Of the built-in embedder's vectors, these are two megabytes. */
const TEXTS_REMEMBERED = 2000;

/** The passages near a question's vector. */
export interface Meaning {
  /** How near the question is to the site's passages in general. */
  level: SimilarityLevel;
  near: number[];
  similarities(passageIds: number[]): Promise<Map<number, number>>;
  /** Those of texts, in order; undefined where embedding them would take too long. */
  similaritiesOfTexts: ((texts: string[]) => Promise<(number | undefined)[]>) | undefined;
}

interface MeaningDeps {
  store: SearchStore;
  embedder: Embedder;
  cache: GenerationCache;
  vectorMemory: VectorMemory;
  log: Log;
  /** The longest wait for a question's vector. */
  questionMs: number;
}

/** Finds passages near in meaning: first by sign bits, then by full vectors. */
export function createMeaningMatch({ store, embedder, cache, vectorMemory, log, questionMs }: MeaningDeps) {
  const vectorsOf = rememberVectors(embedder);

  /** Undefined where the question has no vector, or the site has none from this embedder. */
  return async (scope: SearchScope, state: IndexState, text: string): Promise<Meaning | undefined> => {
    const own = state.embedder;
    if (!own) return undefined;
    const vector = await vectorOf(text, own.identity);
    if (!vector) return undefined;
    const signs = await cache.signs(scope, own);
    const { near, level } = await signs.nearest(vector, RESCORED, await cache.allows(scope));
    return {
      level,
      near,
      similarities: (passageIds) => similaritiesOf(own.id, signedBytes(vector), passageIds),
      similaritiesOfTexts: embedder.isInstant
        ? async (texts) => (await vectorsOf(texts)).map((each) => each && cosine(vector, each))
        : undefined,
    };
  };

  /** Reads those vectors that are not in memory. */
  async function similaritiesOf(embedderId: number, vector: Int8Array, passageIds: number[]) {
    const { similarities, others } = vectorMemory.measure(embedderId, vector, passageIds);
    if (others.length === 0) return similarities;
    return new Map([...similarities, ...(await store.similarities(embedderId, vector, others))]);
  }

  /** Returns undefined where the vector does not come in time: search then uses keywords only. */
  async function vectorOf(text: string, identity: string): Promise<Float32Array | undefined> {
    const signal = AbortSignal.timeout(questionMs);
    try {
      if ((await embedder.describe(signal)).identity !== identity) return undefined;
      const [vector] = await embedder.embed([text], "question", signal);
      return vector;
    } catch (error) {
      log.warn("a question has no vector: it was searched for by keywords alone", reasonFields(error));
      return undefined;
    }
  }
}

/** Embeds texts, and remembers them: the headings of pages that many ask for come again and again. */
function rememberVectors(embedder: Embedder) {
  const remembered = new Map<string, Float32Array | undefined>();
  return async (texts: string[]): Promise<(Float32Array | undefined)[]> => {
    const vectors = new Map(
      texts.filter((text) => remembered.has(text)).map((text) => [text, remembered.get(text)]),
    );
    const unknown = texts.filter((text) => !vectors.has(text));
    const made = await embedder.embed(unknown, "passage", new AbortController().signal);
    for (const [index, text] of unknown.entries()) vectors.set(text, made[index]);
    for (const [text, vector] of vectors) keepLatest(remembered, text, vector, TEXTS_REMEMBERED);
    return texts.map((text) => vectors.get(text));
  };
}
