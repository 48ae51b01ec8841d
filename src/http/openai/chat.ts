import { createOpenaiChatEncoder, toChatCompletion } from "../../stream/openai-chat.ts";
import { toAnswerRequest } from "../messages/question.ts";
import { readChatCompletion } from "./chat-request.ts";
import { type ChatCompletionBody, chatCompletionSchema } from "./chat-schema.ts";
import type { OpenaiOperation } from "./openai.ts";

/** `POST /v1/chat/completions`: what most clients of OpenAI's API can speak. */
export const chatCompletions: OpenaiOperation<ChatCompletionBody> = {
  path: "/v1/chat/completions",
  schema: chatCompletionSchema,
  read: (body, asking) => toAnswerRequest(readChatCompletion(body), asking),
  createEncoder: ({ stream_options }, head) =>
    createOpenaiChatEncoder({ ...head, includeUsage: stream_options?.include_usage === true }),
  toReply: (_, head, events) => toChatCompletion(events, head),
};
