import type { Answer } from "@docent/answering/answer/answer";
import { AppError } from "@docent/kernel/errors";
import type { Admin } from "@docent/people/keys/admin-keys";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { type GuardDeps, overLimit, siteCharges } from "../guard/guard.ts";
import type { MessageSettings } from "../messages/messages.ts";
import { toAnswerRequest } from "../messages/question.ts";
import { readV2, v2Message, v2MessageSchema } from "../messages/v2.ts";
import type { Operation } from "../operation.ts";
import { type Answering, beginAnswering, encodeEvents, gone, idHeaders } from "../streaming/answering.ts";
import { heartbeatMsOf, streamResponse } from "../streaming/stream-response.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { readerGroups } from "./readers/readers.ts";

const TOO_MANY = "Too many questions. Please try again later.";

/** What answers owners who try their site: the same as readers get, but nothing of it is stored. */
export interface Trial {
  settings: MessageSettings;
  /** Stores no turn, and answers nothing from the cache. */
  answer: Answer;
  guard: Pick<GuardDeps, "limits" | "concurrency" | "meters">;
}

/** Asks as a reader would: of the question nothing is kept, and no report counts it. */
export function tryOperations(
  { trial, streams, models }: Pick<AdminOptions, "trial" | "streams" | "models">,
  guards: AdminGuards,
): Operation[] {
  const schema = z.lazy(() =>
    v2MessageSchema({ messageCharacters: trial.settings.message_characters })
      .extend({
        /** One that a site may choose. Without it, the site's. */
        model: z.string().max(200).nullish(),
        /** Answers as a reader in these groups is answered. Without them: from all pages. */
        groups: readerGroups,
      })
      .meta({ id: "TriedMessage" }),
  );
  return [
    adminOperation({
      id: "trySite",
      method: "POST",
      path: "/v1/admin/sites/:domain/try",
      tag: "Admin: settings",
      guard: guards.reads,
      summary: "Ask a site as its readers would, without leaving a trace",
      description:
        "The body and the stream are those of the v2 message operation. The whole conversation is sent each time, because nothing of it is kept; it counts to the site's and the organization's messages.",
      example: {
        fp: "playground",
        messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "How do I install it?" }] }],
      },
      replies: { 200: { description: "The parts of the answer.", contentType: "text/event-stream" } },
      errors: ["rate_limited"],
      body: schema,
      async run({ admin, site, body, request, requestId }) {
        const asked = site();
        const leave = await enter(trial, admin, asked);
        const answering = beginAnswering(request, streams, leave);
        try {
          const { model, groups, ...posted } = await body();
          await checkWanted(models, model, answering.abort.signal);
          const tried = model ? { ...asked, settings: { ...asked.settings, model } } : asked;
          const question = toAnswerRequest(readV2({ ...posted, threadId: undefined }), {
            site: tried,
            requestId,
            keyId: "",
            audience: groups ?? "everything",
            readerId: undefined,
            caller: "web",
            address: admin.id,
          });
          return await stream(trial, { ...question, posted: question.posted ?? [] }, answering);
        } catch (error) {
          answering.onEnd();
          throw error;
        }
      },
    }),
  ];
}

/** A member asks as one address does: so many at the same time, and what it asks counts as a reader's messages do. */
async function enter({ guard }: Trial, { kind, id }: Admin, site: Site): Promise<() => void> {
  const subject = `${kind} ${id}`;
  const leave = await guard.concurrency.enterEverywhere(subject);
  if (!leave) throw overLimit(1, TOO_MANY);
  try {
    const { organization, address } = guard.meters.messages;
    const standing = await guard.limits.take([
      { meter: organization, subject: site.organizationId },
      ...siteCharges(guard.meters.messages, site),
      ...address.map((meter) => ({ meter, subject })),
    ]);
    if (!standing.allowed) throw overLimit(standing.resetSeconds, TOO_MANY);
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

async function checkWanted(
  models: AdminOptions["models"],
  wanted: string | null | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!wanted || (await models.mayChoose(wanted, signal))) return;
  const message = `The servers do not offer the model ${wanted}.`;
  throw new AppError("invalid_request", `model: ${message}`, { details: [{ path: "model", message }] });
}

async function stream(
  { answer, settings }: Trial,
  question: Parameters<Answer>[0],
  { abort, onEnd }: Answering,
): Promise<Response> {
  const events = answer(question, abort.signal)[Symbol.asyncIterator]();
  const first = await events.next();
  if (first.done) {
    onEnd();
    return gone();
  }
  return streamResponse(encodeEvents(v2Message.createEncoder(), first, events), abort, {
    heartbeat: v2Message.heartbeat,
    heartbeatMs: heartbeatMsOf(settings),
    onEnd,
    headers: { ...v2Message.headers, ...idHeaders(first.value, question.requestId) },
  });
}
