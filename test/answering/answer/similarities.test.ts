import { expect, test } from "bun:test";
import { createSimilarities } from "../../../src/answering/answer/support/support.ts";
import { createLog } from "../../../src/kernel/lib/log.ts";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const log = createLog({ level: "error", format: "json", clock: () => 0, write: () => {} });
const never = new AbortController().signal;

test("pairs are measured, and what has no vector is not", async () => {
  const near = createSimilarities(wordEmbedder(), log, never);
  const [same, other, unknown] = await near([
    ["run the installer", "installer the run"],
    ["run the installer", "wash your hands"],
    ["run the installer", "42"],
  ]);
  expect(same).toBeCloseTo(1);
  expect(other ?? 1).toBeLessThan(0.9);
  expect(unknown).toBeUndefined();
});

test("an embedder that fails or never answers is asked once in an answer", async () => {
  for (const fault of [
    () => Promise.reject(new Error("gone")),
    (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  ]) {
    let asked = 0;
    const embedder: Pick<Embedder, "embed"> = {
      embed: (_texts, _purpose, signal) => {
        asked++;
        return fault(signal);
      },
    };
    const near = createSimilarities(embedder, log, never);
    expect(await near([["a", "b"]])).toEqual([undefined]);
    expect(await near([["a", "b"]])).toEqual([undefined]);
    expect(asked).toBe(1);
  }
});

test("a reader who has left is not waited for", async () => {
  const left = AbortSignal.abort(new Error("left"));
  const near = createSimilarities(wordEmbedder(), log, left);
  expect(near([["a", "b"]])).rejects.toThrow("left");
});
