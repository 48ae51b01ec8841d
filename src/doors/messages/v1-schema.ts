import { z } from "zod";
import { listOf } from "../request/fields.ts";
import { type MessageBounds, PARTS_MAX, questionFields, textPartSchema, withinCharacters } from "./schema.ts";

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

/** The body of the v1 message operation. */
export const v1MessageSchema = (bounds: MessageBounds) =>
  z.object(questionFields(messageSchema(bounds), filterSchema)).meta({ id: "QuestionV1" });

export type V1Body = z.infer<ReturnType<typeof v1MessageSchema>>;
export type V1Message = V1Body["messages"][number];
