import { z } from "zod";
import type { MessageBounds } from "../../messages/v1-schema.ts";
import { chatCompletionSchema } from "../../openai/chat-schema.ts";
import { responseSchema } from "../../openai/response-schema.ts";
import { gives } from "../../operation/gives.ts";
import type { ApiOperation } from "../../operation/operation.ts";
import { KEYED_ERRORS } from "./readers.ts";

const completion = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z
        .object({
          index: z.int(),
          message: z
            .object({
              role: z.literal("assistant"),
              content: z.string(),
              refusal: z.null(),
              annotations: z.array(z.looseObject({ type: z.string() }).meta({ id: "ChatAnnotation" })),
              reasoning_content: z.string().optional(),
            })
            .meta({ id: "ChatAnswer" }),
          logprobs: z.null(),
          finish_reason: z.string(),
        })
        .meta({ id: "ChatChoice" }),
    ),
    usage: z
      .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
      .meta({ id: "TokenUsage" }),
  })
  .meta({ id: "ChatCompletion" });
const citation = z
  .object({
    type: z.literal("url_citation"),
    start_index: z.int(),
    end_index: z.int(),
    url: z.string(),
    title: z.string(),
  })
  .meta({ id: "ResponseCitation" });
const answerItem = z
  .object({
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    status: z.string(),
    content: z.array(
      z
        .object({
          type: z.literal("output_text"),
          text: z.string(),
          annotations: z.array(citation),
          logprobs: z.array(z.unknown()),
        })
        .meta({ id: "ResponseText" }),
    ),
  })
  .meta({ id: "ResponseAnswer" });
const thoughtItem = z
  .object({
    id: z.string(),
    type: z.literal("reasoning"),
    summary: z.array(
      z.object({ type: z.literal("summary_text"), text: z.string() }).meta({ id: "ResponseSummary" }),
    ),
    status: z.string(),
  })
  .meta({ id: "ResponseReasoning" });
const response = z
  .looseObject({
    id: z.string(),
    object: z.literal("response"),
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(["completed", "incomplete"]),
    incomplete_details: z.object({ reason: z.string() }).meta({ id: "ResponseIncomplete" }).nullable(),
    error: z.null(),
    model: z.string(),
    output: z.array(z.discriminatedUnion("type", [thoughtItem, answerItem]).meta({ id: "ResponseItem" })),
    previous_response_id: z.string().nullable(),
    instructions: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).meta({ id: "ResponseMetadata" }),
    usage: z
      .looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
      .meta({ id: "ResponseUsage" }),
  })
  .meta({ id: "Response" });
const model = z
  .object({
    id: z.string(),
    object: z.literal("model"),
    created: z.int(),
    owned_by: z.string(),
    name: z.string(),
  })
  .meta({ id: "Model" });
const modelList = z.object({ object: z.literal("list"), data: z.array(model) }).meta({ id: "ModelList" });

/** What every operation in OpenAI's protocol has. */
const DOOR = {
  tag: "OpenAI",
  key: "assistant",
  hasPrefix: true,
  openaiErrors: true,
} as const;

/** The operations that clients of OpenAI's API use: a site is a model. */
export function openaiOperations(bounds: MessageBounds): ApiOperation[] {
  return [
    {
      method: "post",
      path: "/v1/chat/completions",
      ...DOOR,
      summary: "Answer a question, in OpenAI's protocol",
      description: "With `stream: true` the answer comes in chunks, as `text/event-stream`.",
      body: chatCompletionSchema(bounds),
      example: { model: "acme", messages: [{ role: "user", content: "How do I install it on Linux?" }] },
      replies: { 200: { description: "The answer.", schema: completion, otherTypes: ["text/event-stream"] } },
      errors: [...KEYED_ERRORS, "model_failed"],
    },
    {
      method: "post",
      path: "/v1/responses",
      ...DOOR,
      summary: "Answer a question, in OpenAI's newer protocol",
      description:
        "With `stream: true` the answer comes as events, as `text/event-stream`. `previous_response_id` goes on with a conversation.",
      body: responseSchema(bounds),
      example: { model: "acme", input: "How do I install it on Linux?" },
      replies: { 200: { description: "The answer.", schema: response, otherTypes: ["text/event-stream"] } },
      errors: [...KEYED_ERRORS, "model_failed"],
    },
    {
      method: "get",
      path: "/v1/models",
      ...DOOR,
      summary: "List the sites that the key may use, as models",
      replies: gives(200, "The sites.", modelList),
      errors: ["unauthorized", "forbidden", "internal", "unavailable"],
    },
    {
      method: "get",
      path: "/v1/models/{model}",
      ...DOOR,
      summary: "Show a site, as a model",
      replies: gives(200, "The site.", model),
      errors: ["unauthorized", "forbidden", "not_found", "internal", "unavailable"],
    },
  ];
}
