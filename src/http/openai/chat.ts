import { Elysia } from "elysia";
import type { AnswerEvent } from "../../answer/events.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Site } from "../../sites/sites.ts";
import {
  createOpenaiChatEncoder,
  OPENAI_CHAT_HEADERS,
  OPENAI_CHAT_HEARTBEAT,
  toChatCompletion,
} from "../../stream/openai-chat.ts";
import { createGate } from "../guard/gate.ts";
import { toAnswerRequest } from "../messages/request.ts";
import type { MessageOptions } from "../messages/routes.ts";
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
import { readChatCompletion } from "./request.ts";
import { type ChatCompletionBody, chatCompletionSchema } from "./schema.ts";

/** One answer on its way: what it is made of, and what its replies say besides. */
interface Reply extends Answering {
  first: IteratorResult<AnswerEvent>;
  events: AsyncIterator<AnswerEvent>;
  body: ChatCompletionBody;
  site: Site;
  createdSeconds: number;
  headers: Record<string, string>;
}

/** `POST /v1/chat/completions`: asks the docs of the site that the body names as its model. */
export function openaiChatRoute(options: MessageOptions, clock: Clock) {
  const gate = createGate(options.guard, "messages");
  const schema = chatCompletionSchema({ messageCharacters: options.messageCharactersMax });
  return new Elysia().post(
    "/v1/chat/completions",
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
        const asked = toAnswerRequest(readChatCompletion(body), {
          requestId: String(set.headers["x-request-id"] ?? ""),
          site: withoutSuggestions(site),
          address: visitor.address,
          keyId: visitor.caller.keyId,
          caller: callerOf(request),
        });
        const createdSeconds = Math.floor(clock() / 1000);
        const events = options.answer(asked, abort.signal)[Symbol.asyncIterator]();
        const first = await events.next();
        if (first.done) {
          onEnd();
          return gone();
        }
        Object.assign(headers, idHeaders(first.value, asked.requestId));
        const reply: Reply = { ...answering, first, events, body, site, createdSeconds, headers };
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

/** Clients of this protocol would show the block of suggestions as code. */
const withoutSuggestions = (site: Site): Site => ({
  ...site,
  settings: { ...site.settings, suggestions: false },
});

function streamed(
  { body, site, first, events, abort, onEnd, ...reply }: Reply,
  heartbeatMs: number,
): Response {
  const encode = createOpenaiChatEncoder({
    model: site.domain,
    createdSeconds: reply.createdSeconds,
    includeUsage: body.stream_options?.include_usage === true,
  });
  return streamResponse(encodeEvents(encode, first, events), abort, {
    heartbeat: OPENAI_CHAT_HEARTBEAT,
    heartbeatMs,
    headers: { ...OPENAI_CHAT_HEADERS, ...reply.headers },
    onEnd,
  });
}

async function whole({ site, first, events, createdSeconds, headers }: Reply): Promise<Response> {
  const all: AnswerEvent[] = [];
  for (let next = first; !next.done; next = await events.next()) all.push(next.value);
  const completion = toChatCompletion(all, { model: site.domain, createdSeconds });
  return completion === undefined
    ? gone()
    : Response.json(completion, { headers: { ...headers, "cache-control": "no-store" } });
}
