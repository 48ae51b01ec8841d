import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { type Asked, type Guard, type Operation, operation } from "../operation.ts";
import { encodeEvents, idHeaders } from "../streaming/answering.ts";
import { heartbeatMsOf, streamResponse } from "../streaming/stream-response.ts";
import type { MessageDialect, MessageOptions } from "./messages.ts";
import { storedFp } from "./question.ts";
import type { RunningAnswers } from "./running-answers.ts";

/** How the clients of one version ask for the answer that is being written in their chat. */
export interface ResumeDialect extends Pick<Operation, "id" | "path" | "summary" | "deprecated"> {
  /** Where the chat's id stands. */
  chatId: "path" | "query";
}

const fp = z.string().min(1).optional();
const ofPath = z.object({ fp });
/** In a chat that is not named, nothing is being written. */
const ofQuery = z.object({ chatId: z.string().default(""), fp });

type ResumeQuery = z.infer<typeof ofPath> | z.infer<typeof ofQuery>;

/** The operation by which a page that was loaded again goes on with the answer that it was reading. */
export function resumeOperation<Body>(
  options: MessageOptions,
  guard: Guard<Guarded>,
  dialect: MessageDialect<Body>,
  running: RunningAnswers,
): Operation {
  const { id, path, summary, deprecated, chatId } = dialect.resume;
  return operation<Guarded, never, ResumeQuery>({
    id,
    method: "GET",
    path,
    tag: "Assistant",
    guard,
    isInDiscovery: true,
    summary,
    description:
      "The answer that is being written in a chat, from its start. A chat that asks so when its page is loaded keeps its answers for `resume_seconds` when its reader has left. `fp` is the one that the question was sent with, if the app adds it.",
    ...(deprecated ? { deprecated } : {}),
    query: chatId === "path" ? ofPath : ofQuery,
    replies: {
      200: { description: "The parts of the answer.", contentType: dialect.contentType },
      204: { description: "No answer is being written in that chat, for this reader and on this server." },
    },
    async run(asked) {
      Object.assign(asked.replyHeaders, dialect.notice?.(new URL(asked.request.url).pathname));
      try {
        return await takeUp(options, dialect, running, asked);
      } catch (error) {
        asked.leave();
        throw error;
      }
    },
  });
}

async function takeUp<Body>(
  { settings }: MessageOptions,
  dialect: MessageDialect<Body>,
  running: RunningAnswers,
  {
    request,
    requestId,
    param,
    query,
    site,
    reader,
    address,
    caller,
    limitHeaders,
    leave,
  }: Asked<Guarded, never, ResumeQuery>,
): Promise<Response> {
  const sent = query();
  // A reply without a body has nobody who reads it, and who leaves.
  const events =
    request.method === "HEAD"
      ? undefined
      : running.takeUp({
          chatId: "chatId" in sent ? sent.chatId : param("chat"),
          siteId: site.id,
          keyId: caller.keyId,
          readerId: reader.id,
          audience: reader.audience,
          fp: sent.fp === undefined ? undefined : storedFp(sent.fp),
          address,
        });
  if (events === undefined) {
    leave();
    return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  }
  request.signal.addEventListener("abort", () => void events.return?.(), { once: true });
  const first = await events.next();
  return streamResponse(encodeEvents(dialect.createEncoder(), first, events), new AbortController(), {
    heartbeat: dialect.heartbeat,
    heartbeatMs: heartbeatMsOf(settings),
    headers: { ...dialect.headers, ...limitHeaders, ...idHeaders(first.value, requestId) },
    onEnd() {
      leave();
      void events.return?.();
    },
  });
}
