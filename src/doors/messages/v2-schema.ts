import { z } from "zod";
import { describedAs, listOf, pageFilterSchema } from "../request/fields.ts";
import { type MessageBounds, PARTS_MAX, questionFields, textPartSchema, withinCharacters } from "./schema.ts";

// What `useChat` of AI SDK 5 and later sends. Of a message's parts only text and files are read: parts of other types,
// and of types that do not exist yet, are what an earlier answer was made of, and are passed over.

const filePart = z
  .object({ type: z.literal("file"), mediaType: z.string(), url: z.string(), filename: z.string().nullish() })
  .meta({ id: "FilePart" });
const otherPart = z
  .looseObject({ type: z.string() })
  .meta({ id: "OtherPart" })
  .transform(() => ({ type: "other" as const }));

/** A part's own schema by its type, so that a fault in a text is said of that text. */
function partSchema({ messageCharacters }: MessageBounds) {
  const textPart = textPartSchema(messageCharacters);
  const checked = z.unknown().transform((part, context) => {
    const type = typeof part === "object" && part !== null && "type" in part ? part.type : undefined;
    const schema = type === "text" ? textPart : type === "file" ? filePart : otherPart;
    const result = schema.safeParse(part);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
  return describedAs(checked, z.union([textPart, filePart, otherPart]).meta({ id: "MessagePart" }));
}

/** One message of the conversation. */
function messageSchema(bounds: MessageBounds) {
  return z
    .object({
      id: z.string().min(1),
      role: z.enum(["system", "assistant", "user"]),
      parts: listOf(partSchema(bounds), PARTS_MAX).refine(...withinCharacters(bounds.messageCharacters)),
      metadata: z.unknown().optional(),
    })
    .meta({ id: "Message" });
}

/** The body of the v2 message operation. */
export const v2MessageSchema = (bounds: MessageBounds) =>
  z.object(questionFields(messageSchema(bounds), pageFilterSchema)).meta({ id: "Question" });

export type V2Body = z.infer<ReturnType<typeof v2MessageSchema>>;
export type V2Message = V2Body["messages"][number];
