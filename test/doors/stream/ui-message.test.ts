import { describe, expect, test } from "bun:test";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import type { AnswerEvent } from "../../../src/answering/answer/events.ts";
import { createUiMessageEncoder, UI_MESSAGE_HEARTBEAT } from "../../../src/doors/encoding/ui-message.ts";
import { chunksOf } from "../../helpers/ui-message.ts";
import { loadRelease, RELEASES } from "../../helpers/use-chat.ts";

const START: AnswerEvent = { type: "start", threadId: "T", messageId: "M" };
const FINISH: AnswerEvent = {
  type: "finish",
  threadId: "T",
  isNewThread: false,
  outcome: "answered",
  responder: "ollama",
  model: "m",
  cached: false,
  finishReason: "stop",
  usage: { promptTokens: 3, completionTokens: 4 },
};
const EVENTS: AnswerEvent[] = [
  START,
  {
    type: "search",
    callId: "C",
    query: "install",
    results: [{ content: "Run it", path: "install", title: "Install", href: "/install#linux", score: 0.9 }],
  },
  { type: "status", status: "waiting", position: 2 },
  { type: "reasoning-delta", text: "Hm." },
  { type: "text-delta", text: 'Line one\nand "two"\r\n\u2028 \ud83d' },
  { type: "text-delta", text: "\ude00" },
  { type: "source", source: { id: "S", url: "https://docs.example/install", title: "Install" } },
  { type: "text-delta", text: " More." },
  FINISH,
];

function encodeAll(events: AnswerEvent[]): string[] {
  const encode = createUiMessageEncoder();
  return events.map((event) => encode(event));
}
const typesOf = (events: AnswerEvent[]) => chunksOf(encodeAll(events).join("")).map(({ type }) => type);

describe("the v2 UI message stream", () => {
  test("has the parts in the order that clients need, each begun before it is written and ended once", () => {
    expect(typesOf(EVENTS)).toEqual([
      "start",
      "start-step",
      "tool-input-available",
      "tool-output-available",
      "finish-step",
      "start-step",
      "data-status",
      "reasoning-start",
      "reasoning-delta",
      "reasoning-end",
      "text-start",
      "text-delta",
      "text-delta",
      "source-url",
      "text-delta",
      "text-end",
      "finish-step",
      "finish",
    ]);
  });

  test("gives every part of text or of thought an id of its own", () => {
    const chunks = chunksOf(
      encodeAll([
        { type: "reasoning-delta", text: "a" },
        { type: "text-delta", text: "b" },
        { type: "reasoning-delta", text: "c" },
        { type: "text-delta", text: "d" },
        FINISH,
      ]).join(""),
    );
    const ids = chunks.flatMap((chunk) => (chunk.type.endsWith("-start") && "id" in chunk ? chunk.id : []));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) {
      const own = chunks.filter((chunk) => "id" in chunk && chunk.id === id).map(({ type }) => type);
      expect(own.map((type) => type.replace(/^\w+-/, ""))).toEqual(["start", "delta", "end"]);
    }
  });

  test("an answer of nothing is a whole stream", () => {
    expect(typesOf([START, FINISH])).toEqual(["start", "start-step", "finish-step", "finish"]);
  });

  test("an error is the last event, and what was being written is ended before it", () => {
    const broken: AnswerEvent = { type: "error", code: "model_failed", message: "It broke." };
    const wire = encodeAll([START, { type: "text-delta", text: "Half" }, broken]).join("");
    expect(wire).toEndWith(
      'data: {"type":"text-end","id":"text_1"}\n\ndata: {"type":"error","errorText":"It broke."}\n\ndata: [DONE]\n\n',
    );
    expect(typesOf([START, broken])).toEqual(["start", "start-step", "error"]);
  });

  test("what is not known, and what goes without saying, is left out and never null", () => {
    const [wire = ""] = encodeAll([
      { ...FINISH, responder: undefined, model: undefined, outcome: "curated" },
    ]);
    expect(chunksOf(wire).at(-1)).toEqual({
      type: "finish",
      messageMetadata: {
        threadId: "T",
        outcome: "curated",
        finishReason: "stop",
        usage: { promptTokens: 3, completionTokens: 4 },
      },
    });
    expect(encodeAll([{ ...FINISH, cached: true }])[0]).toContain('"cached":true');
    expect(encodeAll([{ ...FINISH, isNewThread: true }])[0]).toContain('"newThread":true');
  });

  test("whatever is written ends an event, so that a heartbeat can follow at any time", () => {
    for (const written of encodeAll(EVENTS)) expect(written).toEndWith("\n\n");
  });

  test.each(RELEASES)(
    "is read without a fault by the transport of %s, heartbeats between all events",
    async (react) => {
      const { DefaultChatTransport } = await loadRelease(react);
      const wire = encodeAll(EVENTS).join(UI_MESSAGE_HEARTBEAT) + UI_MESSAGE_HEARTBEAT;
      // In pieces that end anywhere, in the middle of characters too.
      const pieces = new Blob([wire]).stream().pipeThrough(inPieces(7));
      const transport = new DefaultChatTransport({
        api: "http://localhost/",
        headers: {},
        body: {},
        fetch: async () => new Response(pieces, { headers: { "content-type": "text/event-stream" } }),
      });
      const stream = await transport.sendMessages({
        trigger: "submit-message",
        chatId: "c",
        messageId: undefined,
        messages: [],
        abortSignal: undefined,
      });
      expect(await lastMessage(stream)).toMatchObject({
        id: "M",
        metadata: { threadId: "T", outcome: "answered" },
        parts: [
          { type: "step-start" },
          { type: "tool-search", state: "output-available", output: { type: "search" } },
          { type: "step-start" },
          { type: "reasoning", text: "Hm.", state: "done" },
          { type: "text", text: 'Line one\nand "two"\r\n\u2028 😀 More.', state: "done" },
          { type: "source-url", sourceId: "S", url: "https://docs.example/install", title: "Install" },
        ],
      });
    },
  );
});

function inPieces(bytes: number) {
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      for (let start = 0; start < chunk.length; start += bytes) {
        controller.enqueue(chunk.slice(start, start + bytes));
      }
    },
  });
}

async function lastMessage(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined;
  const fail = (error: unknown) => {
    throw error;
  };
  for await (const message of readUIMessageStream({ stream, onError: fail, terminateOnError: true })) {
    last = message;
  }
  return last;
}
