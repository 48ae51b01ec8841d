import { z } from "zod";

// The replies of the operations in OpenAI's protocol that are not streams.

export const completionShape = z.lazy(() =>
  z
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
    .meta({ id: "ChatCompletion" }),
);
const citation = z.lazy(() =>
  z
    .object({
      type: z.literal("url_citation"),
      start_index: z.int(),
      end_index: z.int(),
      url: z.string(),
      title: z.string(),
    })
    .meta({ id: "ResponseCitation" }),
);
const answerItem = z.lazy(() =>
  z
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
    .meta({ id: "ResponseAnswer" }),
);
const thoughtItem = z.lazy(() =>
  z
    .object({
      id: z.string(),
      type: z.literal("reasoning"),
      summary: z.array(
        z.object({ type: z.literal("summary_text"), text: z.string() }).meta({ id: "ResponseSummary" }),
      ),
      status: z.string(),
    })
    .meta({ id: "ResponseReasoning" }),
);
export const responseShape = z.lazy(() =>
  z
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
    .meta({ id: "Response" }),
);
export const modelShape = z.lazy(() =>
  z
    .object({
      id: z.string(),
      object: z.literal("model"),
      created: z.int(),
      owned_by: z.string(),
      name: z.string(),
    })
    .meta({ id: "Model" }),
);
export const modelListShape = z.lazy(() =>
  z.object({ object: z.literal("list"), data: z.array(modelShape) }).meta({ id: "ModelList" }),
);
