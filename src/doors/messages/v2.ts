import { createUiMessageEncoder, UI_MESSAGE_HEADERS, UI_MESSAGE_HEARTBEAT } from "../encoding/ui-message.ts";
import type { MessageDialect } from "./messages.ts";
import { type PostedMessage, type PostedQuestion, postedQuestion } from "./question.ts";
import { textIn } from "./schema.ts";
import { type V2Body, type V2Message, v2MessageSchema } from "./v2-schema.ts";

/** `POST /v2/assistant/{domain}/message`: the same for clients of the AI SDK v5 and later. */
export const v2Message: MessageDialect<V2Body> = {
  id: "sendMessage",
  path: "/v2/assistant/:domain/message",
  summary: "Answer a question, as a stream for AI SDK 5 and later",
  example: {
    fp: "anonymous",
    messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "How do I install it on Linux?" }] }],
  },
  contentType: "text/event-stream",
  schema: v2MessageSchema,
  read: readV2,
  heartbeat: UI_MESSAGE_HEARTBEAT,
  resume: {
    id: "resumeMessage",
    path: "/v2/assistant/:domain/message/:chat/stream",
    summary: "Take up a running answer, as a stream for AI SDK 5 and later",
    chatId: "path",
  },
  createEncoder: createUiMessageEncoder,
  headers: UI_MESSAGE_HEADERS,
};

/** What a v2 body asks. */
export function readV2(body: V2Body): PostedQuestion {
  return postedQuestion(body, body.messages.map(readMessage));
}

function readMessage({ id, role, parts, metadata }: V2Message): PostedMessage {
  return {
    id,
    role,
    text: textIn(parts),
    files: parts.flatMap((part) =>
      part.type === "file"
        ? { url: part.url, name: part.filename ?? undefined, contentType: part.mediaType }
        : [],
    ),
    threadId: role === "assistant" ? threadIdOf(metadata) : undefined,
  };
}

/** The thread's id came with the answer, and comes back in that message's metadata. */
function threadIdOf(metadata: unknown): string | undefined {
  const found = typeof metadata === "object" && metadata !== null && "threadId" in metadata;
  return found && typeof metadata.threadId === "string" ? metadata.threadId : undefined;
}
