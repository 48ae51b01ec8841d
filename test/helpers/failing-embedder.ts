import { AppError } from "../../src/kernel/errors.ts";
import type { Embedder } from "../../src/kernel/vectors/embedder.ts";
import { wordEmbedder } from "./word-embedder.ts";

/** The words' embedder, as one whose model server goes away after so many batches. */
export function failingEmbedder({ batches = 0, name = "words" } = {}): Embedder {
  const real = wordEmbedder(name);
  let done = 0;
  return {
    isInstant: false,
    describe: real.describe,
    async embed(...given) {
      if (done++ < batches) return real.embed(...given);
      throw new AppError("unavailable", "The embedding model does not answer.");
    },
  };
}
