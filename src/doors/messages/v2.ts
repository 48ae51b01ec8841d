import { z } from "zod";
import { createUiMessageEncoder, UI_MESSAGE_HEADERS, UI_MESSAGE_HEARTBEAT } from "../encoding/ui-message.ts";
import { describedAs, listOf, pageFilterSchema } from "../request/fields.ts";
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

/** The body of the v2 message operation. */
export const v2MessageSchema = (bounds: MessageBounds) =>
  z.object(questionFields(messageSchema(bounds), pageFilterSchema)).meta({ id: "Question" });

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

type V2Body = z.infer<ReturnType<typeof v2MessageSchema>>;
type V2Message = V2Body["messages"][number];
