import type { AnswerRequest } from "@docent/answering/answer/answer";
import type { AnswerEvent } from "@docent/answering/answer/events";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Reader } from "@docent/people/readers/readers";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { OPENAI_HEARTBEAT, OPENAI_STREAM_HEADERS } from "../encoding/openai-reply.ts";
import {
  type Admitted,
  countedBody,
  createGate,
  type GuardDeps,
  KEYED_ERRORS,
  type Visitor,
} from "../guard/guard.ts";
import type { MessageOptions } from "../messages/messages.ts";
import { type Asking, withoutSuggestions } from "../messages/question.ts";
import type { MessageBounds } from "../messages/schema.ts";
import { type Asked, type Guard, type Operation, operation } from "../operation.ts";
import {
  type Answering,
  beginAnswering,
  callerOf,
  encodeEvents,
  gone,
  idHeaders,
} from "../streaming/answering.ts";
import { heartbeatMsOf, streamResponse } from "../streaming/stream-response.ts";
import { chatCompletions } from "./chat.ts";
import { type AskerFields, askerIn } from "./content.ts";
import { openaiModelOperations, siteOfModel } from "./models.ts";
import { responses } from "./responses.ts";

/** What every body names. */
interface AnyBody extends AskerFields {
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
export interface OpenaiDialect<Body extends AnyBody>
  extends Pick<Operation, "id" | "path" | "summary" | "description" | "example"> {
  /** A whole answer, as the documentation has it. */
  replyShape: z.ZodType;
  schema(bounds: MessageBounds): z.ZodType<Body>;
  read(body: Body, asking: Asking): AnswerRequest;
  createEncoder(body: Body, head: ReplyHead): (event: AnswerEvent) => string;
  /** The whole answer, or undefined where it has no end. Raises what it failed with. */
  toReply(body: Body, head: ReplyHead, events: readonly AnswerEvent[]): object | undefined;
}

/** One answer on its way: what it is made of, and what its replies say besides. */
interface Reply<Body extends AnyBody> extends Answering {
  dialect: OpenaiDialect<Body>;
  body: Body;
  head: ReplyHead;
  first: IteratorResult<AnswerEvent>;
  events: AsyncIterator<AnswerEvent>;
  headers: Record<string, string>;
}

/** What is known of whoever asks, before the body has said which site is meant. */
interface OpenaiGuarded extends Admitted {
  visitor: Visitor;
  /** Headers that say where the caller stands with its limits. */
  limitHeaders: Record<string, string>;
  /** Takes the site that a model is, and counts the question to its own limit. */
  enterSite(model: string): Promise<{ site: Site; reader: Reader }>;
}

/** The operations that clients of OpenAI's API use: a site is a model. */
export function openaiOperations(options: MessageOptions, clock: Clock): Operation[] {
  const guard = openaiGuard(options.guard);
  return [
    answerOperation(options, clock, guard, chatCompletions),
    answerOperation(options, clock, guard, responses),
    ...openaiModelOperations(options.guard),
  ];
}

/** Key and limits come before the body, and the site after it: the body names it. */
function openaiGuard(deps: GuardDeps): Guard<OpenaiGuarded> {
  const gate = createGate(deps, "messages");
  return {
    opens: "assistant",
    errors: [...KEYED_ERRORS, "model_failed"],
    async admit({ request, peer, replyHeaders }) {
      const visitor = await gate.identify(request, peer());
      const limitHeaders: Record<string, string> = {};
      const say = (standing: Record<string, string>) => {
        Object.assign(replyHeaders, Object.assign(limitHeaders, standing));
      };
      const admitted = await gate.admit(visitor, say);
      const enterSite = async (model: string) => {
        const site = siteOfModel(gate, visitor, model);
        const reader = await deps.readers.admit(request, site, peer() ?? "");
        await gate.admitTo(site, say);
        return { site, reader };
      };
      return { visitor, limitHeaders, enterSite, ...admitted };
    },
  };
}

/** An operation that asks the docs of the site that its body names as the model. */
function answerOperation<Body extends AnyBody>(
  options: MessageOptions,
  clock: Clock,
  guard: Guard<OpenaiGuarded>,
  dialect: OpenaiDialect<Body>,
): Operation {
  const { id, path, summary, description, example, replyShape } = dialect;
  return operation<OpenaiGuarded, Body>({
    id,
    method: "POST",
    path,
    tag: "OpenAI",
    guard,
    isInDiscovery: true,
    hasOpenaiErrors: true,
    summary,
    ...(description === undefined ? {} : { description }),
    body: z.lazy(() => dialect.schema({ messageCharacters: options.settings.message_characters })),
    example,
    replies: { 200: { description: "The answer.", schema: replyShape, otherTypes: ["text/event-stream"] } },
    async run(asked) {
      const answering = beginAnswering(asked.request, options.streams, asked.leave);
      try {
        return await answer(options, clock, dialect, asked, answering);
      } catch (error) {
        answering.onEnd();
        throw error;
      }
    },
  });
}

async function answer<Body extends AnyBody>(
  options: MessageOptions,
  clock: Clock,
  dialect: OpenaiDialect<Body>,
  asked: Asked<OpenaiGuarded, Body, never>,
  answering: Answering,
): Promise<Response> {
  const { request, requestId, visitor, limitHeaders, enterSite, waitWithoutEnd } = asked;
  const { abort, onEnd } = answering;
  const body = await countedBody(asked, abort.signal, askerIn);
  const { site, reader } = await enterSite(body.model);
  const question = dialect.read(body, {
    requestId,
    site: withoutSuggestions(site),
    address: visitor.address,
    keyId: visitor.caller.keyId,
    audience: reader.audience,
    readerId: reader.id,
    caller: callerOf(request),
  });
  const nowSeconds = () => Math.floor(clock() / 1000);
  const head = { model: site.domain, createdSeconds: nowSeconds(), nowSeconds };
  const events = options.answer(question, abort.signal)[Symbol.asyncIterator]();
  const first = await firstOf(events);
  if (first.done) {
    onEnd();
    return gone();
  }
  const headers = { ...limitHeaders, ...idHeaders(first.value, requestId) };
  const reply = { ...answering, dialect, body, head, first, events, headers };
  if (body.stream) return streamed(reply, heartbeatMsOf(options.settings));
  // Nothing is sent before the whole answer is there, however long the model takes: its own waits are bounded.
  waitWithoutEnd();
  const response = await whole(reply);
  onEnd();
  return response;
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

function streamed<Body extends AnyBody>(
  { dialect, body, head, first, events, abort, onEnd, headers }: Reply<Body>,
  heartbeatMs: number,
): Response {
  return streamResponse(encodeEvents(dialect.createEncoder(body, head), first, events), abort, {
    heartbeat: OPENAI_HEARTBEAT,
    heartbeatMs,
    headers: { ...OPENAI_STREAM_HEADERS, ...headers },
    onEnd,
  });
}

async function whole<Body extends AnyBody>({
  dialect,
  body,
  head,
  first,
  events,
  headers,
}: Reply<Body>): Promise<Response> {
  const all: AnswerEvent[] = [];
  for (let next = first; !next.done; next = await events.next()) all.push(next.value);
  const reply = dialect.toReply(body, head, all);
  return reply === undefined
    ? gone()
    : Response.json(reply, { headers: { ...headers, "cache-control": "no-store" } });
}
