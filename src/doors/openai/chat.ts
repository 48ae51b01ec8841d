import { createOpenaiChatEncoder, toChatCompletion } from "../encoding/openai-chat.ts";
import { type PostedMessage, type PostedQuestion, toAnswerRequest } from "../messages/question.ts";
import { textIn } from "../messages/schema.ts";
import { type ChatCompletionBody, chatCompletionSchema } from "./chat-schema.ts";
import { askerIn, filesIn } from "./content.ts";
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
