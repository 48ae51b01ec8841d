import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PROBE_TEXT } from "../../../src/models/ollama/embedding/batch.ts";
import { createOllamaEmbedder } from "../../../src/models/ollama/embedding/embedding.ts";
import { countedPlaces, createQueue } from "../../../src/models/ollama/queue/queue.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { embedReply, FAKE_DIMENSIONS, fakeVector } from "../../helpers/fake-ollama-embed.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { testLog } from "../../helpers/test-log.ts";
import { timersOf } from "../../helpers/timers-of.ts";
import { clientOf, never } from "./helpers.ts";

const MODEL = { name: "minilm:latest", capabilities: ["embedding"], family: "bert", contextLength: 512 };
const TEXTS = Array.from({ length: 64 }, (_, index) => `text number ${index}`);
/** Longer than any test, and what no other timer has. */
const LATE_MS = 7_777_777;

let ollama: FakeOllama;
beforeEach(() => {
  ollama = startFakeOllama({ models: [MODEL] });
});
afterEach(() => ollama.stop());

/** An embedder that knows its model. */
async function opened(clocks: { idleMs?: number; firstByteMs?: number } = {}) {
  const { log, lines } = testLog();
  const embedder = createOllamaEmbedder({
    client: clientOf(ollama.url, { ...clocks, attempts: 2 }),
    model: "minilm",
    keepAliveSeconds: 1800,
    queue: createQueue({ places: countedPlaces(1), queueLength: 8, queueMs: 3_600_000 }),
    log,
  });
  await embedder.describe(never);
  const measured = ollama.embeds.length;
  return { embedder, lines, requests: () => ollama.embeds.length - measured };
}

/** Every vector has this in the place of its numbers. */
const always = (values: unknown) =>
  ollama.embedWith(({ body }) =>
    embedReply(
      body.model,
      body.input.map(() => values),
    ),
  );

/** A body that never ends, a piece at a time. */
const endless = (piece: string, everyMs: number) =>
  ollama.embedWith(() => {
    let isLeft = false;
    return new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await Bun.sleep(everyMs);
          if (!isLeft) controller.enqueue(new TextEncoder().encode(piece));
        },
        cancel() {
          isLeft = true;
        },
      }),
    );
  });

