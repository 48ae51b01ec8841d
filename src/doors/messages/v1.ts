import { z } from "zod";
import {
  createDataStreamEncoder,
  DATA_STREAM_HEADERS,
  DATA_STREAM_HEARTBEAT,
} from "../encoding/data-stream.ts";
import { listOf } from "../request/fields.ts";
import type { MessageDialect } from "./messages.ts";
import { type PostedMessage, type PostedQuestion, postedQuestion } from "./question.ts";
import {
  type MessageBounds,
  PARTS_MAX,
  questionFields,
  textIn,
  textPartSchema,
  withinCharacters,
} from "./schema.ts";

/** The body of the v1 message operation. */
export const v1MessageSchema = (bounds: MessageBounds) =>
  z.object(questionFields(messageSchema(bounds), filterSchema)).meta({ id: "QuestionV1" });

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

// The contract's request body. What real clients send beyond it is accepted where they need it, and only there: `null`
// for what may be left out, a tool call without args that was stopped half way, `file` parts, unknown keys.

const ATTACHMENTS_MAX = 100;

const reasoningPart = z
  .object({
    type: z.literal("reasoning"),
    reasoning: z.string(),
    details: listOf(
      z.discriminatedUnion("type", [
        z
          .object({ type: z.literal("text"), text: z.string(), signature: z.string().nullish() })
          .meta({ id: "ReasoningText" }),
        z.object({ type: z.literal("redacted"), data: z.string() }).meta({ id: "RedactedReasoning" }),
      ]),
      PARTS_MAX,
    ),
  })
  .meta({ id: "ReasoningPartV1" });

const sourcePart = z
  .object({
    type: z.literal("source"),
    source: z
      .object({ sourceType: z.literal("url"), id: z.string(), url: z.string(), title: z.string().nullish() })
      .meta({ id: "SourcePartSource" }),
  })
  .meta({ id: "SourcePartV1" });

const toolCall = {
  toolCallId: z.string(),
  toolName: z.string(),
  step: z.number().nullish(),
  args: z.unknown(),
};
const toolInvocation = z
  .discriminatedUnion("state", [
    z
      .object({ state: z.literal("partial-call"), ...toolCall, args: z.unknown().optional() })
      .meta({ id: "PartialToolCall" }),
    z.object({ state: z.literal("call"), ...toolCall }).meta({ id: "ToolCall" }),
    z.object({ state: z.literal("result"), ...toolCall, result: z.unknown() }).meta({ id: "ToolResult" }),
  ])
  .meta({ id: "ToolInvocation" });

const otherParts = [
  reasoningPart,
  z.object({ type: z.literal("step-start") }).meta({ id: "StepStartPartV1" }),
  sourcePart,
  z.object({ type: z.literal("tool-invocation"), toolInvocation }).meta({ id: "ToolInvocationPartV1" }),
  z.object({ type: z.literal("file"), mimeType: z.string(), data: z.string() }).meta({ id: "FilePartV1" }),
] as const;

const attachmentSchema = z
  .object({ url: z.string(), name: z.string().nullish(), contentType: z.string().nullish() })
  .meta({ id: "AttachmentV1" });

/** What a question is narrowed to. */
const filterSchema = z
  .object({ version: z.string().nullish(), language: z.string().nullish() })
  .meta({ id: "FilterV1" });

/** One message of the conversation. */
export function messageSchema({ messageCharacters }: MessageBounds) {
  const textPart = textPartSchema(messageCharacters);
  return z
    .object({
      id: z.string().min(1),
      role: z.enum(["system", "assistant", "data", "user"]),
      content: z.string().max(messageCharacters),
      parts: listOf(
        z.discriminatedUnion("type", [textPart, ...otherParts]).meta({ id: "MessagePartV1" }),
        PARTS_MAX,
      ).refine(...withinCharacters(messageCharacters)),
      createdAt: z.string().nullish(),
      annotations: z.array(z.unknown()).nullish(),
      experimental_attachments: listOf(attachmentSchema, ATTACHMENTS_MAX).nullish(),
    })
    .meta({ id: "MessageV1" });
}

type V1Body = z.infer<ReturnType<typeof v1MessageSchema>>;
type V1Message = V1Body["messages"][number];
