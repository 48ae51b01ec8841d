import { describe, expect, test } from "bun:test";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import type { Embedder } from "../../src/kernel/vectors/embedder.ts";
import { parseEmbeddings } from "../../src/models/ollama/client/wire.ts";
import { openOllamaEmbedder } from "../../src/models/ollama/embedding/embedding.ts";
import { describeEmbedder } from "../contract/embedder.ts";
import { valuesOf } from "../helpers/fake-ollama-recorded.ts";
import { patientClient } from "../helpers/real-ollama-chat.ts";
import { CHAT_OTHER, EMBED, realOllama } from "../helpers/real-ollama-here.ts";
import { exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { quietLog } from "../helpers/test-log.ts";
import { never } from "../models/ollama/helpers.ts";

const { url } = realOllama();
const DIMENSIONS = 384;

const embedderOf = (model: string): Embedder =>
  openOllamaEmbedder({
    seal: UNSEALED,
    settings: {
      ollama_host: url,
      ollama_urls: [],
      embedding_model: model,
      keep_alive_seconds: 1800,
      connect_seconds: 30,
      first_byte_seconds: 120,
      idle_seconds: 60,
    },
    log: quietLog(),
  });
const minilm = embedderOf(EMBED);

describeEmbedder("MiniLM of a real Ollama", async () => ({
  embedder: embedderOf(EMBED),
  [Symbol.asyncDispose]: async () => {},
}));

function nearness(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error("there is no vector");
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe("MiniLM's vectors", () => {
  test("name the model, the digest that Ollama lists, and their length", async () => {
    const { identity, dimensions } = await minilm.describe(never);
    const listed = (await patientClient(url).tags()).find(({ name }) => name === "all-minilm:latest");
    expect(dimensions).toBe(DIMENSIONS);
    expect(identity).toStartWith(`ollama:all-minilm:latest:${listed?.digest}:${DIMENSIONS}:`);
  });

  test("are near where texts mean the same in other words", async () => {
    const [question] = await minilm.embed(["How do I get rid of my account?"], "question", never);
    const [same, other] = await minilm.embed(
      ["Deleting your profile for good", "Accounting rules for invoices and taxes"],
      "passage",
      never,
    );
    expect(nearness(question, same)).toBeGreaterThan(nearness(question, other) + 0.1);
  });

  test("do not tell capital letters from small ones", async () => {
    const [small, capital] = await minilm.embed(
      ["install the package", "Install The PACKAGE"],
      "passage",
      never,
    );
    expect(nearness(small, capital)).toBeCloseTo(1, 4);
  });

  test("are of more texts than one request holds, each in its place", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `Section ${index} is about topic ${index * 7}`);
    const together = await minilm.embed(texts, "passage", never);
    expect(together).toHaveLength(40);
    for (const place of [0, 17, 39]) {
      const [alone] = await minilm.embed([texts[place] ?? ""], "passage", never);
      expect(nearness(alone, together[place])).toBeCloseTo(1, 3);
    }
  });

  test.each([
    ["words", "documentation of the archive format "],
    ["code", "if(a[0]!==b){x+=$(y);}"],
    ["Chinese", "安装文档说明"],
    ["emoji", "🎉🚀"],
    ["one long word", "a1"],
  ])("are given of a text that is far too long: %s", async (_, piece) => {
    const [vector] = await minilm.embed([piece.repeat(6000)], "passage", never);
    expect(vector).toHaveLength(DIMENSIONS);
    const [start] = await minilm.embed([piece.repeat(40)], "passage", never);
    expect(nearness(vector, start)).toBeGreaterThan(0.5);
  });
});

describe("Ollama's own embedding", () => {
  test("keeps the order, and its vectors have length one", async () => {
    const reply = await exchange(url, "/api/embed", { model: EMBED, input: ["Hello", "good bye"] });
    await expectAsRecorded("embed", reply);
    const [first] = await vectorsOf("hello");
    const [hello, bye] = await vectorsOf(["Hello", "good bye"]);
    expect(nearness(hello, first)).toBeCloseTo(1, 4);
    expect(nearness(bye, first)).toBeLessThan(0.9);
    for (const vector of [hello, bye]) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 4);
  });

  test("has no vector of an empty text", async () => {
    const reply = await exchange(url, "/api/embed", { model: EMBED, input: "" });
    expect(valuesOf(reply)).toEqual([{ model: EMBED, embeddings: [] }]);
  });

  async function vectorsOf(input: string | string[]): Promise<Float32Array[]> {
    const { body } = await exchange(url, "/api/embed", { model: EMBED, input });
    return parseEmbeddings(body).map((values) => Float32Array.from(values, Number));
  }
});

describe("the embedder says what to do", () => {
  test("where the model is not installed", async () => {
    const { code, hint } = await appErrorOf(() => embedderOf("nothing").describe(never));
    expect([code, hint]).toEqual(["unavailable", "run: ollama pull nothing"]);
  });

  test("where the model only chats, although this Ollama would give vectors of it", async () => {
    const { message } = await appErrorOf(() => embedderOf(CHAT_OTHER).describe(never));
    expect(message).toBe("The model gemma3:latest cannot embed.");
  });
});
