import { AppError, toAppError } from "@docent/kernel/errors";
import { createPacer } from "@docent/kernel/lib/event-loop";
import { logFailure } from "@docent/kernel/lib/log";
import { spokenLanguageOf } from "@docent/kernel/text/language-of";
import { phrasesFor } from "@docent/sites/site/phrases";
import { wantsSignIn } from "@docent/sites/site/sites";
import type { StartedTurn } from "../threads/threads.ts";
import type { CachedAnswer } from "./cache/cache.ts";
import { withoutCitations } from "./citations/citations.ts";
import { courtesyFor, giveCourtesy } from "./courtesy.ts";
import { findCurated, giveCurated } from "./curated-answer.ts";
import type { AnswerEvent } from "./events.ts";
import { toSearch } from "./follow-up/follow-up.ts";
import type { AnswerDeps, AnswerRequest } from "./request.ts";
import type { PastMessage } from "./responder.ts";
import { toFound } from "./retrieval.ts";
import { seek } from "./seek.ts";
import { begin, closeTurn, finish, type OpenAnswer, openTurn, queryOf, say } from "./turn.ts";
import { decline } from "./unanswered/unanswered.ts";
import { write } from "./write/write.ts";

export { createExtractiveResponder } from "./quoting/quoting.ts";
export type { AnswerDeps, AnswerRequest, ObserveTurn } from "./request.ts";

