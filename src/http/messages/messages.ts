import { z } from "zod";
import type { Answer } from "../../answer/answer.ts";
import type { AnswerEvent } from "../../answer/events.ts";
import { AppError } from "../../errors.ts";
import { type GuardDeps, type Guarded, siteGuard } from "../guard/guard.ts";
import { type Asked, type Guard, type Operation, operation } from "../operation.ts";
import {
  type Answering,
  beginAnswering,
  callerOf,
  encodeEvents,
  gone,
  idHeaders,
  type Streams,
} from "../stream/answering.ts";
import { type HeartbeatSettings, heartbeatMsOf, streamResponse } from "../stream/stream-response.ts";
import { type PostedQuestion, toAnswerRequest } from "./question.ts";
import type { MessageBounds } from "./schema.ts";
import { v1Message } from "./v1.ts";
import { v2Message } from "./v2.ts";

/** The settings it reads, under their own names. */
export interface MessageSettings extends HeartbeatSettings {
  /** Of the longest text of one message. */
  message_characters: number;
}

/** What all versions of the message operation, which the AI SDK's clients use, need. */
export interface MessageOptions {
  settings: MessageSettings;
  /** Made in `app/answers/answers.ts`. */
  answer: Answer;
  guard: GuardDeps;
  /** Told of every stream, so that a server that stops can wait for them, or end them. */
  streams: Streams;
}

/** One version of the operation: how its body is read, and how an answer is written. */
export interface MessageDialect<Body>
  extends Pick<Operation, "id" | "path" | "summary" | "deprecated" | "example"> {
  schema(bounds: MessageBounds): z.ZodType<Body>;
  read(body: Body): PostedQuestion;
  /** Of an answer. */
  headers: Record<string, string>;
  /** The type of an answer, as the documentation has it. */
  contentType: string;
  /** What replies to a request at that path say besides, once the guard has let it in: errors too. */
  notice?(pathname: string): Record<string, string>;
  heartbeat: string;
  createEncoder(): (event: AnswerEvent) => string;
}

/** The same text for a missing site and a missing thread, so that it does not tell which of them is missing, or why. */
const NOT_FOUND =
  "Not found. Check the domain and its key. If threadId was sent: leave it out, and a new conversation begins.";

/** The operations that take a conversation and stream its next answer: one for each version. */
export function messageOperations(options: MessageOptions): Operation[] {
  const guard = siteGuard(options.guard, "messages", NOT_FOUND);
  return [messageOperation(options, guard, v2Message), messageOperation(options, guard, v1Message)];
}

function messageOperation<Body>(
  options: MessageOptions,
  guard: Guard<Guarded>,
  dialect: MessageDialect<Body>,
): Operation {
  const { id, path, summary, deprecated, example, contentType } = dialect;
  return operation<Guarded, Body>({
    id,
    method: "POST",
    path,
    tag: "Assistant",
    guard,
    isInDiscovery: true,
    summary,
    ...(deprecated ? { deprecated } : {}),
    body: z.lazy(() => dialect.schema({ messageCharacters: options.settings.message_characters })),
    example,
    replies: { 200: { description: "The parts of the answer.", contentType } },
    async run(asked) {
      Object.assign(asked.replyHeaders, dialect.notice?.(new URL(asked.request.url).pathname));
      const answering = beginAnswering(asked.request, options.streams, asked.leave);
      try {
        return await answer(options, dialect, asked, answering);
      } catch (error) {
        answering.onEnd();
        const isMissing = error instanceof AppError && error.code === "not_found";
        throw isMissing ? new AppError("not_found", NOT_FOUND) : error;
      }
    },
  });
}

async function answer<Body>(
  options: MessageOptions,
  dialect: MessageDialect<Body>,
  { request, requestId, body, site, reader, address, caller, limitHeaders }: Asked<Guarded, Body, never>,
  { abort, onEnd }: Answering,
): Promise<Response> {
  const question = toAnswerRequest(dialect.read(await body(abort.signal)), {
    requestId,
    site,
    address,
    keyId: caller.keyId,
    audience: reader.audience,
    readerId: reader.id,
    caller: callerOf(request),
  });
  const events = options.answer(question, abort.signal)[Symbol.asyncIterator]();
  // Until the first event an error is a status; from then on it is a part of the stream.
  const first = await events.next();
  if (first.done) {
    onEnd();
    return gone();
  }
  return streamResponse(encodeEvents(dialect.createEncoder(), first, events), abort, {
    heartbeat: dialect.heartbeat,
    heartbeatMs: heartbeatMsOf(options.settings),
    headers: { ...dialect.headers, ...limitHeaders, ...idHeaders(first.value, requestId) },
    onEnd,
  });
}