describe("an embedding server that lies is found out, by a bounded number of requests", () => {
  const NOT_NUMBERS: [name: string, values: unknown][] = [
    ["NaN", Array(FAKE_DIMENSIONS).fill(Number.NaN)],
    ["null", Array(FAKE_DIMENSIONS).fill(null)],
    ["texts", Array(FAKE_DIMENSIONS).fill("0.1")],
    ["zeros", Array(FAKE_DIMENSIONS).fill(0)],
    ["numbers too large to measure", Array(FAKE_DIMENSIONS).fill(1e308)],
    ["lists of lists", Array(FAKE_DIMENSIONS).fill([0.1])],
  ];
  test.each(NOT_NUMBERS)("%s in the place of every number", async (_, values) => {
    const { embedder, lines, requests } = await opened();
    always(values);
    const error = await appErrorOf(() => embedder.embed(TEXTS, "passage", never));
    expect(error).toMatchObject({ code: "unavailable", hint: expect.stringContaining("Ollama's log") });
    expect(requests()).toBe(2);
    expect(lines).toEqual([]);
  });

  test("numbers for nothing but the simplest text: most of many texts without a vector is the model's fault", async () => {
    const { embedder } = await opened();
    ollama.embedWith(({ body }) =>
      body.input[0] !== PROBE_TEXT
        ? embedReply(
            body.model,
            body.input.map(() => Array(FAKE_DIMENSIONS).fill(null)),
          )
        : undefined,
    );
    const error = await appErrorOf(() => embedder.embed(TEXTS, "passage", never));
    expect(error.message).toBe("The embedding model gave no vector for 64 of 64 texts.");
  });

  test("infinite numbers, as JSON can write them", async () => {
    const { embedder } = await opened();
    const numbers = Array(FAKE_DIMENSIONS).fill("1e999").join(",");
    ollama.embedWith(
      ({ body }) =>
        new Response(`{"embeddings":[${body.input.map(() => `[${numbers}]`).join(",")}]}`, {
          headers: { "content-type": "application/json" },
        }),
    );
    expect((await appErrorOf(() => embedder.embed(TEXTS, "passage", never))).code).toBe("unavailable");
  });

  test("vectors of another length, and the next look at the model finds the new one", async () => {
    const { embedder } = await opened();
    const before = await embedder.describe(never);
    ollama.embedWith(({ body }) =>
      embedReply(
        body.model,
        body.input.map((text) => fakeVector(text, 8)),
      ),
    );
    expect((await appErrorOf(() => embedder.embed(TEXTS, "passage", never))).hint).toContain("ingest again");
    const after = await embedder.describe(never);
    expect([before.dimensions, after.dimensions]).toEqual([FAKE_DIMENSIONS, 8]);
    expect(after.identity).not.toBe(before.identity);
    expect((await embedder.embed(["text"], "question", never))[0]).toHaveLength(8);
  });

  test("lengths that differ within one reply", async () => {
    const { embedder } = await opened();
    ollama.embedWith(({ body }) =>
      embedReply(
        body.model,
        body.input.map((text, index) => fakeVector(text, index === 3 ? 17 : FAKE_DIMENSIONS)),
      ),
    );
    expect((await appErrorOf(() => embedder.embed(TEXTS, "passage", never))).code).toBe("unavailable");
  });

  test("vectors longer than any model's", async () => {
    const { log } = testLog();
    ollama.embedWith(({ body }) => embedReply(body.model, [Array(20_000).fill(1)]));
    const embedder = createOllamaEmbedder({
      client: clientOf(ollama.url),
      model: "minilm",
      keepAliveSeconds: 1800,
      log,
      queue: createQueue({ places: countedPlaces(1), queueLength: 8, queueMs: 3_600_000 }),
    });
    expect((await appErrorOf(() => embedder.describe(never))).message).toContain("20000 values");
  });

  test("a body without an end is read no further than vectors can be long", async () => {
    const { embedder } = await opened();
    endless("[0.1,".repeat(100_000), 0);
    const error = await appErrorOf(() => embedder.embed(["text"], "question", never));
    expect(error.hint).toContain("does not speak like Ollama");
  });

  test("a body that drips ends when the whole of it is late, however often a piece comes", async () => {
    using late = timersOf(LATE_MS);
    const { embedder } = await opened({ idleMs: LATE_MS });
    endless(" ", 5);
    const failing = appErrorOf(() => embedder.embed(["text"], "question", never));
    await late.endNext();
    const error = await failing;
    expect(error.hint).toContain("idle_seconds");
  });

  test("a list of models that drips does, too", async () => {
    let pieces = 0;
    const dripping = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(5);
              pieces += 1;
              controller.enqueue(" ");
            },
          }),
        ),
    });
    using late = timersOf(LATE_MS);
    const client = clientOf(dripping.url.origin, { metadataTimeoutMs: LATE_MS });
    const failing = appErrorOf(() => client.tags(never));
    await ollama.until(() => pieces > 2);
    await late.endNext();
    expect((await failing).code).toBe("unavailable");
    await dripping.stop(true);
  });

  test("an answer that points to another host is not followed", async () => {
    const { embedder } = await opened();
    let asked = 0;
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => {
        asked++;
        return embedReply("minilm:latest", [fakeVector("text")]);
      },
    });
    for (const status of [301, 302, 307, 308]) {
      ollama.embedWith(() => new Response(null, { status, headers: { location: other.url.href } }));
      expect((await appErrorOf(() => embedder.embed(["text"], "question", never))).code).toBe("unavailable");
    }
    expect(asked).toBe(0);
    await other.stop(true);
  });

  test("an error that comes with 200", async () => {
    const { embedder, requests } = await opened();
    ollama.embedWith(() => Response.json({ error: "out of memory" }));
    expect((await appErrorOf(() => embedder.embed(TEXTS, "passage", never))).code).toBe("unavailable");
    expect(requests()).toBe(3);
  });

  test("no answer at all", async () => {
    using late = timersOf(LATE_MS);
    const { embedder, requests } = await opened({ firstByteMs: LATE_MS });
    ollama.embedWith(() => new Promise<Response>(() => {}));
    const failing = appErrorOf(() => embedder.embed(TEXTS, "passage", never));
    await ollama.until(() => requests() === 1);
    await late.endNext();
    const error = await failing;
    expect(error.hint).toContain("first_byte_seconds");
    expect(requests()).toBe(1);
  });
});
