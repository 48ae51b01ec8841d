import { z } from "zod";
import { describedAs, listOf } from "../request/fields.ts";
import { threadIdSchema, withinCharacters } from "./text.ts";

// The contract's request body. What real clients send beyond it is accepted where they need it, and only there: `null`
// for what may be left out, a tool call without args that was stopped half way, `file` parts, unknown keys.

/** Far more than any conversation has. */
export const MESSAGES_MAX = 5000;
export const PARTS_MAX = 5000;
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
      .object({
        sourceType: z.literal("url"),
        id: z.string(),
        url: z.string(),
        title: z.string().nullish(),
      })
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
  .object({
    url: z.string(),
    name: z.string().nullish(),
    contentType: z.string().nullish(),
  })
  .meta({ id: "AttachmentV1" });

/** Each of them is searched for. */
const CONTEXTS_MAX = 100;

/** What the reader pointed at. */
export const contextsSchema = listOf(
  z
    .object({
      type: z.enum(["code", "textSelection"]),
      value: z.string(),
      path: z.string().nullish(),
      elementId: z.string().nullish(),
    })
    .meta({ id: "Context" }),
  CONTEXTS_MAX,
);

const PAGE_SIZE_MAX = 20;

/** How many passages an answer is written from. The contract takes any number: the nearest that there can be is used. */
export const pageSizeSchema = describedAs(
  z.number().transform((size) => Math.min(PAGE_SIZE_MAX, Math.max(1, Math.trunc(size)))),
  z.number(),
);

/** What a question is narrowed to. */
export const filterSchema = z
  .object({
    version: z.string().max(200).nullish(),
    language: z.string().max(200).nullish(),
  })
  .meta({ id: "FilterV1" });

/** How much of a message is taken. */
export interface MessageBounds {
  messageCharacters: number;
}

/** One message of the conversation. */
export function messageSchema({ messageCharacters }: MessageBounds) {
  const textPart = z
    .object({ type: z.literal("text"), text: z.string().max(messageCharacters) })
    .meta({ id: "TextPart" });
  return z
    .object({
      id: z.string().min(1).max(200),
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

/** The body of the v1 message operation. */
export function v1MessageSchema(bounds: MessageBounds) {
  return z
    .object({
      fp: z.string().min(1).max(200),
      messages: listOf(messageSchema(bounds), MESSAGES_MAX).refine(
        (messages) => messages.some((message) => message.role === "user"),
        "needs a message of the user",
      ),
      threadId: threadIdSchema.nullish(),
      retrievalPageSize: pageSizeSchema.nullish(),
      filter: filterSchema.nullish(),
      context: contextsSchema.nullish(),
      currentPath: z.string().max(200).nullish(),
    })
    .meta({ id: "QuestionV1" });
}

export type V1Body = z.infer<ReturnType<typeof v1MessageSchema>>;
export type V1Message = V1Body["messages"][number];
