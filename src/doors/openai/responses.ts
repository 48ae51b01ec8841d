import type { AnswerRequest } from "@docent/answering/answer/answer";
import {
  createOpenaiResponseEncoder,
  type OpenaiResponseReply,
  toOpenaiResponse,
} from "../encoding/openai-response.ts";
import { type TurnName, turnOfId } from "../encoding/openai-response-id.ts";
import { type Asking, type PostedMessage, toAnswerRequest } from "../messages/question.ts";
import { textIn } from "../messages/schema.ts";
import { askerIn, filesIn } from "./content.ts";
import type { OpenaiDialect, ReplyHead } from "./openai.ts";
import { type InputItem, type ResponseBody, responseSchema } from "./response-schema.ts";
import { responseShape } from "./shapes.ts";

/** `POST /v1/responses`: what newer clients of OpenAI's API speak unless they are told otherwise. */
export const responses: OpenaiDialect<ResponseBody> = {
  id: "createResponse",
  path: "/v1/responses",
  summary: "Answer a question, in OpenAI's newer protocol",
  description:
    "With `stream: true` the answer comes as events, as `text/event-stream`. `previous_response_id` goes on with a conversation.",
  example: { model: "acme", input: "How do I install it on Linux?" },
  replyShape: responseShape,
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

/**
 * What a response is asked for. The conversation is what was posted, and what led to the response that it goes on from:
 * one that the body names, or the last answer of ours in it. Of answers of which only ids were posted, the stored turns
 * say more than the rest of it does.
 */
function readResponse(body: ResponseBody, asking: Asking): AnswerRequest {
  const { input, previous_response_id: previousId } = body;
  const previous = previousId ? namedBy(previousId) : lastAnswerIn(input);
  const asked = toAnswerRequest(
    {
      fp: askerIn(body),
      messages: [...instructionsOf(body), ...input.flatMap(toMessage)],
      threadId: previous?.threadId,
      pageSize: undefined,
      filter: undefined,
      contexts: [],
      currentPath: undefined,
    },
    asking,
  );
  const isPostedInPart = asked.posted === undefined || input.some((item) => item.type === "reference");
  return {
    ...asked,
    // Items have no ids of their own that hold beyond their request: no question takes the place of another.
    question: { ...asked.question, questionMessageId: asking.requestId },
    previousTurnId: previous?.turnId,
    posted: asked.posted ?? [],
    stored: previousId ? "before" : previous && isPostedInPart ? "instead" : undefined,
  };
}

/** An id that Docent did not give names no turn: it is looked for as it is, and not found. */
const namedBy = (id: string): TurnName => turnOfId(id) ?? { threadId: id, turnId: id };

/** The last answer that was given here and came back, whole or as its id. */
function lastAnswerIn(input: InputItem[]): TurnName | undefined {
  const question = input.findLastIndex((item) => item.type === "message" && item.role === "user");
  const answers = input.slice(0, question).flatMap((item) => {
    const isAnswer = item.type === "reference" || (item.type === "message" && item.role === "assistant");
    return (isAnswer && item.id !== undefined && turnOfId(item.id)) || [];
  });
  return answers.at(-1);
}

const instructionsOf = ({ instructions }: ResponseBody): PostedMessage[] =>
  instructions
    ? [{ id: "instructions", role: "system", text: instructions, files: [], threadId: undefined }]
    : [];

function toMessage(item: InputItem, index: number): PostedMessage[] {
  if (item.type !== "message") return [];
  const { role, content } = item;
  return [
    {
      id: `item_${index}`,
      role: role === "developer" ? "system" : role,
      text: textIn(content),
      files: filesIn(content),
      threadId: undefined,
    },
  ];
}
