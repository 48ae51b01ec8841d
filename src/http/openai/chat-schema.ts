import { z } from "zod";
import { withinCharacters } from "../messages/text.ts";
import { MESSAGES_MAX, type MessageBounds, PARTS_MAX } from "../messages/v1-schema.ts";
import { describedAs } from "../request/described-input.ts";
import { listOf } from "../request/list-of.ts";

// What chat clients of OpenAI's API send. Docent answers in words, from docs: what asks for nothing else, such as
// `temperature`, `stop`, `max_tokens` or tools that may be used, is passed over. What asks for a reply of another kind
// is refused, because its sender could not read the answer.

const imagePart = z
  .object({
    type: z.literal("image_url"),
    image_url: z.object({ url: z.string() }).meta({ id: "ChatImageUrl" }),
  })
  .meta({ id: "ChatImagePart" });
const filePart = z
  .object({
    type: z.literal("file"),
    file: z
      .object({ file_data: z.string().nullish(), filename: z.string().nullish() })
      .meta({ id: "ChatFile" }),
  })
  .meta({ id: "ChatFilePart" });
const otherPart = z
  .looseObject({ type: z.string() })
  .meta({ id: "OtherPart" })
  .transform(() => ({ type: "other" as const }));

type Part =
  | { type: "text"; text: string }
  | z.infer<typeof imagePart>
  | z.infer<typeof filePart>
  | z.infer<typeof otherPart>;

/** What a message holds: a text, a list of parts, or nothing, as where an assistant called a tool. */
function contentSchema({ messageCharacters }: MessageBounds) {
  const textPart = z.object({ type: z.literal("text"), text: z.string() }).meta({ id: "ChatTextPart" });
  const partSchemas = new Map<unknown, z.ZodType<Part>>([
    ["text", textPart],
    ["image_url", imagePart],
    ["file", filePart],
  ]);
  const anyPart = z.unknown().transform((value, context): Part => {
    const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
    return checked(partSchemas.get(type) ?? otherPart, value, context);
  });
  const part = describedAs(
    anyPart,
    z.union([textPart, imagePart, filePart, otherPart]).meta({ id: "ChatPart" }),
  );
  const parts = listOf<Part>(part, PARTS_MAX);
  const content = z.unknown().transform((value, context): Part[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === "string") return [{ type: "text", text: value }];
    if (Array.isArray(value)) return checked(parts, value, context);
    context.addIssue({ code: "custom", message: "must be a text or a list of parts" });
    return z.NEVER;
  });
  const takes = z.union([z.string().max(messageCharacters), z.array(part)]).nullish();
  return describedAs(content, takes).refine(...withinCharacters(messageCharacters));
}

/** The value by a schema that is chosen by what the value is, so that a fault is said of its own place. */
function checked<T>(schema: z.ZodType<T>, value: unknown, context: z.RefinementCtx): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
}

/** One message of the conversation. */
function messageSchema(bounds: MessageBounds) {
  return z
    .object({
      role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
      content: contentSchema(bounds),
    })
    .meta({ id: "ChatMessage" });
}

const reader = z.string().max(200).nullish();
const ONE = "Docent gives one answer.";
const WORDS = "Docent answers in words.";
const NO_TOOLS = "Docent calls no tools; auto and none are accepted.";

/** The body of a chat completion. */
export function chatCompletionSchema(bounds: MessageBounds) {
  return z
    .object({
      model: z.string().min(1).max(300),
      messages: listOf(messageSchema(bounds), MESSAGES_MAX).refine(
        (messages) => messages.some((message) => message.role === "user"),
        "needs a message of the user",
      ),
      stream: z.boolean().nullish(),
      stream_options: z
        .object({ include_usage: z.boolean().nullish() })
        .meta({ id: "ChatStreamOptions" })
        .nullish(),
      user: reader,
      safety_identifier: reader,
      n: z.literal(1, ONE).nullish(),
      response_format: z
        .looseObject({ type: z.literal("text", WORDS) })
        .meta({ id: "ChatResponseFormat" })
        .nullish(),
      modalities: z.array(z.literal("text", WORDS)).max(10).nullish(),
      tool_choice: z.enum(["auto", "none"], NO_TOOLS).meta({ id: "ChatToolChoice" }).nullish(),
    })
    .meta({ id: "ChatCompletionRequest" });
}

export type ChatCompletionBody = z.infer<ReturnType<typeof chatCompletionSchema>>;
