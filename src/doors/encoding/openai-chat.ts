import type { AnswerEvent, CitedSource } from "@docent/answering/answer/events";
import { citationOf } from "./openai-citation.ts";
import { failure, OPENAI_HEARTBEAT, type OpenaiReply } from "./openai-reply.ts";

type Finish = Extract<AnswerEvent, { type: "finish" }>;
type Delta = Record<string, unknown>;

const DONE = "data: [DONE]\n\n";

/**
 * Encodes events as server-sent events of OpenAI's chat completions. What the protocol cannot express becomes
 * a comment. Nothing follows an error: a client that reads on until `[DONE]` must not take the rest for an
 * answer.
 */
export function createOpenaiChatEncoder(
  reply: OpenaiReply & { includeUsage: boolean },
): (event: AnswerEvent) => string {
  let messageId = "";
  let text = "";

  const chunk = (choices: unknown[], usage: unknown = null) =>
    line({
      ...head("chat.completion.chunk", messageId, reply),
      choices,
      ...(reply.includeUsage && { usage }),
    });
  const piece = (delta: Delta, finishReason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finishReason }]);

  return (event) => {
    switch (event.type) {
      case "start":
        messageId = event.messageId;
        return piece({ role: "assistant", content: "" });
      case "search":
      case "read":
      case "status":
        return OPENAI_HEARTBEAT;
      case "reasoning-delta":
        return piece({ reasoning_content: event.text });
      case "text-delta":
        text += event.text;
        return piece({ content: event.text });
      case "source":
        return piece({ annotations: [annotationOf(event.source, text)] });
      case "finish":
        return piece({}, event.finishReason) + (reply.includeUsage ? chunk([], usageOf(event)) : "") + DONE;
      case "error":
        return line({
          error: { message: event.message, type: "server_error", param: null, code: event.code },
        });
    }
  };
}

/** A whole answer as one chat completion. Raises the answer's error; undefined where it has no end. */
export function toChatCompletion(events: readonly AnswerEvent[], reply: OpenaiReply): object | undefined {
  let messageId = "";
  let content = "";
  let reasoning = "";
  const annotations: object[] = [];
  for (const event of events) {
    if (event.type === "start") messageId = event.messageId;
    if (event.type === "text-delta") content += event.text;
    if (event.type === "reasoning-delta") reasoning += event.text;
    if (event.type === "source") annotations.push(annotationOf(event.source, content));
    if (event.type === "error") throw failure(event);
    if (event.type !== "finish") continue;
    const thoughts = reasoning === "" ? {} : { reasoning_content: reasoning };
    const message = { role: "assistant", content, refusal: null, annotations, ...thoughts };
    return {
      ...head("chat.completion", messageId, reply),
      choices: [{ index: 0, message, logprobs: null, finish_reason: event.finishReason }],
      usage: usageOf(event),
    };
  }
  return undefined;
}

const head = (object: string, messageId: string, { model, createdSeconds }: OpenaiReply) => ({
  id: `chatcmpl-${messageId}`,
  object,
  created: createdSeconds,
  model,
});

const usageOf = ({ usage: { promptTokens, completionTokens } }: Finish) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const annotationOf = (source: CitedSource, text: string) => ({
  type: "url_citation",
  url_citation: citationOf(source, text),
});

/** JSON.stringify escapes line ends, so an event is always one line. */
const line = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
