import { describe, expect, test } from "bun:test";
import { processDataStream } from "@ai-sdk/ui-utils";
import type { AnswerEvent } from "../../../src/answering/answer/events.ts";
import { createDataStreamEncoder, DATA_STREAM_HEARTBEAT } from "../../../src/doors/encoding/data-stream.ts";

const EVENTS: AnswerEvent[] = [
  { type: "start", threadId: "T", messageId: "M" },
  {
    type: "search",
    callId: "C",
    query: "install",
    results: [{ content: "Run it", path: "install", title: "Install", href: "/install#linux", score: 0.9 }],
  },
  { type: "reasoning-delta", text: "Hm." },
  { type: "text-delta", text: 'Line one\nand "two" \u2028 😀' },
  { type: "source", source: { id: "S", url: "https://docs.example/install", title: "Install" } },
  {
    type: "finish",
    threadId: "T",
    isNewThread: false,
    outcome: "answered",
    responder: "ollama",
    cached: false,
    model: "m",
    finishReason: "stop",
    usage: { promptTokens: 3, completionTokens: 4 },
  },
];

const encodeAll = (events: AnswerEvent[]) => {
  const encode = createDataStreamEncoder();
  return events.map((event) => encode(event));
};

describe("the v1 data stream", () => {
  test("has the parts in the order that clients need", () => {
    const codes = encodeAll(EVENTS)
      .join("")
      .split("\n")
      .map((line) => line.slice(0, 2));
    expect(codes).toEqual(["f:", "8:", "9:", "a:", "e:", "f:", "g:", "0:", "h:", "2:", "8:", "e:", "d:", ""]);
  });

  test("is read without a fault by the real client's parser, heartbeats between all parts", async () => {
    const wire = encodeAll(EVENTS).join(DATA_STREAM_HEARTBEAT) + DATA_STREAM_HEARTBEAT;
    let text = "";
    const annotations: unknown[] = [];
    await processDataStream({
      stream: new Response(wire).body ?? new ReadableStream(),
      onTextPart: (part) => {
        text += part;
      },
      onMessageAnnotationsPart: (part) => void annotations.push(...part),
    });
    expect(text).toBe('Line one\nand "two" \u2028 😀');
    expect(annotations).toEqual([
      { type: "start", threadId: "T" },
      { type: "finish", threadId: "T", outcome: "answered", responder: "ollama", model: "m" },
    ]);
  });

  test("says an error as the part that clients show", () => {
    expect(encodeAll([{ type: "error", code: "model_failed", message: "It broke." }])).toEqual([
      '3:"It broke."\n',
    ]);
  });
});
