import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { openOllamaEmbedder } from "../../../src/models/ollama/embedding/embedding.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { FakeModel } from "../../helpers/fake-ollama-models.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { never, recordingLog } from "./helpers.ts";

const NOMIC: FakeModel = {
  name: "nomic-embed-text:latest",
  capabilities: ["embedding"],
  family: "nomic-bert",
  digest: "abc",
};
const TEXTS = Array.from({ length: 200 }, (_, index) => `install word${index}`);

let one: FakeOllama;
let other: FakeOllama;
beforeEach(() => {
  one = startFakeOllama({ models: [NOMIC] });
  other = startFakeOllama({ models: [NOMIC] });
});
afterEach(async () => {
  await Promise.all([one.stop(), other.stop()]);
});

const open = (urls = [one.url, other.url]) =>
  openOllamaEmbedder({
    seal: UNSEALED,
    settings: {
      ollama_host: "127.0.0.1:1",
      ollama_urls: urls,
      embedding_model: "nomic-embed-text",
      connect_seconds: 600,
      first_byte_seconds: 600,
      idle_seconds: 600,
      keep_alive_seconds: 60,
    },
    log: recordingLog().log,
  });
const asked = (server: FakeOllama) => server.embeds.flatMap(({ body }) => body.input).length;

describe("several servers that embed", () => {
  test("share the texts, and the vectors come in the texts' order", async () => {
    const vectors = await open().embed(TEXTS, "passage", never);
    expect(vectors).toEqual(await open([one.url]).embed(TEXTS, "passage", never));
    expect(asked(other)).toBeGreaterThan(32);
  });

  test("are the ones that the list names, even where it names one", async () => {
    expect(await open([one.url]).embed(["install"], "question", never)).toHaveLength(1);
    expect(asked(one)).toBe(2);
  });

  test("embed what another one fails to, and leave that alone for a while", async () => {
    const embedder = open();
    await embedder.describe(never);
    await one.stop();
    const vectors = await embedder.embed(TEXTS, "passage", never);
    expect(vectors.every((vector) => vector !== undefined)).toBe(true);
    expect(await embedder.embed(["install"], "question", never)).toHaveLength(1);
  });

  test("describe the model where the first is away", async () => {
    await one.stop();
    expect((await open().describe(never)).identity).toStartWith("ollama:nomic-embed-text:latest:abc:");
  });

  test("get no text where they have another version of the model", async () => {
    other.models = [{ ...NOMIC, digest: "def" }];
    const embedder = open();
    const vectors = await embedder.embed(TEXTS, "passage", never);
    expect(vectors.every((vector) => vector !== undefined)).toBe(true);
    // Only its vectors' length was measured.
    expect(asked(other)).toBeLessThanOrEqual(1);
    expect((await embedder.describe(never)).identity).toContain(":abc:");
  });

  test("say so where none of them answers", async () => {
    const embedder = open();
    await Promise.all([one.stop(), other.stop()]);
    const error = await appErrorOf(() => embedder.embed(["install"], "question", never));
    expect(error.code).toBe("unavailable");
  });

  test("end at once where the caller leaves", async () => {
    const left = AbortSignal.abort(new Error("left"));
    expect(open().embed(TEXTS, "passage", left)).rejects.toThrow("left");
  });
});
