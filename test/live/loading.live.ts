import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OllamaClient } from "../../src/models/ollama/client/client.ts";
import { valuesOf } from "../helpers/fake-ollama-recorded.ts";
import type { RealOllama } from "../helpers/real-ollama.ts";
import { asks, chatBody, patientClient, QUESTION, until } from "../helpers/real-ollama-chat.ts";
import { EMBED, startAnother } from "../helpers/real-ollama-here.ts";
import { exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { never } from "../models/ollama/helpers.ts";

const { messages: _, ...fixed } = chatBody([]);
let ollama: RealOllama;
let client: OllamaClient;
beforeAll(async () => {
  ollama = await startAnother();
  client = patientClient(ollama.url);
});
afterAll(() => ollama.stop());

const isLoaded = async () => (await client.running()).some(({ name }) => name === "smollm2:latest");
const answer = (options = {}) =>
  Array.fromAsync(client.chat(chatBody(asks(QUESTION), { num_predict: 2, ...options }), never));

describe("a chat without messages", () => {
  test("loads the model, and with no time to keep it unloads it", async () => {
    expect(await isLoaded()).toBe(false);
    const loaded = await exchange(ollama.url, "/api/chat", { ...fixed, messages: [] });
    await expectAsRecorded("chat-load", loaded);
    expect(valuesOf(loaded)).toMatchObject([{ message: { content: "" }, done: true, done_reason: "load" }]);
    expect(await isLoaded()).toBe(true);
    expect(ollama.runners()).toHaveLength(1);

    const unloaded = await exchange(ollama.url, "/api/chat", { ...fixed, messages: [], keep_alive: 0 });
    await expectAsRecorded("chat-unload", unloaded);
    expect(valuesOf(unloaded)).toMatchObject([{ done: true, done_reason: "unload" }]);
    await until(async () => !(await isLoaded()) && ollama.runners().length === 0);
  });
});

describe("a model in memory", () => {
  test("has the context that the preload asked for, and stays for every chat with the same options", async () => {
    await client.preload(fixed, never);
    expect((await client.running())[0]).toMatchObject({ name: "smollm2:latest", context_length: 1024 });
    const [runner] = ollama.runners();
    await answer();
    await answer({ temperature: 0.7, num_predict: 3, repeat_penalty: 1.2 });
    expect(ollama.runners()).toEqual([runner ?? 0]);
  });

  test("is loaded again when the context changes", async () => {
    await client.preload(fixed, never);
    const [runner] = ollama.runners();
    await answer({ num_ctx: 2048 });
    expect(ollama.runners()).not.toContain(runner ?? 0);
    expect((await client.running())[0]?.context_length).toBe(2048);
  });

  test("is kept for ever where that is asked for", async () => {
    await client.preload({ ...fixed, keep_alive: -1 }, never);
    const ps = await exchange(ollama.url, "/api/ps");
    await expectAsRecorded("ps", ps);
    expect(valuesOf(ps)).toMatchObject([{ models: [{ expires_at: expect.stringMatching(/^2[1-9]\d\d-/) }] }]);
  });
});

test("an embedding model is loaded by a request without texts", async () => {
  const loaded = await exchange(ollama.url, "/api/embed", { model: EMBED });
  await expectAsRecorded("embed-load", loaded);
  expect(valuesOf(loaded)).toEqual([{ model: EMBED, embeddings: [] }]);
});
