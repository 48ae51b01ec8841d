import {
  createOpenaiResponseEncoder,
  type OpenaiResponseReply,
  toOpenaiResponse,
} from "../../stream/openai-response.ts";
import type { OpenaiOperation, ReplyHead } from "./openai.ts";
import { readResponse } from "./response-request.ts";
import { type ResponseBody, responseSchema } from "./response-schema.ts";

/** `POST /v1/responses`: what newer clients of OpenAI's API speak unless they are told otherwise. */
export const responses: OpenaiOperation<ResponseBody> = {
  path: "/v1/responses",
  schema: responseSchema,
  read: readResponse,
  createEncoder: (body, head) => createOpenaiResponseEncoder(toReplyOf(body, head)),
  toReply: (body, head, events) => toOpenaiResponse(events, toReplyOf(body, head)),
};

const toReplyOf = (body: ResponseBody, head: ReplyHead): OpenaiResponseReply => ({
  ...head,
  instructions: body.instructions ?? null,
  metadata: body.metadata ?? {},
  previousResponseId: body.previous_response_id || null,
  user: body.user ?? null,
  safetyIdentifier: body.safety_identifier ?? null,
});
