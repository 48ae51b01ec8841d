import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createOllamaEmbedder } from "../../../src/models/ollama/embedding/embedding.ts";
import { countedPlaces, createQueue } from "../../../src/models/ollama/queue/queue.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { embedReply, FAKE_DIMENSIONS, fakeVector } from "../../helpers/fake-ollama-embed.ts";
import { failure } from "../../helpers/fake-ollama-replies.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { testLog } from "../../helpers/test-log.ts";
import { clientOf, never } from "./helpers.ts";

const MODEL = { name: "minilm:latest", capabilities: ["embedding"], family: "bert", contextLength: 512 };
const TEXTS = Array.from({ length: 16 }, (_, index) => `text number ${index}`);

const POISON = "poison ".repeat(20).trim();

let ollama: FakeOllama;
beforeEach(() => {
  ollama = startFakeOllama({ models: [MODEL] });
});
afterEach(() => ollama.stop());

async function opened() {
  const { log, lines } = testLog();
  const embedder = createOllamaEmbedder({
    client: clientOf(ollama.url),
    model: "minilm",
    keepAliveSeconds: 1800,
    queue: createQueue({ places: countedPlaces(1), queueLength: 8, queueMs: 3_600_000 }),
    log,
  });
  await embedder.describe(never);
  const measured = ollama.embeds.length;
  return {
    lines,
    embed: (texts: string[]) => embedder.embed(texts, "passage", never),
    requests: () => ollama.embeds.length - measured,
  };
}

/** Refuses every request with a text of which this is true. */
const failOn = (isBad: (text: string) => boolean, status: number, error: string) =>
  ollama.embedWith(({ body }) => (body.input.some(isBad) ? failure(status, error) : undefined));

describe("a text on which the model fails costs no other text its vector", () => {
  test.each([
    [400, "the input length exceeds the context length"],
    [500, "json: unsupported value: NaN"],
    [500, "do embedding request: EOF"],
  ] as const)("%d %s", async (status, error) => {
    const it = await opened();
    failOn((text) => text.includes("poison"), status, error);
    const texts = TEXTS.with(5, POISON).with(11, POISON);
    const vectors = await it.embed(texts);
    const missing = vectors.flatMap((vector, index) => (vector === undefined ? [index] : []));
    expect(missing).toEqual([5, 11]);
    expect(vectors[6]).toEqual((await it.embed(["text number 6"]))[0]);
    // The whole, a simple text, each half on the way down to the two, and their own halves.
    expect(it.requests()).toBeLessThan(24);
  });

  test("and it is recorded, without its words", async () => {
    const it = await opened();
    failOn((text) => text.includes("poison"), 500, "json: unsupported value: NaN");
    await it.embed(["fine", POISON]);
    expect(it.lines).toMatchObject([{ level: "warn", purpose: "passage", characters: POISON.length }]);
    expect(JSON.stringify(it.lines)).not.toContain("poison");
  });

  test("and it is embedded by its beginning where that is enough", async () => {
    const it = await opened();
    failOn((text) => text.length > 150, 400, "the input length exceeds the context length");
    const [short, long] = await it.embed(["short", "word ".repeat(100).trim()]);
    expect(short).toBeDefined();
    expect(long).toHaveLength(FAKE_DIMENSIONS);
    expect(it.lines).toEqual([]);
  });

  test("values that are no numbers are as good as none", async () => {
    const it = await opened();
    ollama.embedWith(({ body }) =>
      embedReply(
        body.model,
        body.input.map((text) =>
          text.includes("poison") ? fakeVector(text).with(3, Number.NaN) : fakeVector(text),
        ),
      ),
    );
    const vectors = await it.embed(["one", POISON, "two"]);
    expect(vectors.map((vector) => vector?.length)).toEqual([FAKE_DIMENSIONS, undefined, FAKE_DIMENSIONS]);
  });

  test("an error that came under status 200 counts as one", async () => {
    const it = await opened();
    failOn((text) => text.includes("poison"), 200, "model runner has unexpectedly stopped");
    expect((await it.embed(["fine", POISON])).map((vector) => vector !== undefined)).toEqual([true, false]);
  });
});

describe("what is not the fault of a text ends the work, and gives up no text", () => {
  test("a model that fails on everything", async () => {
    const it = await opened();
    failOn(() => true, 500, "llama runner process has terminated");
    const { code, hint } = await appErrorOf(() => it.embed(TEXTS));
    expect([code, hint]).toEqual(["unavailable", expect.stringContaining("Ollama's log")]);
    expect(it.requests()).toBe(3);
    expect(it.lines).toEqual([]);
  });

  test("a model that was removed", async () => {
    const it = await opened();
    ollama.models = [];
    expect(await appErrorOf(() => it.embed(TEXTS))).toMatchObject({
      message: "The embedding model minilm is not available now.",
      hint: "run: ollama pull minilm:latest",
    });
    expect(it.requests()).toBe(1);
  });

  test("a server that went away: the message names the model, the hint how to get both", async () => {
    const it = await opened();
    await ollama.stop();
    expect(await appErrorOf(() => it.embed(TEXTS))).toMatchObject({
      code: "unavailable",
      message: "The embedding model minilm is not available now.",
      hint: "run: ollama serve, or set OLLAMA_HOST to where it runs; where it lacks the model, run: ollama pull minilm",
    });
  });

  test("a model that was replaced by one with other vectors", async () => {
    const it = await opened();
    ollama.embedWith(({ body }) =>
      embedReply(
        body.model,
        body.input.map((text) => fakeVector(text, 8)),
      ),
    );
    expect((await appErrorOf(() => it.embed(TEXTS))).hint).toContain("ingest again");
  });

  test.each([
    ["too few vectors", (model: string) => embedReply(model, [fakeVector("one")])],
    ["too many vectors", (model: string) => embedReply(model, Array(40).fill(fakeVector("one")))],
    ["no vectors", (model: string) => Response.json({ model })],
    ["no JSON", () => new Response("ok")],
  ] as const)("%s", async (_, reply) => {
    const it = await opened();
    ollama.embedWith(({ body }) => reply(body.model));
    expect((await appErrorOf(() => it.embed(TEXTS))).hint).toContain("does not speak like Ollama");
    expect(it.requests()).toBe(1);
  });
});

describe("what may pass is tried again, a bounded number of times", () => {
  test("a server that is busy", async () => {
    const it = await opened();
    ollama.embedWith((_, index) => (index < 3 ? failure(503, "server busy, please try again.") : undefined));
    expect((await it.embed(["text"]))[0]).toBeDefined();
    expect(it.requests()).toBe(3);
  });

  test("a server that stays busy", async () => {
    const it = await opened();
    failOn(() => true, 503, "server busy, please try again.");
    const { code, retryAfterSeconds } = await appErrorOf(() => it.embed(TEXTS));
    expect([code, retryAfterSeconds]).toEqual(["unavailable", 5]);
    expect(it.requests()).toBe(3);
  });

  test("a server that is gone", async () => {
    const it = await opened();
    await ollama.stop();
    expect((await appErrorOf(() => it.embed(TEXTS))).hint).toContain("ollama serve");
  });

  test("a server that comes back in time", async () => {
    const it = await opened();
    await ollama.stop();
    const embedding = it.embed(["text"]);
    ollama.restart();
    expect((await embedding)[0]).toBeDefined();
  });
});
