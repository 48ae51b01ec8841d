import { Elysia } from "elysia";
import type { z } from "zod";
import type { AnswerRequest } from "../../answer/answer.ts";
import type { AnswerEvent } from "../../answer/events.ts";
import { AppError } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Site } from "../../sites/sites.ts";
import { OPENAI_HEARTBEAT, OPENAI_STREAM_HEADERS } from "../../stream/openai-reply.ts";
import { createGate } from "../guard/gate.ts";
import type { MessageOptions } from "../messages/messages.ts";
import type { Asking } from "../messages/question.ts";
import type { MessageBounds } from "../messages/v1-schema.ts";
import { readBody } from "../request/body.ts";
import {
  type Answering,
  beginAnswering,
  callerOf,
  encodeEvents,
  gone,
  idHeaders,
} from "../stream/answering.ts";
import { streamResponse } from "../stream/stream-response.ts";
import { siteOfModel } from "./models.ts";

/** What every body names. */
interface AnyBody {
  model: string;
  stream?: boolean | null | undefined;
}

/** What a reply says of itself, besides the answer. */
export interface ReplyHead {
  model: string;
  createdSeconds: number;
  nowSeconds: () => number;
}

/** One operation of OpenAI's API that answers: how its body is read, and how an answer is written. */
export interface OpenaiOperation<Body extends AnyBody> {
  path: string;
  schema(bounds: MessageBounds): z.ZodType<Body>;
  read(body: Body, asking: Asking): AnswerRequest;
  createEncoder(body: Body, head: ReplyHead): (event: AnswerEvent) => string;
  /** The whole answer, or undefined where it has no end. Raises what it failed with. */
  toReply(body: Body, head: ReplyHead, events: readonly AnswerEvent[]): object | undefined;
}

/** One answer on its way: what it is made of, and what its replies say besides. */
interface Reply<Body extends AnyBody> extends Answering {
  operation: OpenaiOperation<Body>;
  body: Body;
  head: ReplyHead;
  first: IteratorResult<AnswerEvent>;
  events: AsyncIterator<AnswerEvent>;
  headers: Record<string, string>;
}

/** A route that asks the docs of the site that its body names as the model. */
export function openaiRoute<Body extends AnyBody>(
  options: MessageOptions,
  clock: Clock,
  operation: OpenaiOperation<Body>,
) {
  const gate = createGate(options.guard, "messages");
  const schema = operation.schema({ messageCharacters: options.messageCharactersMax });
  const nowSeconds = () => Math.floor(clock() / 1000);
  return new Elysia().post(
    operation.path,
    async ({ request, server, set }) => {
      const visitor = await gate.identify(request, server?.requestIP(request)?.address);
      const headers: Record<string, string> = {};
      const say = (standing: Record<string, string>) => {
        Object.assign(set.headers, Object.assign(headers, standing));
      };
      const leave = await gate.admit(visitor, say);
      const answering = beginAnswering(request, options.streams, leave);
      const { abort, onEnd } = answering;
      try {
        const body = await readBody(request, schema, {
          bytesMax: options.bodyBytesMax,
          milliseconds: options.bodyMs,
          signal: abort.signal,
        });
        const site = siteOfModel(gate, visitor, body.model);
        await gate.admitTo(site, say);
        const asked = operation.read(body, {
          requestId: String(set.headers["x-request-id"] ?? ""),
          site: withoutSuggestions(site),
          address: visitor.address,
          keyId: visitor.caller.keyId,
          caller: callerOf(request),
        });
        const head = { model: site.domain, createdSeconds: nowSeconds(), nowSeconds };
        const events = options.answer(asked, abort.signal)[Symbol.asyncIterator]();
        const first = await firstOf(events);
        if (first.done) {
          onEnd();
          return gone();
        }
        Object.assign(headers, idHeaders(first.value, asked.requestId));
        const reply = { ...answering, operation, body, head, first, events, headers };
        if (body.stream) return streamed(reply, options.heartbeatMs);
        // Nothing is sent before the whole answer is there, however long the model takes: its own waits are bounded.
        server?.timeout(request, 0);
        const response = await whole(reply);
        onEnd();
        return response;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    { parse: "none" },
  );
}

const NO_SUCH_RESPONSE =
  "There is no such response here. Leave previous_response_id out, and send the conversation as input.";

/** The first event. All that an answer can miss is the thread that the body goes on with. */
async function firstOf(events: AsyncIterator<AnswerEvent>): Promise<IteratorResult<AnswerEvent>> {
  try {
    return await events.next();
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not_found")) throw error;
    const details = [{ path: "previous_response_id", message: NO_SUCH_RESPONSE }];
    throw new AppError("not_found", NO_SUCH_RESPONSE, { details });
  }
}

/** Clients of this protocol would show the block of suggestions as code. */
const withoutSuggestions = (site: Site): Site => ({
  ...site,
  settings: { ...site.settings, suggestions: false },
});

function streamed<Body extends AnyBody>(
  { operation, body, head, first, events, abort, onEnd, headers }: Reply<Body>,
  heartbeatMs: number,
): Response {
  return streamResponse(encodeEvents(operation.createEncoder(body, head), first, events), abort, {
    heartbeat: OPENAI_HEARTBEAT,
    heartbeatMs,
    headers: { ...OPENAI_STREAM_HEADERS, ...headers },
    onEnd,
  });
}

async function whole<Body extends AnyBody>({
  operation,
  body,
  head,
  first,
  events,
  headers,
}: Reply<Body>): Promise<Response> {
  const all: AnswerEvent[] = [];
  for (let next = first; !next.done; next = await events.next()) all.push(next.value);
  const reply = operation.toReply(body, head, all);
  return reply === undefined
    ? gone()
    : Response.json(reply, { headers: { ...headers, "cache-control": "no-store" } });
}
