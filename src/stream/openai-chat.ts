import type { AnswerEvent, CitedSource } from "../answer/events.ts";
import { AppError, ERROR_CODES } from "../errors.ts";
import { UNBUFFERED_HEADERS } from "./unbuffered.ts";

/** The headers of a completion that comes in chunks. */
export const OPENAI_CHAT_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  ...UNBUFFERED_HEADERS,
} as const;

/** A comment, which every reader of server-sent events passes over. */
export const OPENAI_CHAT_HEARTBEAT = ": ping\n\n";

/** What every piece of one reply says of itself. */
export interface OpenaiReply {
  model: string;
  createdSeconds: number;
}

type Finish = Extract<AnswerEvent, { type: "finish" }>;
type Delta = Record<string, unknown>;

const DONE = "data: [DONE]\n\n";

/**
 * Server-sent events of OpenAI's chat completions for an answer's events. What this protocol has no word for is a
 * comment. After an error comes nothing: a client that reads on until `[DONE]` must not take what it has for an answer.
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
      case "status":
        return OPENAI_CHAT_HEARTBEAT;
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

/** A whole answer as one chat completion. Raises what the answer failed with, and gives nothing where it has no end. */
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

/** A cited passage at the first link to it; at the end of the text so far, where its link is written another way. */
function annotationOf({ url, title }: CitedSource, text: string) {
  const close = text.indexOf(`](${url})`);
  const [start, end] =
    close < 0 ? [text.length, text.length] : [openingBracket(text, close), close + url.length + 3];
  return { type: "url_citation", url_citation: { start_index: start, end_index: end, url, title } };
}

/** Where the words of a link begin that end at `close`: there may be brackets among them. */
function openingBracket(text: string, close: number): number {
  let open = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at - 1] === "\\") continue;
    if (text[at] === "]") open += 1;
    if (text[at] === "[") open -= 1;
    if (open === 0) return at;
  }
  return close;
}

function failure({ code, message }: Extract<AnswerEvent, { type: "error" }>): AppError {
  return new AppError(ERROR_CODES.find((known) => known === code) ?? "internal", message);
}

/** JSON.stringify escapes line ends, so an event is always one line. */
const line = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
