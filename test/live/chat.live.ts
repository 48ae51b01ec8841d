import { describe, expect, test } from "bun:test";
import type { ChatBody } from "../../src/models/ollama/client/chat.ts";
import type { ChatLine } from "../../src/models/ollama/client/wire.ts";
import { shapeOf, valuesOf } from "../helpers/fake-ollama-recorded.ts";
import { asks, chatBody, patientClient, QUESTION } from "../helpers/real-ollama-chat.ts";
import { CHAT, CHAT_OTHER, realOllama } from "../helpers/real-ollama-here.ts";
import { exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { appError, drain, never, textOf } from "../models/ollama/helpers.ts";

const { url } = realOllama();
const client = patientClient(url);

const linesOf = (body: ChatBody): Promise<ChatLine[]> => Array.fromAsync(client.chat(body, never));
const lastOf = async (body: ChatBody) => (await linesOf(body)).at(-1);

describe.each([CHAT, CHAT_OTHER])("a chat with %s", (model) => {
  const body = chatBody(asks(QUESTION), { num_predict: 6 }, model);

  test("comes as lines of JSON, the last of which says why it ended and what it cost", async () => {
    const reply = await exchange(url, "/api/chat", body);
    await expectAsRecorded(`chat-${model}`, reply);
    const lines = valuesOf(reply);
    expect(lines.at(-1)).toMatchObject({ done: true, prompt_eval_count: expect.any(Number) });
    expect(new Set(lines.slice(0, -1).map((line) => shapeOf(line).join())).size).toBe(1);
  });

  test("is read by the client to its last word, as it comes when asked for whole", async () => {
    const lines = await linesOf(body);
    const whole = await exchange(url, "/api/chat", { ...body, stream: false });
    await expectAsRecorded(`chat-${model}-whole`, whole);
    expect(valuesOf(whole)).toMatchObject([{ message: { content: textOf(lines) }, done: true }]);
    expect(lines.at(-1)).toMatchObject({ done: true, promptTokens: expect.any(Number) });
  });
});

describe("an answer", () => {
  test("is the same again at temperature 0", async () => {
    const body = chatBody(asks(QUESTION), { num_predict: 12 });
    expect(textOf(await linesOf(body))).toBe(textOf(await linesOf(body)));
  });

  test("that may be no longer ends for its length, with as many tokens as it may have", async () => {
    const last = await lastOf(chatBody(asks(QUESTION), { num_predict: 5 }));
    expect(last).toMatchObject({ done: true, doneReason: "length", outputTokens: 5 });
  });

  test("ends at a stop string, which is not part of it", async () => {
    const whole = textOf(await linesOf(chatBody(asks(QUESTION))));
    const stop = whole.split(" ")[3] ?? "";
    expect(stop).not.toBe("");
    const lines = await linesOf(chatBody(asks(QUESTION), { stop: [stop] }));
    expect(lines.at(-1)).toMatchObject({ done: true, doneReason: "stop" });
    expect(whole).toStartWith(textOf(lines));
    expect(textOf(lines)).not.toContain(stop);
  });
});

describe("a prompt", () => {
  test("longer than the context is never read whole: it is cut without a word, or refused", async () => {
    const long = asks(`${"alpha beta gamma ".repeat(500)} What comes first?`);
    const { values, error } = await drain(
      client.chat(chatBody(long, { num_ctx: 512, num_predict: 1 }), never),
    );
    // Newer servers refuse it for some models.
    if (error !== undefined) return expect(appError(error)).toMatchObject({ cause: { status: 400 } });
    const { promptTokens = 0 } = values.at(-1) ?? {};
    expect(promptTokens).toBeGreaterThan(128);
    expect(promptTokens).toBeLessThanOrEqual(512);
  });

  test("that begins as the one before is counted whole, though only its end is read again", async () => {
    const start = `Acme is installed with one command. ${"It is small. ".repeat(30)}`;
    const counted = async (end: string) =>
      (await lastOf(chatBody(asks(`${start} ${end}`), { num_predict: 1 })))?.promptTokens;
    const first = await counted("Is it small?");
    expect(first).toBeGreaterThan(100);
    expect(await counted("Is it large?")).toBe(first ?? 0);
  });
});

describe("what is installed", () => {
  test("is listed with its tags, and the version is told", async () => {
    for (const name of ["version", "tags"]) await expectAsRecorded(name, await exchange(url, `/api/${name}`));
    const names = (await client.tags()).map(({ name }) => name);
    expect(names.sort()).toEqual(["all-minilm:latest", "gemma3:latest", "smollm2:latest"]);
  });

  test.each([
    ["smollm2", "completion", 8192],
    ["gemma3", "completion", 32_768],
    ["all-minilm", "embedding", 512],
  ])("is described: %s has %s and reads %d tokens", async (model, capability, context) => {
    await expectAsRecorded(`show-${model}`, await exchange(url, "/api/show", { model }));
    const { capabilities, model_info: info } = await client.show(model);
    expect(capabilities).toContain(capability);
    expect(info?.[`${info["general.architecture"]}.context_length`]).toBe(context);
  });
});
