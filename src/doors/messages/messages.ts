import type { Answer } from "@docent/answering/answer/answer";
import type { AnswerEvent } from "@docent/answering/answer/events";
import type { AppChats } from "@docent/answering/threads/threads";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { countedBody, type GuardDeps, type Guarded, siteGuard } from "../guard/guard.ts";
import { type Asked, type Guard, type Operation, operation } from "../operation.ts";
import {
  type Answering,
  beginAnswering,
  callerOf,
  encodeEvents,
  gone,
  idHeaders,
  type Streams,
} from "../streaming/answering.ts";
import { type HeartbeatSettings, heartbeatMsOf, streamResponse } from "../streaming/stream-response.ts";
import { type Asking, chatOf, type PostedQuestion, toAnswerRequest } from "./question.ts";
import { type ResumeDialect, resumeOperation } from "./resume.ts";
import { createRunningAnswers, type ResumeSettings, type RunningAnswers } from "./running-answers.ts";
import { type MessageBounds, takingOneMessage } from "./schema.ts";
import { v1Message } from "./v1.ts";
import { v2Message } from "./v2.ts";

/** The settings it reads, under their own names. */
export interface MessageSettings extends HeartbeatSettings, ResumeSettings {
  /** Of the longest text of one message. */
  message_characters: number;
}

/** What all versions of the message operation, which the AI SDK's clients use, need. */
export interface MessageOptions {
  settings: MessageSettings;
  /** Made in `running/app/answers/answers.ts`. */
  answer: Answer;
  guard: GuardDeps;
  /** Names the chats of apps that send their id in place of a thread's. */
  appChats: AppChats;
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
  resume: ResumeDialect;
  createEncoder(): (event: AnswerEvent) => string;
}

/** The same text for a missing site and a missing thread, so that it does not tell which of them is missing, or why. */
const NOT_FOUND =
  "Not found. Check the domain and its key. If threadId was sent: leave it out, and a new conversation begins.";

/** The operations that take a conversation and stream its next answer: one for each version. */
export function messageOperations(options: MessageOptions): Operation[] {
  const guard = siteGuard(options.guard, "messages", NOT_FOUND);
  const resumeGuard = siteGuard(options.guard, "resumes");
  const running = createRunningAnswers(options.settings, options.guard.log);
  return [
    messageOperation(options, guard, v2Message, running),
    resumeOperation(options, resumeGuard, v2Message, running),
    messageOperation(options, guard, v1Message, running),
    resumeOperation(options, resumeGuard, v1Message, running),
  ];
}

function messageOperation<Body extends { fp: string }>(
  options: MessageOptions,
  guard: Guard<Guarded>,
  dialect: MessageDialect<Body>,
  running: RunningAnswers,
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
    body: z.lazy(() =>
      takingOneMessage(dialect.schema({ messageCharacters: options.settings.message_characters })),
    ),
    example,
    replies: { 200: { description: "The parts of the answer.", contentType } },
    async run(asked) {
      Object.assign(asked.replyHeaders, dialect.notice?.(new URL(asked.request.url).pathname));
      const answering = beginAnswering(asked.request, options.streams, asked.leave);
      try {
        return await answer(options, dialect, running, asked, answering);
      } catch (error) {
        answering.onEnd();
        const isMissing = error instanceof AppError && error.code === "not_found";
        throw isMissing ? new AppError("not_found", NOT_FOUND) : error;
      }
    },
  });
}

async function answer<Body extends { fp: string }>(
  options: MessageOptions,
  dialect: MessageDialect<Body>,
  running: RunningAnswers,
  asked: Asked<Guarded, Body, never>,
  answering: Answering,
): Promise<Response> {
  const { request, requestId, site, reader, address, caller, limitHeaders } = asked;
  const { abort, onEnd } = answering;
  const asking: Asking = {
    requestId,
    site,
    address,
    keyId: caller.keyId,
    audience: reader.audience,
    readerId: reader.id,
    caller: callerOf(request),
    appChats: options.appChats,
  };
  const body = await countedBody(asked, abort.signal, ({ fp }) => fp);
  const posted = dialect.read(body);
  const events = options.answer(toAnswerRequest(posted, asking), abort.signal)[Symbol.asyncIterator]();
  // Until the first event an error is a status; from then on it is a part of the stream.
  const first = await events.next();
  if (first.done) {
    onEnd();
    return gone();
  }
  const toWire = dialect.createEncoder();
  const reply = {
    heartbeat: dialect.heartbeat,
    heartbeatMs: heartbeatMsOf(options.settings),
    headers: { ...dialect.headers, ...limitHeaders, ...idHeaders(first.value, requestId) },
  };
  const chat = chatOf(posted, asking);
  if (chat === undefined)
    return streamResponse(encodeEvents(toWire, first, events), abort, { ...reply, onEnd });
  const read = running.begin(chat, { ...answering, first: first.value, events });
  answering.whenGone(() => void read.return?.());
  // The answer gives its place back when it is over, whoever reads it then.
  const source = encodeEvents(toWire, await read.next(), read);
  return streamResponse(source, new AbortController(), { ...reply, onEnd: () => void read.return?.() });
}
