import type { AnswerEvent } from "@docent/answering/answer/events";
import { toolCall, toolOutput } from "./tool-parts.ts";
import { UNBUFFERED_HEADERS } from "./unbuffered.ts";

/**
 * Headers that every client of the AI SDK v4 data stream looks for, and that keep proxies from buffering it.
 */
export const DATA_STREAM_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "x-vercel-ai-data-stream": "v1",
  ...UNBUFFERED_HEADERS,
} as const;

/** A line without a part, which clients skip. A comment, as in server-sent events, would break them. */
export const DATA_STREAM_HEARTBEAT = "\n";

/**
 * Encodes events as lines of the AI SDK v4 data stream. The thread's id goes out at the start, because a
 * reader who presses stop never sees the end, and at the end in every place that a client may look.
 */
export function createDataStreamEncoder(): (event: AnswerEvent) => string {
  let messageId = "";
  return (event) => {
    switch (event.type) {
      case "start":
        messageId = event.messageId;
        return line("f", { messageId }) + line("8", [{ type: "start", threadId: event.threadId }]);
      case "search":
      case "read":
        return look(event) + line("e", step("tool-calls")) + line("f", { messageId });
      case "status":
        return line("2", [{ type: "status", status: event.status, position: event.position }]);
      case "reasoning-delta":
        return line("g", event.text);
      case "text-delta":
        return line("0", event.text);
      case "source":
        return line("h", { sourceType: "url", ...event.source });
      case "finish":
        return finish(event);
      case "error":
        return line("3", event.message);
    }
  };
}

function look(event: Extract<AnswerEvent, { type: "search" | "read" }>): string {
  const { callId: toolCallId } = event;
  const { toolName, input: args } = toolCall(event);
  return line("9", { toolCallId, toolName, args }) + line("a", { toolCallId, result: toolOutput(event) });
}

function finish(event: Extract<AnswerEvent, { type: "finish" }>): string {
  const { threadId, isNewThread, outcome, responder, model, cached, finishReason, usage } = event;
  const thread = { threadId, ...(isNewThread && { newThread: true }) };
  return (
    line("2", [{ type: "finish", ...thread }]) +
    line("8", [{ type: "finish", ...thread, outcome, responder, model, ...(cached && { cached }) }]) +
    line("e", { ...step(finishReason), usage }) +
    line("d", { type: "finish", finishReason, usage, ...thread })
  );
}

const step = (finishReason: string) => ({
  finishReason,
  usage: { promptTokens: 0, completionTokens: 0 },
  isContinued: false,
});

/** JSON.stringify escapes lone surrogates and line ends, so a part is always one line. */
const line = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`;
