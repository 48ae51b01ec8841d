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

export interface V1Options {
  answer: Answer;
  guard: GuardDeps;
  bodyBytesMax: number;
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
    async ({ request, site, caller, limitHeaders, leave, set }) => {
      const abort = new AbortController();
      request.signal.addEventListener("abort", () => abort.abort(), { once: true });
      const done = options.streams.add(abort);
      const onEnd = () => {
        done();
        leave();
      };
      try {
        const body = await readBody(request, schema, options.bodyBytesMax);
        const asked = toAnswerRequest(body, {
          requestId: String(set.headers["x-request-id"] ?? ""),
          site,
          keyId: caller.keyId,
          caller: isBrowser(request) ? "web" : "api",
        });
        const events = options.answer(asked, abort.signal)[Symbol.asyncIterator]();
        // Until the first event an error is a status; from then on it is a part of the stream.
        const first = await events.next();
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

async function* encode(
  first: IteratorResult<AnswerEvent>,
  events: AsyncIterator<AnswerEvent>,
): AsyncGenerator<string> {
  const toLines = createDataStreamEncoder();
  try {
    for (let next = first; !next.done; next = await events.next()) yield toLines(next.value);
  } finally {
    await events.return?.();
  }
}

function idHeaders(event: AnswerEvent | undefined, requestId: string): Record<string, string> {
  if (event?.type !== "start") throw new Error("an answer begins with its start");
  return { "x-thread-id": event.threadId, "x-message-id": event.messageId, "x-request-id": requestId };
}

const isBrowser = (request: Request) =>
  request.headers.has("origin") || request.headers.has("sec-fetch-mode");