/** Answers questions. The turn is stored before the first event leaves, its answer before the last. */
export type Answer = (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;

/**
 * Answers a question in these steps: the question is stored in its thread; an existing answer is given
 * (`curated-answer.ts`, `cache/`); otherwise a follow-up is completed (`follow-up/`), what answers is sought (`seek.ts`), as
 * asked and in the words of the docs (`rewriting/`), and the answer is written from it (`write/`) or declined (`unanswered/`).
 * The text comes from a responder (`responder.ts`): a model with a prompt (`prompt/`), or quotes (`quoting/`).
 * It leaves with links (`citations/`, `support/`), and the turn's outcome is stored (`turn.ts`).
 */
export function createAnswer(common: AnswerDeps): Answer {
  // Searching and building a prompt block other answers for milliseconds, so questions start one at a time.
  const paceStarts = createPacer();
  return async function* answer(request, signal) {
    const deps = { ...common, log: common.log.with({ requestId: request.requestId }) };
    const startedAt = deps.clock();
    const open = await openAnswer(deps, request, startedAt, signal);
    try {
      await paceStarts();
      yield* answerTurn(open);
    } catch (error) {
      // An abort without a reason means that the reader left. A server that stops gives one, and its reader
      // is still there.
      const cause = signal.aborted ? signal.reason : error;
      if (!signal.aborted || cause instanceof AppError) yield* fail(open, cause);
    } finally {
      // The reader has left: keep what was written so far.
      if (!open.turn.stored) await closeTurn(open, "stopped");
    }
  };
}

/** Stores the question in its thread, and reads the conversation before it. */
async function openAnswer(
  deps: AnswerDeps,
  request: AnswerRequest,
  startedAt: number,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const { site, question } = request;
  const begun = await deps.threads.begin({
    siteId: site.id,
    threadId: request.threadId,
    takesForeignIds: site.settings.movedFromHosted,
    adoptsThreads: wantsSignIn(site),
    previousTurnId: request.previousTurnId,
    chat: request.chat,
    needsThread: request.posted === undefined || request.stored === "before",
    question,
  });
  const conversation = conversationOf(request, begun);
  const history = conversation.map(({ role, text }) => ({ role, text: withoutCitations(text) }));
  return {
    deps,
    request: { ...request, ...begun, conversation, history },
    turn: openTurn(site, startedAt),
    phrases: phrasesFor(spokenLanguageOf(question.text) ?? site.settings.language, site.settings.phrases),
    signal,
  };
}

/** Gives an existing answer, curated or cached; otherwise writes a new one and caches it. */
async function* answerTurn(answer: OpenAnswer): AsyncIterable<AnswerEvent> {
  const { deps, request, turn, signal } = answer;
  const curated = await findCurated(answer);
  if (curated) return yield* giveCurated(answer, curated);
  const { question, contexts, images, site } = request;
  const courtesy =
    contexts.length + images.length > 0 ? undefined : courtesyFor(question.text, site.settings.language);
  if (courtesy !== undefined) return yield* giveCourtesy(answer, courtesy);
  const known = await deps.cache.find(request, signal);
  if (known) yield* giveCached(answer, known);
  else yield* deps.cache.keep(request, turn, answerAnew(answer));
}

/**
 * Searches, then has the answer written from the results, or declines where they have nothing to do with the question.
 */
async function* answerAnew(answer: OpenAnswer): AsyncIterable<AnswerEvent> {
  const { deps, request, signal } = answer;
  const { site, question, conversation, contexts } = request;
  const wanted = toSearch(question.text, conversation, contexts);
  const { hits, grade, ...found } = yield* seek(answer, wanted);
  if (grade !== "none" && deps.fallback === undefined)
    await deps.responder.ready(signal, site.settings.model);
  const shown = hits.slice(0, request.pageSize).map(toFound);
  yield* begin(answer, found.query, shown, found.corrected);
  const end = grade === "none" ? yield* decline(answer, hits) : yield* write(answer, hits, grade);
  yield* finish(answer, end);
}

/** Repeats an answer in the pieces in which it was written, without their delays. */
async function* giveCached(answer: OpenAnswer, known: CachedAnswer): AsyncIterable<AnswerEvent> {
  const { deps, turn, signal } = answer;
  const { query: searched, corrected, rewritten, found, written, model, generation } = known;
  const { looks, retrieved, cited, supportShare, followUps } = known;
  const responder = deps.responder.name;
  const usage = { promptTokens: 0, completionTokens: 0 };
  Object.assign(turn, { searched, rewritten, looks, generation, retrieved, cited, supportShare });
  Object.assign(turn, { responder, model, cached: true, ...usage });
  yield* begin(answer, queryOf(turn), found, corrected);
  for (const [index, piece] of written.entries()) {
    signal.throwIfAborted();
    if (typeof piece === "string") yield say(answer, piece);
    else yield replay(piece, `look_${answer.request.turnId}_${index}`);
  }
  yield* finish(answer, {
    outcome: "answered",
    finishReason: "stop",
    responder,
    model,
    cached: true,
    usage,
    followUps,
  });
}

/** A cached piece that is no text, as its reader saw it. */
function replay(piece: Exclude<CachedAnswer["written"][number], string>, callId: string): AnswerEvent {
  if ("search" in piece) return { type: "search", callId, query: piece.search, results: piece.results };
  if (!("read" in piece)) return { type: "source", source: piece };
  return { type: "read", callId, path: piece.read, heading: piece.heading, results: piece.results };
}

/** Reports a failure: to the reader where the answer has begun, otherwise to the caller. */
async function* fail(answer: OpenAnswer, error: unknown): AsyncIterable<AnswerEvent> {
  const { deps, request, turn, phrases } = answer;
  const { code, message, cause } = toAppError(error);
  // The reader must hear of it even where the store is what failed.
  await closeTurn(answer, "failed").catch((failure) =>
    logFailure(deps.log, "a turn could not be stored", failure, { turn: request.turnId }),
  );
  turn.stored = true;
  if (!turn.started) throw error;
  const fields = { code, reason: message, cause };
  if (code === "internal") deps.log.error("an answer failed", fields);
  else deps.log.warn("an answer failed", fields);
  // Readers are told what to do, not what broke.
  const isOurs = code === "model_failed" || code === "internal";
  yield { type: "error", code, message: isOurs ? phrases.failed : message };
}

/** The conversation before the question: as posted, as stored, or the posted part after the stored one. */
function conversationOf(
  { posted, stored }: AnswerRequest,
  { past, isNewThread }: StartedTurn,
): PastMessage[] {
  const kept = past.flatMap(asMessages);
  if (posted === undefined || (stored === "instead" && !isNewThread)) return kept;
  return stored === "before" ? [...kept, ...posted] : posted;
}

const asMessages = ({ question, answer }: { question: string; answer: string }): PastMessage[] => [
  { role: "user", text: question },
  ...(answer === "" ? [] : [{ role: "assistant" as const, text: answer }]),
];
