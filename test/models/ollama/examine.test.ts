import { afterEach, describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/models/ollama/chat-options.ts";
import { examineServer } from "../../../src/models/ollama/examination/examination.ts";
import { createModels } from "../../../src/models/ollama/models/models.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { until } from "../../helpers/until.ts";
import { clientOf, never } from "./helpers.ts";

const settings: ModelSettings = { answerTokens: 512, thinking: false, keepAliveSeconds: 1800 };
const LONG = "one two three four five six seven eight nine ten";

const open: FakeOllama[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

function start(options: FakeOllamaOptions & { slots?: number } = {}) {
  const server = startFakeOllama(options);
  open.push(server);
  const client = clientOf(server.url, { attempts: 1 });
  const models = createModels({ client, model: "auto", contextTokens: 4096 });
  const examined = { baseUrl: server.url, client, models, slots: options.slots ?? 1 };
  return { server, client, examined };
}

describe("a model that answers", () => {
  test("is loaded and asked twice when it was not in memory, with what every chat is asked", async () => {
    const { server, examined } = start({ reply: { text: LONG, promptTokens: 300 } });
    const found = await examineServer(examined, settings, never);
    expect(found).toMatchObject({
      outcome: "measured",
      model: "tiny:latest",
      memory: "not-loaded",
      warm: { promptTokens: 300 },
      contextTokens: 4096,
      contextTokensGiven: 4096,
      promptTokensMax: 4096 - 512,
      atOnce: undefined,
    });
    expect(found.outcome === "measured" && found.cold?.firstWordMs).toBeGreaterThan(0);
    expect(server.chats.map(({ body }) => body.options?.["num_ctx"])).toEqual([4096, 4096]);
    expect(server.loads).toHaveLength(0);
  });

  test("is asked once when it was in memory already", async () => {
    const { server, client, examined } = start();
    const options = { num_ctx: 4096, num_predict: 8, temperature: 0, repeat_penalty: 1 };
    await client.preload({ model: "tiny:latest", think: false, keep_alive: 60, options }, never);
    expect(await examineServer(examined, settings, never)).toMatchObject({
      memory: "loaded",
      cold: undefined,
    });
    expect(server.chats).toHaveLength(1);
  });

  test("is known to have been in memory with another context, which makes Ollama load it again", async () => {
    const { client, examined } = start();
    const options = { num_ctx: 2048, num_predict: 8, temperature: 0, repeat_penalty: 1 };
    await client.preload({ model: "tiny:latest", think: false, keep_alive: 60, options }, never);
    expect(await examineServer(examined, settings, never)).toMatchObject({ memory: "loaded-differently" });
  });

  test("is unloaded first where that was asked for, and only then", async () => {
    const { server, examined } = start();
    await examineServer(examined, settings, never);
    expect(await examineServer(examined, settings, never, { cold: true })).toMatchObject({
      memory: "unloaded",
    });
    expect(server.loads.map(({ body }) => body.keep_alive)).toEqual([0]);
  });

  test("no two prompts begin alike: what is in Ollama's cache would be read in no time", async () => {
    const { server, examined } = start();
    await examineServer(examined, settings, never);
    const [one, other] = server.chats.map(({ body }) => body.messages[0]?.content.slice(0, 8));
    expect(one).not.toBe(other);
  });

  test("is kept for as long as it is measured, where the setting keeps nothing", async () => {
    const { server, examined } = start();
    await examineServer(examined, { ...settings, keepAliveSeconds: 0 }, never);
    expect(server.chats.map(({ body }) => body.keep_alive)).toEqual([60, 60]);
  });
});

describe("several answers at the same time", () => {
  test("are seen to be written together", async () => {
    const { server, examined } = start({ slots: 3 });
    const { client } = examined;
    let begun = 0;
    const counted: typeof client.chat = async function* (body, signal) {
      let isFirst = true;
      for await (const line of client.chat(body, signal)) {
        if (isFirst) begun += 1;
        isFirst = false;
        yield line;
      }
    };
    // Two come before these, one by one. None of the three is over before all have begun.
    const together = { text: LONG, beforeToken: () => until(() => begun === 5) };
    server.script((_, index) => (index < 2 ? { text: LONG } : together));
    expect(
      await examineServer({ ...examined, client: { ...client, chat: counted } }, settings, never),
    ).toMatchObject({ atOnce: { asked: 3, wrote: 3 } });
  });

  test("are seen to wait for each other inside Ollama", async () => {
    const { server, examined } = start({ slots: 3 });
    let before: Promise<unknown> = Promise.resolve();
    const { client } = examined;
    const oneByOne: typeof client.chat = async function* (body, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const turn = before;
      before = promise;
      await turn;
      try {
        yield* client.chat(body, signal);
      } finally {
        resolve();
      }
    };
    server.replyWith({ text: LONG });
    const found = await examineServer(
      { ...examined, client: { ...client, chat: oneByOne } },
      settings,
      never,
    );
    expect(found).toMatchObject({ atOnce: { asked: 3, wrote: 1 } });
  });

  test("say nothing where they are too short", async () => {
    const { examined } = start({ slots: 2, reply: { text: "Yes." } });
    expect(await examineServer(examined, settings, never)).toMatchObject({ atOnce: undefined });
  });
});

describe("what cannot be examined", () => {
  test("no server, or no model, is no failure of the examination", async () => {
    const { server, examined } = start({ models: [] });
    expect(await examineServer(examined, settings, never)).toMatchObject({ outcome: "no_model" });
    await server.stop();
    expect((await examineServer(examined, settings, never)).outcome).toBe("no_model");
  });

  test("a model that hangs is given up in the end", async () => {
    const { server, examined } = start({ reply: { firstTokenMs: 60_000 } });
    const found = await examineServer(examined, settings, never, { limitMs: 30 });
    expect(found).toMatchObject({ outcome: "failed", model: "tiny:latest" });
    await server.until(() => server.chats.every(({ aborted }) => aborted));
  });

  test("a model that fails says why, in words that are not Ollama's", async () => {
    const { examined } = start({ reply: { end: "error" } });
    const found = await examineServer(examined, settings, never);
    expect(found).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(found)).not.toContain("UPSTREAM-SECRET");
  });

  test("a model on another machine is not asked", async () => {
    const { server, client, examined } = start({
      models: [{ name: "big:cloud", remoteHost: "https://example.com" }],
    });
    const models = createModels({ client, model: "big:cloud", contextTokens: 4096 });
    const found = await examineServer({ ...examined, models }, settings, never);
    expect(found.outcome).toBe("on_another_machine");
    expect(server.chats).toHaveLength(0);
  });

  test("the person who leaves ends it at once", async () => {
    const { server, examined } = start({ reply: { firstTokenMs: 60_000 } });
    const leaving = new AbortController();
    const examination = examineServer(examined, settings, leaving.signal);
    await server.until(() => server.chats.length === 1);
    leaving.abort(new Error("left"));
    expect(examination).rejects.toThrow("left");
    await server.until(() => server.chats.every(({ aborted }) => aborted));
  });
});
