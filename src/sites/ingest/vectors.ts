import type { Embedder } from "@docent/kernel/vectors/embedder";
import { signBits, signedBytes } from "@docent/kernel/vectors/quantize";
import type { UnembeddedPassage, UnembeddedWriting, VectorStore } from "./stores.ts";

const PASSAGES_AT_ONCE = 256;

/** How the text of a passage is shown to an embedder: what it is about comes first. */
export function textToEmbed({ title, headings, text }: Omit<UnembeddedPassage, "passageId">): string {
  const above = [title, ...headings.filter((heading) => heading !== title)].join(" > ");
  return `${above}\n${text}`;
}

/** What was written for a passage speaks as a part of it: one vector says both. */
const withWriting = ({ questions, words, ...passage }: Omit<UnembeddedWriting, "id">): string =>
  [textToEmbed(passage), ...questions, ...words].join("\n");

interface VectorsDeps {
  store: VectorStore;
  embedder: Embedder;
}

async function embedWritings(
  { store, embedder }: VectorsDeps,
  { siteId, embedderId }: { siteId: number; embedderId: number },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const some = await store.missingWritings(siteId, embedderId, PASSAGES_AT_ONCE);
    if (some.length === 0) return;
    const vectors = await embedder.embed(some.map(withWriting), "passage", signal);
    await store.putWritings(
      embedderId,
      some.map(({ id }, index) => ({ id, ...quantize(vectors[index]) })),
    );
  }
}

/** Gives passages their vectors. */
export function createVectors(deps: VectorsDeps) {
  const { store, embedder } = deps;
  return {
    /** Whether the site's search uses vectors of this embedder. */
    async areCurrent(siteId: number, signal: AbortSignal): Promise<boolean> {
      const { identity, dimensions } = await embedder.describe(signal);
      return (await store.current(siteId)) === (await store.embedder(identity, dimensions));
    },

    /** Removes what a change of the embedder has left that was cut short. */
    async removeOld(siteId: number, signal: AbortSignal): Promise<void> {
      const { identity, dimensions } = await embedder.describe(signal);
      const current = await store.embedder(identity, dimensions);
      if ((await store.current(siteId)) === current) await store.swap(siteId, current);
    },

    /** Gives what was written for passages its vectors, where those of passages are of the same embedder. */
    async completeWritings(siteId: number, signal: AbortSignal): Promise<void> {
      const { identity, dimensions } = await embedder.describe(signal);
      const embedderId = await store.embedder(identity, dimensions);
      if ((await store.current(siteId)) === embedderId)
        await embedWritings(deps, { siteId, embedderId }, signal);
    },

    /**
     * Gives every passage of the site its vector, then makes search use them. What another embedder made is used
     * until then.
     */
    async complete(
      siteId: number,
      options: { runId?: number; signal: AbortSignal; onProgress?: (passages: number) => void },
    ): Promise<void> {
      const { signal } = options;
      const { identity, dimensions } = await embedder.describe(signal);
      const embedderId = await store.embedder(identity, dimensions);
      if (options.runId !== undefined) await store.reuse(options.runId, embedderId);
      let after = 0;
      for (let done = 0; ; ) {
        const passages = await store.missing(siteId, embedderId, after, PASSAGES_AT_ONCE);
        if (passages.length === 0 && after === 0) break;
        if (passages.length === 0) {
          // From the beginning once more: a server with another embedder removes what is not of its own.
          after = 0;
          continue;
        }
        const vectors = await embedder.embed(passages.map(textToEmbed), "passage", signal);
        await store.put(
          embedderId,
          passages.map(({ passageId }, index) => ({ passageId, ...quantize(vectors[index]) })),
        );
        after = passages.at(-1)?.passageId ?? after;
        done += passages.length;
        options.onProgress?.(done);
      }
      await embedWritings(deps, { siteId, embedderId }, signal);
      await store.swap(siteId, embedderId);
    },
  };
}

export type Vectors = ReturnType<typeof createVectors>;

const quantize = (vector: Float32Array | undefined) =>
  vector === undefined
    ? { bits: undefined, vector: undefined }
    : { bits: signBits(vector), vector: signedBytes(vector) };
