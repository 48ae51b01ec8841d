import { z } from "zod";
import { createOpenaiChatEncoder, toChatCompletion } from "../encoding/openai-chat.ts";
import { type PostedMessage, type PostedQuestion, toAnswerRequest } from "../messages/question.ts";
import { MESSAGES_MAX, type MessageBounds, textIn } from "../messages/schema.ts";
import { listOf } from "../request/fields.ts";
import {
  ANSWERS_IN_WORDS,
  askerIn,
  askerShape,
  type ContentPart,
  contentSchema,
  filesIn,
  textFormat,
  toolChoice,
} from "./content.ts";
import type { OpenaiDialect } from "./openai.ts";
import { completionShape } from "./shapes.ts";

/** `POST /v1/chat/completions`: what most clients of OpenAI's API can speak. */
export const chatCompletions: OpenaiDialect<ChatCompletionBody> = {
  id: "createChatCompletion",
  path: "/v1/chat/completions",
  summary: "Answer a question, in OpenAI's protocol",
  description: "With `stream: true` the answer comes in chunks, as `text/event-stream`.",
  example: { model: "acme", messages: [{ role: "user", content: "How do I install it on Linux?" }] },
  replyShape: completionShape,
  schema: chatCompletionSchema,
  read: (body, asking) => toAnswerRequest(readChatCompletion(body), asking),
  createEncoder: ({ stream_options }, head) =>
    createOpenaiChatEncoder({ ...head, includeUsage: stream_options?.include_usage === true }),
  toReply: (_, head, events) => toChatCompletion(events, head),
};

type Message = ChatCompletionBody["messages"][number];

/** What a chat completion asks. The protocol knows no threads: the conversation is what was posted. */
function readChatCompletion(body: ChatCompletionBody): PostedQuestion {
  return {
    fp: askerIn(body),
    messages: body.messages.map(readMessage),
    threadId: undefined,
    pageSize: undefined,
    filter: undefined,
    contexts: [],
    currentPath: undefined,
  };
}

function readMessage({ role, content }: Message, index: number): PostedMessage {
  return {
    id: `message_${index}`,
    role: roleOf(role),
    text: textIn(content),
    files: filesIn(content),
    threadId: undefined,
  };
}

/** What a tool said is neither question nor answer. */
function roleOf(role: Message["role"]): PostedMessage["role"] {
  if (role === "tool" || role === "function") return "data";
  return role === "developer" ? "system" : role;
}

// What chat clients of OpenAI's API send. Docent answers in words, from docs: what asks for nothing else, such as
// `temperature`, `stop`, `max_tokens` or tools that may be used, is passed over. What asks for a reply of another kind
// is refused, because its sender could not read the answer.

const partSchemas: Record<string, z.ZodType<ContentPart>> = {
  text: z.object({ type: z.literal("text"), text: z.string() }).meta({ id: "ChatTextPart" }),
  image_url: z
    .object({
      type: z.literal("image_url"),
      image_url: z.object({ url: z.string() }).meta({ id: "ChatImageUrl" }),
    })
    .meta({ id: "ChatImagePart" })
    .transform(({ image_url: { url } }) => ({ type: "file", url })),
  file: z
    .object({
      type: z.literal("file"),
      file: z
        .object({ file_data: z.string().nullish(), filename: z.string().nullish() })
        .meta({ id: "ChatFile" }),
    })
    .meta({ id: "ChatFilePart" })
    .transform(({ file }) => ({ type: "file", url: file.file_data ?? "", name: file.filename ?? undefined })),
};

/** One message of the conversation. */
function messageSchema(bounds: MessageBounds) {
  return z
    .object({
      role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
      content: contentSchema(bounds, partSchemas, "ChatPart"),
    })
    .meta({ id: "ChatMessage" });
}

const ONE = "Docent gives one answer.";

/** The body of a chat completion. */
function chatCompletionSchema(bounds: MessageBounds) {
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
      ...askerShape,
      n: z.literal(1, ONE).nullish(),
      response_format: textFormat,
      modalities: z.array(z.literal("text", ANSWERS_IN_WORDS)).max(10).nullish(),
      tool_choice: toolChoice,
    })
    .meta({ id: "ChatCompletionRequest" });
}

type ChatCompletionBody = z.infer<ReturnType<typeof chatCompletionSchema>>;
