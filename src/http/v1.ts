import { Elysia } from "elysia";
import type { Answer } from "../answer/answer.ts";
import type { AnswerEvent } from "../answer/events.ts";
import {
  createDataStreamEncoder,
  DATA_STREAM_HEADERS,
  DATA_STREAM_HEARTBEAT,
} from "../stream/data-stream.ts";
import { readBody } from "./body.ts";
import { type GuardDeps, guardPlugin } from "./guard.ts";
import { streamResponse } from "./stream-response.ts";
import { toAnswerRequest } from "./v1-request.ts";
import { v1MessageSchema } from "./v1-schema.ts";

/** Nobody sees it but the log: the connection is closed. */
const CLIENT_CLOSED_REQUEST = 499;

export interface V1Options {
  answer: Answer;
  guard: GuardDeps;
  bodyBytesMax: number;
  bodyMs: number;
  messageCharactersMax: number;
  heartbeatMs: number;
  /** Told of every stream, so that a server that stops can wait for them, or end them. */
  streams: Streams;
}

/** The streams that are being read. */
export interface Streams {
  add(abort: AbortController): () => void;
}

/** `POST /v1/assistant/{domain}/message`: the contract's one operation. */
export function v1Routes(options: V1Options) {
  const schema = v1MessageSchema({ messageCharacters: options.messageCharactersMax });
  return new Elysia().use(guardPlugin(options.guard)).post(
    "/v1/assistant/:domain/message",
    async ({ request, site, caller, address, limitHeaders, leave, set }) => {
      const abort = new AbortController();
      if (request.signal.aborted) abort.abort();
      request.signal.addEventListener("abort", () => abort.abort(), { once: true });
      const done = options.streams.add(abort);
      const onEnd = () => {
        done();
        leave();
      };
      try {
        const body = await readBody(request, schema, {
          bytesMax: options.bodyBytesMax,
          milliseconds: options.bodyMs,
          signal: abort.signal,
        });
        const asked = toAnswerRequest(body, {
          requestId: String(set.headers["x-request-id"] ?? ""),
          site,
          address,
          keyId: caller.keyId,
          caller: isBrowser(request) ? "web" : "api",
        });
        const events = options.answer(asked, abort.signal)[Symbol.asyncIterator]();
        // Until the first event an error is a status; from then on it is a part of the stream.
        const first = await events.next();
        if (first.done) return gone(onEnd);
        const headers = {
          ...DATA_STREAM_HEADERS,
          ...limitHeaders,
          ...idHeaders(first.value, asked.requestId),
        };
        return streamResponse(encode(first, events), abort, {
          heartbeat: DATA_STREAM_HEARTBEAT,
          heartbeatMs: options.heartbeatMs,
          headers,
          onEnd,
        });
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    { parse: "none" },
  );
}

/** Whoever asked left before there was anything to say. */
function gone(onEnd: () => void): Response {
  onEnd();
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** An iterator and no generator: one that is ended before it began would not run its `finally`. */
function encode(
  first: IteratorResult<AnswerEvent>,
  events: AsyncIterator<AnswerEvent>,
): AsyncIterator<string> {
  const toLines = createDataStreamEncoder();
  let waiting: IteratorResult<AnswerEvent> | undefined = first;
  return {
    async next() {
      const next = waiting ?? (await events.next());
      waiting = undefined;
      return next.done ? { done: true, value: undefined } : { done: false, value: toLines(next.value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

function idHeaders(event: AnswerEvent | undefined, requestId: string): Record<string, string> {
  if (event?.type !== "start") throw new Error("an answer begins with its start");
  return { "x-thread-id": event.threadId, "x-message-id": event.messageId, "x-request-id": requestId };
}

const isBrowser = (request: Request) =>
  request.headers.has("origin") || request.headers.has("sec-fetch-mode");
