import { describe, expect, test } from "bun:test";
import type { AnswerEvent } from "../../../src/answering/answer/events.ts";
import { createOpenaiChatEncoder, toChatCompletion } from "../../../src/doors/encoding/openai-chat.ts";
import { OPENAI_HEARTBEAT } from "../../../src/doors/encoding/openai-reply.ts";
import { AppError } from "../../../src/kernel/errors.ts";

const REPLY = { model: "acme", createdSeconds: 1_760_000_000 };
const URL = "https://docs.example/install";
const START: AnswerEvent = { type: "start", threadId: "T", messageId: "M" };
const SOURCE: AnswerEvent = { type: "source", source: { id: "S", url: URL, title: "Install" } };
const FINISH: AnswerEvent = {
  type: "finish",
  threadId: "T",
  isNewThread: false,
  outcome: "answered",
  responder: "ollama",
  model: "m",
  cached: false,
  finishReason: "length",
  usage: { promptTokens: 3, completionTokens: 4 },
};
const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const say = (text: string): AnswerEvent => ({ type: "text-delta", text });

const encodeAll = (events: AnswerEvent[], includeUsage = false) => {
  const encode = createOpenaiChatEncoder({ ...REPLY, includeUsage });
  return events.map((event) => encode(event));
};
const chunksOf = (wire: string[]) =>
  wire
    .join("")
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)));

/** The texts that annotations point at. */
function cited(text: string, ...before: AnswerEvent[]): string[] {
  const events = [START, ...before, say(text), SOURCE, FINISH];
  const whole = JSON.parse(JSON.stringify(toChatCompletion(events, REPLY))).choices[0].message;
  const streamed = chunksOf(encodeAll(events)).flatMap(({ choices }) => choices[0]?.delta.annotations ?? []);
  expect(streamed).toEqual(whole.annotations);
  return streamed.map(({ url_citation: { start_index, end_index } }) =>
    whole.content.slice(start_index, end_index),
  );
}

describe("chunks of a chat completion", () => {
  test("are lines of JSON whatever the text holds, with a head that stays the same", () => {
    const text = 'Line one\nand "two"\r\n\u2028 \ud83d';
    const wire = encodeAll([START, say(text), say("\ude00"), FINISH]);
    expect(wire.every((event) => event.endsWith("\n\n") && !event.slice(0, -2).includes("\n\n\n"))).toBe(
      true,
    );
    const chunks = chunksOf(wire);
    for (const { id, object, created, model } of chunks)
      expect([id, object, created, model]).toEqual([
        "chatcmpl-M",
        "chat.completion.chunk",
        1_760_000_000,
        "acme",
      ]);
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? "").join("")).toBe(`${text}\ude00`);
    expect(chunks.at(-1).choices[0]).toEqual({
      index: 0,
      delta: {},
      logprobs: null,
      finish_reason: "length",
    });
    expect(wire.at(-1)).toEndWith("data: [DONE]\n\n");
  });

  test("say what was used only when asked to, at the end, and null until then", () => {
    expect(encodeAll([START, FINISH]).join("")).not.toContain("usage");
    const chunks = chunksOf(encodeAll([START, say("x"), FINISH], true));
    expect(chunks.map(({ usage }) => usage)).toEqual([null, null, null, USAGE]);
    expect(chunks.at(-1).choices).toEqual([]);
  });

  test("are signs of life where the protocol has no word", () => {
    const search: AnswerEvent = { type: "search", callId: "C", query: "q", results: [] };
    const [first, second] = encodeAll([search, { type: "status", status: "waiting", position: 2 }]);
    expect([first, second]).toEqual([OPENAI_HEARTBEAT, OPENAI_HEARTBEAT]);
  });

  test("end with an error as the last one: no reason to finish, and no end mark", () => {
    const wire = encodeAll([
      START,
      say("Half"),
      { type: "error", code: "model_failed", message: "It broke off." },
    ]);
    expect(JSON.parse(wire.at(-1)?.slice("data: ".length) ?? "")).toEqual({
      error: { message: "It broke off.", type: "server_error", param: null, code: "model_failed" },
    });
    expect(wire.join("")).not.toContain("[DONE]");
    expect(wire.join("")).not.toContain('"finish_reason":"');
  });
});

describe("a whole completion", () => {
  test("is what the pieces were", () => {
    const thought: AnswerEvent = { type: "reasoning-delta", text: "Hm." };
    expect(toChatCompletion([START, thought, say("Run "), say("it."), FINISH], REPLY)).toEqual({
      id: "chatcmpl-M",
      object: "chat.completion",
      created: 1_760_000_000,
      model: "acme",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Run it.",
            refusal: null,
            annotations: [],
            reasoning_content: "Hm.",
          },
          logprobs: null,
          finish_reason: "length",
        },
      ],
      usage: USAGE,
    });
  });

  test("raises what the answer failed with, and is none where the answer has no end", () => {
    const failed = (code: string) =>
      toChatCompletion([START, say("Half"), { type: "error", code, message: "It broke off." }], REPLY);
    expect(() => failed("model_failed")).toThrow(new AppError("model_failed", "It broke off."));
    expect(() => failed("unheard_of")).toThrow("It broke off.");
    expect(toChatCompletion([START, say("Half")], REPLY)).toBeUndefined();
  });
});

describe("an annotation points at", () => {
  test.each([
    [`Run it [[1]](${URL}). Then [[1]](${URL}).`, `[[1]](${URL})`],
    [`See [the guide](${URL}).`, `[the guide](${URL})`],
    [`See [a \\] b [c] \\[](${URL}).`, `[a \\] b [c] \\[](${URL})`],
    [`[not this](${URL}/other) but [this](${URL})`, `[this](${URL})`],
    ["No link to it at all.", ""],
    [`](${URL})`, `](${URL})`],
  ])("the first link to what is cited: %s", (text, expected) => {
    expect(cited(text)).toEqual([expected]);
  });

  test("a link that came in pieces", () => {
    expect(cited(`ww.example/) [1](${URL})`, say("[a](https://w"))).toEqual([`[1](${URL})`]);
  });
});
