import { Elysia } from "elysia";
import type { z } from "zod";
import type { Answer } from "../../answer/answer.ts";
import type { AnswerEvent } from "../../answer/events.ts";
import { AppError } from "../../errors.ts";
import { type GuardDeps, guardPlugin } from "../guard/guard.ts";
import { readBody } from "../request/body.ts";
import {
  beginAnswering,
  callerOf,
  encodeEvents,
  gone,
  idHeaders,
  type Streams,
} from "../stream/answering.ts";
import { streamResponse } from "../stream/stream-response.ts";
import { type PostedQuestion, toAnswerRequest } from "./question.ts";
import type { MessageBounds } from "./v1-schema.ts";

/** What all versions of the operation need. */
export interface MessageOptions {
  answer: Answer;
  guard: GuardDeps;
  bodyBytesMax: number;
  bodyMs: number;
  messageCharactersMax: number;
  heartbeatMs: number;
  /** Told of every stream, so that a server that stops can wait for them, or end them. */
  streams: Streams;
}

/** One version of the operation: how its body is read, and how an answer is written. */
export interface MessageOperation<Body> {
  path: string;
  schema(bounds: MessageBounds): z.ZodType<Body>;
  read(body: Body): PostedQuestion;
  /** Of an answer. */
  headers: Record<string, string>;
  /** What replies to a request at that path say besides, once the guard has let it in: errors too. */
  notice?(pathname: string): Record<string, string>;
  heartbeat: string;
  createEncoder(): (event: AnswerEvent) => string;
}

/**
 * One and the same of a site and of a thread, whether it was never there, is gone, or belongs to others: it says what to
 * do in each case, and not which of them it is.
 */
const NOT_FOUND =
  "Not found. Check the domain and its key. If threadId was sent: leave it out, and a new conversation begins.";

/** The routes that take a conversation and stream its next answer: one for each version of the operation. */
export function messageRoutes<Body>(options: MessageOptions, operation: MessageOperation<Body>) {
  const schema = operation.schema({ messageCharacters: options.messageCharactersMax });
  return new Elysia().use(guardPlugin(options.guard, "messages", NOT_FOUND)).post(
    operation.path,
    async ({ request, site, caller, address, limitHeaders, leave, set }) => {
      Object.assign(set.headers, operation.notice?.(new URL(request.url).pathname));
      const { abort, onEnd } = beginAnswering(request, options.streams, leave);
      try {
        const body = await readBody(request, schema, {
          bytesMax: options.bodyBytesMax,
          milliseconds: options.bodyMs,
          signal: abort.signal,
        });
        const asked = toAnswerRequest(operation.read(body), {
          requestId: String(set.headers["x-request-id"] ?? ""),
          site,
          address,
          keyId: caller.keyId,
          caller: callerOf(request),
        });
        const events = options.answer(asked, abort.signal)[Symbol.asyncIterator]();
        // Until the first event an error is a status; from then on it is a part of the stream.
        const first = await events.next();
        if (first.done) {
          onEnd();
          return gone();
        }
        const headers = {
          ...operation.headers,
          ...limitHeaders,
          ...idHeaders(first.value, asked.requestId),
        };
        return streamResponse(encodeEvents(operation.createEncoder(), first, events), abort, {
          heartbeat: operation.heartbeat,
          heartbeatMs: options.heartbeatMs,
          headers,
          onEnd,
        });
      } catch (error) {
        onEnd();
        const isMissing = error instanceof AppError && error.code === "not_found";
        throw isMissing ? new AppError("not_found", NOT_FOUND) : error;
      }
    },
    { parse: "none" },
  );
}
