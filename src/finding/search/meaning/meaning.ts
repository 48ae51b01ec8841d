import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { keepLatest } from "@docent/kernel/lib/remember";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { cosine, signedBytes } from "@docent/kernel/vectors/quantize";
import type { GenerationCache, SearchedVectors } from "../generation-cache.ts";
import {
  type Candidate,
  type IndexState,
  isEnriched as isEnrichedFor,
  type SearchScope,
  type SearchStore,
} from "../search-store.ts";
import type { WeighedText } from "../story/story.ts";
import type { SimilarityLevel } from "./sign-distances.ts";
import type { VectorMemory } from "./vector-memory.ts";

export { openCountDiffering } from "./count-differing.ts";
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
  return async (
    { scope, state, isEnriched }: AskedVectors,
    { text, lines }: AskedText,
  ): Promise<Meaning | undefined> => {
    const { embedder: own, enrichment } = state;
    if (!own) return undefined;
    // Those that readers search are kept; who evaluates the others waits a little.
    const isKept = isEnriched === isEnrichedFor(enrichment);
    const vectors = { ...own, isEnriched, isKept, written: enrichment.segments };
    const vector = await vectorOf(text, lines, own.identity);
    if (!vector) return undefined;
    const signs = await cache.signs(scope, vectors);
    const { near, level } = await signs.nearest(vector, RESCORED, await cache.pageTest(scope));
    return {
      level,
      near,
      similarities: (passageIds) => similaritiesOf(vectors, signedBytes(vector), passageIds),
      similaritiesOfTexts: embedder.isInstant
        ? async (texts) => (await vectorsOf(texts)).map((each) => each && cosine(vector, each))
        : undefined,
    };
  };

  /** Reads those vectors that are not in memory. */
  async function similaritiesOf(vectors: SearchedVectors, vector: Int8Array, passageIds: number[]) {
    const from = { embedderId: vectors.id, isEnriched: vectors.isEnriched };
    if (!vectors.isKept) return store.similarities(from, vector, passageIds);
    const { similarities, others } = vectorMemory.measure(vectors.id, vector, passageIds);
    if (others.length === 0) return similarities;
    return new Map([...similarities, ...(await store.similarities(from, vector, others))]);
  }

  /** Returns undefined where the vector does not come in time: search then uses keywords only. */
  async function vectorOf(
    text: string,
    lines: readonly WeighedText[],
    identity: string,
  ): Promise<Float32Array | undefined> {
    const signal = AbortSignal.timeout(questionMs);
    try {
      if ((await embedder.describe(signal)).identity !== identity) return undefined;
      // Others take as long for a sentence as for all of them.
      const parts = embedder.isInstant ? lines : [];
      const texts = [text, ...parts.map((line) => line.text)];
      const [whole, ...ofLines] = await embedder.embed(texts, "question", signal);
      return whole && (mixed(ofLines, parts) ?? whole);
    } catch (error) {
      log.warn("a question has no vector: it was searched for by keywords alone", reasonFields(error));
      return undefined;
    }
  }
}

/** Where a question is compared, and whether with the vectors of passages with what was written for them. */
interface AskedVectors {
  scope: SearchScope;
  state: IndexState;
  isEnriched: boolean;
}

/** What a question says: as a whole, and where it has several sentences, line by line. */
interface AskedText {
  text: string;
  lines: readonly WeighedText[];
}

/** Where lines that weigh less have vectors, a few words of another language would speak for all. */
const KNOWN_SHARE_MIN = 0.8;

/** The vector of lines by their weights; undefined where too little of them has one. */
function mixed(
  vectors: readonly (Float32Array | undefined)[],
  lines: readonly WeighedText[],
): Float32Array | undefined {
  let known = 0;
  let all = 0;
  let sum: Float32Array | undefined;
  for (const [index, { weight }] of lines.entries()) {
    const vector = vectors[index];
    all += weight;
    if (vector === undefined) continue;
    known += weight;
    sum ??= new Float32Array(vector.length);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
  }
  const length = Math.hypot(...(sum ?? []));
  if (length === 0 || known < all * KNOWN_SHARE_MIN) return undefined;
  return sum?.map((value) => value / length);
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

/** How near a question is in meaning to the title and headings of passages, by these; nothing where that takes too long. */
export async function similaritiesOfHeadings(
  { similaritiesOfTexts }: Meaning,
  passages: readonly Candidate[],
): Promise<Map<number, number>> {
  if (similaritiesOfTexts === undefined) return new Map();
  const textOf = new Map(passages.map((each) => [each.passageId, headingsOf(each)]));
  const texts = [...new Set(textOf.values())];
  const similarities = await similaritiesOfTexts(texts);
  const ofText = new Map(texts.map((text, index) => [text, similarities[index]]));
  return new Map(
    [...textOf].flatMap(([passageId, text]) => {
      const similarity = ofText.get(text);
      return similarity === undefined ? [] : [[passageId, similarity]];
    }),
  );
}

/** Most passages have the page's title as their first heading. */
const headingsOf = ({ title, headings }: Candidate) => [...new Set([title, ...headings])].join("\n");
