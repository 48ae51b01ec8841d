import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createOllamaEmbedder } from "../../../src/models/ollama/embedding/embedding.ts";
import { countedPlaces, createQueue } from "../../../src/models/ollama/queue/queue.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { embedReply, FAKE_DIMENSIONS, fakeVector } from "../../helpers/fake-ollama-embed.ts";
import type { FakeModel } from "../../helpers/fake-ollama-models.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { clientOf, never } from "./helpers.ts";

const NOMIC: FakeModel = {
  name: "nomic-embed-text:latest",
  capabilities: ["embedding"],
  family: "nomic-bert",
  contextLength: 2048,
  digest: "abc",
};
const MINILM: FakeModel = { ...NOMIC, name: "all-minilm:latest", family: "bert", contextLength: 512 };

let ollama: FakeOllama;
beforeEach(() => {
  ollama = startFakeOllama({ models: [NOMIC, MINILM, { name: "tiny:latest" }] });
});
afterEach(() => ollama.stop());

const embedderOf = (model = "nomic-embed-text") =>
  createOllamaEmbedder({
    client: clientOf(ollama.url),
    model,
    keepAliveSeconds: 1800,
    queue: createQueue({ places: countedPlaces(1), queueLength: 8, queueMs: 3_600_000 }),
    log: quietLog(),
  });
const lengthOf = (vector: Float32Array | undefined) => Math.hypot(...(vector ?? []));
/** The texts of each request, the one that measures the model left out. */
const sent = () => ollama.embeds.slice(1).map(({ body }) => body.input);

describe("who made the vectors", () => {
  test("is the model, its digest and how long they are", async () => {
    const { identity, dimensions } = await embedderOf().describe(never);
    expect(dimensions).toBe(FAKE_DIMENSIONS);
    expect(identity).toStartWith(`ollama:nomic-embed-text:latest:abc:${FAKE_DIMENSIONS}:`);
  });

  test("changes when another version of the model was pulled, and is measured again only then", async () => {
    const embedder = embedderOf();
    const before = await embedder.describe(never);
    expect(await embedder.describe(never)).toEqual(before);
    expect(ollama.embeds).toHaveLength(1);
    ollama.models = [{ ...NOMIC, digest: "def" }];
    ollama.embedWith(({ body }) =>
      embedReply(
        body.model,
        body.input.map((text) => fakeVector(text, 8)),
      ),
    );
    const after = await embedder.describe(never);
    expect(after.identity).not.toBe(before.identity);
    expect(after.dimensions).toBe(8);
  });
});

describe("vectors", () => {
  test("are of length one, one for each text, in their order", async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `install word${index}`);
    const vectors = await embedderOf().embed(texts, "passage", never);
    expect(vectors).toHaveLength(50);
    for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 5);
    const alone = await embedderOf().embed(["install word37"], "passage", never);
    expect(vectors[37]).toEqual(alone[0]);
  });

  test("are not asked for where there is no text", async () => {
    const vectors = await embedderOf().embed(["", "port", " \n\t "], "passage", never);
    expect(vectors.map((vector) => vector?.length)).toEqual([undefined, FAKE_DIMENSIONS, undefined]);
    expect(sent()).toEqual([["search_document: port"]]);
    expect(await embedderOf().embed([], "passage", never)).toEqual([]);
  });

  test("are asked for in requests of a bounded size", async () => {
    const texts = [
      ...Array.from({ length: 40 }, () => "short"),
      ...Array.from({ length: 9 }, () => "long ".repeat(1000)),
    ];
    await embedderOf().embed(texts, "passage", never);
    expect(sent().flat()).toHaveLength(49);
    for (const input of sent()) {
      expect(input.length).toBeLessThanOrEqual(16);
      expect(input.join("").length).toBeLessThanOrEqual(25_000);
    }
  });
});

test("every request has the same options, or Ollama would load the model again", async () => {
  const embedder = embedderOf("all-minilm");
  await embedder.embed(["one"], "passage", never);
  await embedder.embed(["two"], "question", never);
  expect(ollama.embeds).toHaveLength(3);
  for (const { body } of ollama.embeds) {
    expect(body).toMatchObject({
      model: "all-minilm:latest",
      truncate: true,
      keep_alive: 1800,
      options: { num_ctx: 512 },
    });
  }
});

