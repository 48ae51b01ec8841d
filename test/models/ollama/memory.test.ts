import { describe, expect, test } from "bun:test";
import { totalmem } from "node:os";
import { showBody } from "../../../src/models/ollama/client/wire.ts";
import { memoryBytesAt, readModelShape } from "../../../src/models/ollama/models/context-size.ts";

const shown = (info: Record<string, unknown>) => ({
  model_info: { "general.architecture": "llama", ...info },
});
const PLAIN = {
  "llama.block_count": 32,
  "llama.embedding_length": 4096,
  "llama.attention.head_count": 32,
  "llama.attention.head_count_kv": 8,
};
const bytesPerToken = (info: Record<string, unknown>) =>
  readModelShape({ size: 1 }, shown(info))?.bytesPerToken;

describe("what a model keeps of each token", () => {
  test("is keys and values of two bytes, for each head that is kept, in each layer", () => {
    // Llama 3.1 8B: 128 KiB.
    expect(bytesPerToken(PLAIN)).toBe(32 * 8 * (128 + 128) * 2);
  });

  test("follows the lengths of keys and values where the model names them", () => {
    const lengths = { "llama.attention.key_length": 192, "llama.attention.value_length": 64 };
    expect(bytesPerToken({ ...PLAIN, ...lengths })).toBe(32 * 8 * (192 + 64) * 2);
  });

  test("adds up layers that differ", () => {
    const heads = [...Array.from({ length: 31 }, () => 4), 0];
    expect(bytesPerToken({ ...PLAIN, "llama.attention.head_count_kv": heads })).toBe(31 * 4 * 256 * 2);
  });

  test("is that of all heads where it is not said how many are kept", () => {
    const { "llama.attention.head_count_kv": _, ...rest } = PLAIN;
    expect(bytesPerToken(rest)).toBe(32 * 32 * 256 * 2);
    expect(bytesPerToken({ ...rest, "llama.attention.head_count_kv": null })).toBe(32 * 32 * 256 * 2);
  });

  test.each([
    ["nothing", {}],
    ["no layers", { ...PLAIN, "llama.block_count": undefined }],
    ["no width", { ...PLAIN, "llama.embedding_length": "4096" }],
    ["no heads", { ...PLAIN, "llama.attention.head_count": 0 }],
    ["numbers that are none", { ...PLAIN, "llama.block_count": Number.NaN }],
    ["another architecture than its own", { ...PLAIN, "general.architecture": "qwen2" }],
  ])("is not guessed where the description has %s", (_, info) => {
    expect(bytesPerToken(info)).toBeUndefined();
  });

  test("is not guessed without the size of the weights", () => {
    expect(readModelShape({ size: undefined }, shown(PLAIN))).toBeUndefined();
    expect(readModelShape({ size: 1 }, {})).toBeUndefined();
  });

  test.each([
    ["show-smollm2", 98_363_021, 30 * 3 * (64 + 64) * 2],
    ["show-gemma3", 253_113_646, 18 * 1 * (256 + 256) * 2],
  ])("is known of a real model: %s", async (name, size, bytes) => {
    const file = Bun.file(new URL(`../../fixtures/ollama/${name}.json`, import.meta.url));
    expect(readModelShape({ size }, showBody.parse(await file.json()))).toEqual({
      weightsBytes: size,
      bytesPerToken: bytes,
    });
  });
});

describe("the memory of the machine", () => {
  test.each([
    "http://127.0.0.1:11434",
    "http://127.5.5.5:1/path",
    "http://localhost:11434",
    "http://[::1]:11434",
  ])("is known at %s, and is the same each time", (url) => {
    const bytes = memoryBytesAt(url);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(totalmem());
    expect(memoryBytesAt(url)).toBe(bytes);
  });

  test.each(["http://192.0.2.7:11434", "http://ollama.internal:11434", "https://127.0.0.1.example.com"])(
    "is not known at %s",
    (url) => {
      expect(memoryBytesAt(url)).toBeUndefined();
    },
  );
});
