import { describe, expect, test } from "bun:test";
import type { Embedder, EmbedPurpose } from "../../src/kernel/vectors/embedder.ts";

export interface OpenEmbedder extends AsyncDisposable {
  embedder: Embedder;
}

const PURPOSES: EmbedPurpose[] = ["passage", "question"];
const TEXTS = [
  "How to remove a file from the archive",
  "The server listens on port 8080 unless it is told otherwise",
  "Passwords are stored as hashes and are never shown",
];

/** What every Embedder guarantees. Each test opens one of its own. */
export function describeEmbedder(name: string, open: () => Promise<OpenEmbedder>): void {
  const signal = () => new AbortController().signal;

  describe(`embedder: ${name}`, () => {
    test("it describes itself the same way each time", async () => {
      await using opened = await open();
      const first = await opened.embedder.describe(signal());
      expect(first.identity).not.toBe("");
      expect(await opened.embedder.describe(signal())).toEqual(first);
    });

    test.each(PURPOSES)(
      "a %s has one vector, of the length that is described and of length one",
      async (purpose) => {
        await using opened = await open();
        const { dimensions } = await opened.embedder.describe(signal());
        const vectors = await opened.embedder.embed(TEXTS, purpose, signal());
        expect(vectors).toHaveLength(TEXTS.length);
        for (const vector of vectors) {
          expect(vector).toBeInstanceOf(Float32Array);
          expect(vector).toHaveLength(dimensions);
          expect(lengthOf(vector)).toBeCloseTo(1, 4);
        }
      },
    );

    test("vectors come in the order of their texts, whatever else is embedded beside them", async () => {
      await using opened = await open();
      const together = await opened.embedder.embed(TEXTS, "passage", signal());
      const backwards = await opened.embedder.embed(TEXTS.toReversed(), "passage", signal());
      expect(new Set(together.map(String)).size).toBe(TEXTS.length);
      for (const [index, text] of TEXTS.entries()) {
        const [alone] = await opened.embedder.embed([text], "passage", signal());
        expect(nearness(alone, together[index])).toBeCloseTo(1, 3);
        expect(nearness(alone, backwards.at(-1 - index))).toBeCloseTo(1, 3);
      }
    });

    test("of no texts there are no vectors", async () => {
      await using opened = await open();
      expect(await opened.embedder.embed([], "passage", signal())).toEqual([]);
    });

    test("a text without words has no vector, and its place is kept", async () => {
      await using opened = await open();
      const vectors = await opened.embedder.embed(["", ...TEXTS, " \n\t"], "passage", signal());
      expect(vectors).toHaveLength(TEXTS.length + 2);
      expect(vectors[0]).toBeUndefined();
      expect(vectors.at(-1)).toBeUndefined();
      expect(vectors.filter((vector) => vector === undefined)).toHaveLength(2);
    });

    test("what was aborted before it began rejects with the reason", async () => {
      await using opened = await open();
      const reason = new Error("the reader left");
      const aborted = AbortSignal.abort(reason);
      expect(await rejectionOf(opened.embedder.embed(TEXTS, "passage", aborted))).toBe(reason);
      expect(await rejectionOf(opened.embedder.describe(aborted))).toBe(reason);
    });

    test("an abort leaves it usable", async () => {
      await using opened = await open();
      const stop = new AbortController();
      const many = Array.from({ length: 500 }, (_, index) => `${TEXTS[index % TEXTS.length]} ${index}`);
      const stopped = rejectionOf(opened.embedder.embed(many, "passage", stop.signal));
      const reason = new Error("the reader left");
      stop.abort(reason);
      expect(await stopped).toBe(reason);
      expect(await opened.embedder.embed(TEXTS, "question", signal())).toHaveLength(TEXTS.length);
    });
  });
}

/** What a promise rejects with. One that does not reject fails the test. */
async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it was expected to reject");
    },
    (reason: unknown) => reason,
  );
}

const lengthOf = (vector: Float32Array | undefined) => Math.hypot(...(vector ?? []));

function nearness(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? Number.NaN;
}