describe("a text is cut to what the model can read", () => {
  const long = "documentation ".repeat(5000);

  test("to its context, but to no more than Ollama takes in one go", async () => {
    ollama.models = [{ ...NOMIC, contextLength: 32_768 }];
    await embedderOf().embed([long], "passage", never);
    const characters = sent()[0]?.[0]?.length ?? 0;
    expect(characters).toBeLessThan(2048 * 5);
    expect(characters).toBeGreaterThan(2048 * 2);
    expect(ollama.embeds[0]?.body.options).toEqual({ num_ctx: 2048 });
  });

  test("to what it was really trained for, where it says more", async () => {
    await embedderOf("all-minilm").embed([long], "passage", never);
    expect(sent()[0]?.[0]?.length).toBeLessThan(256 * 5);
  });

  test("to a little where it does not say", async () => {
    ollama.models = [{ ...NOMIC, contextLength: null }];
    await embedderOf().embed([long], "passage", never);
    expect(sent()[0]?.[0]?.length).toBeLessThan(512 * 5);
  });

  test("never through the middle of a character", async () => {
    await embedderOf("all-minilm").embed(["😀".repeat(3000), `${"a ".repeat(50)}\ud83d`], "passage", never);
    for (const text of sent().flat()) expect(text.isWellFormed()).toBe(true);
  });
});

test("one request runs at a time, whoever asks", async () => {
  let running = 0;
  let most = 0;
  ollama.embedWith(async ({ body }) => {
    most = Math.max(most, ++running);
    await Bun.sleep(5);
    running -= 1;
    return embedReply(
      body.model,
      body.input.map((text) => fakeVector(text)),
    );
  });
  const embedder = embedderOf();
  await embedder.describe(never);
  await Promise.all(["a", "b", "c", "d"].map((text) => embedder.embed([text], "question", never)));
  expect(most).toBe(1);
});

test("an abort ends the request that is on its way, with the caller's reason", async () => {
  const embedder = embedderOf();
  await embedder.describe(never);
  const leaving = new AbortController();
  ollama.embedWith(async () => {
    await Bun.sleep(20);
    leaving.abort(new Error("gone"));
    await Bun.sleep(50);
    return undefined as never;
  });
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
  const failed = await embedder.embed(texts, "passage", leaving.signal).catch((error) => error);
  expect(failed).toEqual(new Error("gone"));
  await ollama.until(() => ollama.embeds.at(-1)?.aborted === true);
  expect(sent()).toHaveLength(1);
});

describe("where nothing can embed, it is said why and what to do", () => {
  const failure = async (model: string) => appErrorOf(() => embedderOf(model).describe(never));

  test("no server", async () => {
    await ollama.stop();
    const { code, hint } = await failure("nomic-embed-text");
    expect([code, hint]).toEqual(["unavailable", expect.stringContaining("ollama serve")]);
  });

  test("the model is not installed", async () => {
    const { code, message, hint } = await failure("bge-m3");
    expect([code, hint]).toEqual(["unavailable", "run: ollama pull bge-m3"]);
    expect(message).toContain("bge-m3");
  });

  test("the model only chats", async () => {
    const { code, message } = await failure("tiny");
    expect([code, message]).toEqual(["unavailable", "The model tiny:latest cannot embed."]);
    expect(ollama.embeds).toEqual([]);
  });

  test("the server says no more than that it can't", async () => {
    ollama.models = [{ name: "tiny:latest", capabilities: null, family: "llama" }];
    const { code, hint } = await failure("tiny");
    expect([code, hint]).toEqual(["unavailable", expect.stringContaining("ollama pull nomic-embed-text")]);
  });

  test("the model gives nothing", async () => {
    ollama.embedWith(({ body }) => embedReply(body.model, [[]]));
    expect((await failure("nomic-embed-text")).message).toContain("cannot embed");
  });

  test("what answers is not Ollama", async () => {
    ollama.embedWith(() => new Response("<html>", { headers: { "content-type": "text/html" } }));
    expect((await failure("nomic-embed-text")).hint).toContain("does not speak like Ollama");
  });
});

test("a model on another machine is warned about, once", async () => {
  const lines: string[] = [];
  const log = { ...quietLog(), warn: (event: string) => void lines.push(event) };
  ollama.models = [{ ...NOMIC, remoteHost: "https://ollama.com:443" }];
  const embedder = createOllamaEmbedder({
    client: clientOf(ollama.url),
    model: "nomic-embed-text",
    keepAliveSeconds: 1800,
    queue: createQueue({ places: countedPlaces(1), queueLength: 8, queueMs: 3_600_000 }),
    log,
  });
  await embedder.describe(never);
  await embedder.embed(["text"], "passage", never);
  expect(lines).toEqual(["the embedding model runs on another machine"]);
});
