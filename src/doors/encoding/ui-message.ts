import type { AnswerEvent } from "@docent/answering/answer/events";
import { toolCall, toolOutput } from "./tool-parts.ts";
import { UNBUFFERED_HEADERS } from "./unbuffered.ts";

/**
 * Headers that clients of the AI SDK v5 and later look for, and that keep proxies from buffering the stream.
 */
export const UI_MESSAGE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-vercel-ai-ui-message-stream": "v1",
  ...UNBUFFERED_HEADERS,
} as const;

/** A comment, which every reader of server-sent events skips. */
export const UI_MESSAGE_HEARTBEAT = ": ping\n\n";

type Finish = Extract<AnswerEvent, { type: "finish" }>;

/** A part of text or reasoning that has begun. */
interface OpenPart {
  kind: "text" | "reasoning";
  id: string;
}

/**
 * Encodes events as server-sent events of the AI SDK's UI message stream. Many client releases know only
 * these keys, and take an unknown one, or `null`, for a broken reply: anything else goes into the message's
 * metadata.
 */
export function createUiMessageEncoder(): (event: AnswerEvent) => string {
  let open: OpenPart | undefined;
  let parts = 0;

  const close = () => {
    const end = open === undefined ? "" : chunk({ type: `${open.kind}-end`, id: open.id });
    open = undefined;
    return end;
  };
  const delta = (kind: OpenPart["kind"], text: string) => {
    let begin = "";
    if (open?.kind !== kind) {
      begin = close();
      open = { kind, id: `${kind}_${++parts}` };
      begin += chunk({ type: `${kind}-start`, id: open.id });
    }
    return begin + chunk({ type: `${kind}-delta`, id: open.id, delta: text });
  };

  return (event) => {
    switch (event.type) {
      case "start":
        return (
          chunk({
            type: "start",
            messageId: event.messageId,
            messageMetadata: { threadId: event.threadId },
          }) + chunk({ type: "start-step" })
        );
      case "search":
      case "read":
        return close() + look(event) + chunk({ type: "finish-step" }) + chunk({ type: "start-step" });
      case "status":
        return chunk({
          type: "data-status",
          data: { status: event.status, position: event.position },
          transient: true,
        });
      case "reasoning-delta":
        return delta("reasoning", event.text);
      case "text-delta":
        return delta("text", event.text);
      case "source": {
        const { id, url, title } = event.source;
        return chunk({ type: "source-url", sourceId: id, url, title });
      }
      case "finish":
        return (
          close() +
          chunk({ type: "finish-step" }) +
          chunk({ type: "finish", messageMetadata: metadataOf(event) }) +
          DONE
        );
      case "error":
        return close() + chunk({ type: "error", errorText: event.message }) + DONE;
    }
  };
}

function look(event: Extract<AnswerEvent, { type: "search" | "read" }>): string {
  const { callId: toolCallId } = event;
  return (
    chunk({ type: "tool-input-available", toolCallId, ...toolCall(event) }) +
    chunk({ type: "tool-output-available", toolCallId, output: toolOutput(event) })
  );
}

function metadataOf(finish: Finish) {
  const { threadId, isNewThread, outcome, responder, model, cached, finishReason, usage, followUps } = finish;
  const thread = { threadId, ...(isNewThread && { newThread: true }) };
  return { ...thread, outcome, responder, model, ...(cached && { cached }), finishReason, usage, followUps };
}

const DONE = "data: [DONE]\n\n";

/** JSON.stringify omits undefined and escapes line ends, so an event is always one line. */
const chunk = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
