import { describe, expect, test } from "bun:test";
import { type ContextWishes, chooseContext } from "../../../src/models/ollama/models/context-size.ts";

const GB = 2 ** 30;
/** Llama 3.1 8B, quantized to 4 bits. */
const LARGE = { weightsBytes: 4.7 * GB, bytesPerToken: 131_072 };
const wishes: ContextWishes = {
  wanted: 8192,
  trained: 131_072,
  shape: LARGE,
  memoryBytes: 32 * GB,
  slots: 1,
};

const CASES: [string, Partial<ContextWishes>, number, string][] = [
  ["the setting, where nothing speaks against it", {}, 8192, "8192 tokens of context, as set"],
  [
    "what the model was trained for",
    { trained: 2048 },
    2048,
    "2048 tokens of context: all that the model was trained for",
  ],
  [
    "the setting, where the model was trained for exactly that",
    { trained: 8192 },
    8192,
    "8192 tokens of context, as set",
  ],
  [
    "the setting, where the model does not say",
    { trained: undefined },
    8192,
    "8192 tokens of context, as set",
  ],
  [
    "what memory has room for",
    { wanted: 65_536, memoryBytes: 8 * GB },
    10_496,
    "10496 tokens of context: more would not fit into 8 GB of memory",
  ],
  [
    "less for each of several conversations",
    { wanted: 65_536, memoryBytes: 8 * GB, slots: 4 },
    2560,
    "2560 tokens of context: more would not fit into 8 GB of memory",
  ],
  [
    "the least that is of use, even where memory is short",
    { memoryBytes: 4.5 * GB },
    1024,
    "1024 tokens of context: the least, though even this may not fit into 4.5 GB of memory",
  ],
  [
    "less than that for a model that can do no more",
    { trained: 512, memoryBytes: 4 * GB },
    512,
    "512 tokens of context: the least, though even this may not fit into 4 GB of memory",
  ],
  [
    "the setting, where the machine is another one",
    { memoryBytes: undefined },
    8192,
    "8192 tokens of context, as set; how much memory that machine has is not known",
  ],
  [
    "the setting, where the model's size is not known",
    { shape: undefined, memoryBytes: 1 * GB },
    8192,
    "8192 tokens of context, as set",
  ],
];

describe("the context of a model is", () => {
  test.each(CASES)("%s", (_, more, tokens, because) => {
    expect(chooseContext({ ...wishes, ...more })).toEqual({ tokens, because });
  });

  test("never more than is wanted or trained for, and never more than fits, for any memory and number of slots", () => {
    for (let memoryGb = 0; memoryGb <= 64; memoryGb += 0.5) {
      for (const slots of [1, 2, 7, 4096]) {
        for (const trained of [undefined, 300, 4096, 1_000_000]) {
          const { tokens } = chooseContext({
            ...wishes,
            wanted: 40_000,
            trained,
            slots,
            memoryBytes: memoryGb * GB,
          });
          expect(Number.isInteger(tokens)).toBe(true);
          expect(tokens).toBeLessThanOrEqual(Math.min(40_000, trained ?? 40_000));
          expect(tokens).toBeGreaterThanOrEqual(Math.min(1024, trained ?? 1024));
          if (tokens > 1024)
            expect(LARGE.weightsBytes + tokens * slots * LARGE.bytesPerToken).toBeLessThanOrEqual(
              memoryGb * GB,
            );
        }
      }
    }
  });
});
