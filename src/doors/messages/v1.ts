import {
  createDataStreamEncoder,
  DATA_STREAM_HEADERS,
  DATA_STREAM_HEARTBEAT,
} from "../encoding/data-stream.ts";
import type { MessageDialect } from "./messages.ts";
import { type PostedMessage, type PostedQuestion, postedQuestion } from "./question.ts";
import { textIn } from "./schema.ts";
import { type V1Body, type V1Message, v1MessageSchema } from "./v1-schema.ts";

/** The day on which the contract called v1 deprecated is not known: this is the day of Docent's first v2. */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 10, 21) / 1000;

/** `POST /v1/assistant/{domain}/message`: the contract's one operation, for clients of the AI SDK v4. */
export const v1Message: MessageDialect<V1Body> = {
  id: "sendMessageV1",
  path: "/v1/assistant/:domain/message",
  summary: "Answer a question, as a stream for AI SDK 4",
  deprecated: true,
  example: {
    fp: "anonymous",
    messages: [{ id: "1", role: "user", content: "How do I install it on Linux?", parts: [] }],
  },
  contentType: "text/plain",
  schema: v1MessageSchema,
  read: readV1,
  heartbeat: DATA_STREAM_HEARTBEAT,
  resume: {
    id: "resumeMessageV1",
    path: "/v1/assistant/:domain/message",
    summary: "Take up a running answer, as a stream for AI SDK 4",
    deprecated: true,
    chatId: "query",
  },
  createEncoder: createDataStreamEncoder,
  headers: DATA_STREAM_HEADERS,
  notice: (pathname) => ({
    deprecation: `@${DEPRECATED_AT_SECONDS}`,
    link: `<${pathname.replace("/v1/assistant/", "/v2/assistant/")}>; rel="successor-version"`,
  }),
};

/** What a v1 body asks. */
function readV1(body: V1Body): PostedQuestion {
  return postedQuestion(body, body.messages.map(readMessage));
}

function readMessage(message: V1Message): PostedMessage {
  const { id, role, experimental_attachments: attachments } = message;
  return {
    id,
    role,
    text: message.content || textIn(message.parts),
    files: [...(attachments ?? []), ...filesOf(message)],
    threadId: role === "assistant" ? threadIdOf(message) : undefined,
  };
}

function filesOf({ parts }: V1Message): PostedMessage["files"] {
  return parts.flatMap((part) =>
    part.type === "file"
      ? { url: `data:${part.mimeType};base64,${part.data}`, contentType: part.mimeType }
      : [],
  );
}

/** The thread's id came with the answer, and comes back in that message's annotations. */
function threadIdOf({ annotations }: V1Message): string | undefined {
  for (const annotation of annotations?.toReversed() ?? []) {
    const found = typeof annotation === "object" && annotation !== null && "threadId" in annotation;
    if (found && typeof annotation.threadId === "string") return annotation.threadId;
  }
  return undefined;
}
