import { AppError, toAppError } from "../errors.ts";
import { createPacer } from "../lib/event-loop.ts";
import type { Hit, SearchResult } from "../search/search.ts";
import { phrasesFor } from "../sites/phrases.ts";
import type { Site } from "../sites/sites.ts";
import type { StartedTurn } from "../threads/threads.ts";
import { withoutCitations } from "./citations/citations.ts";
import { findCurated, giveCurated } from "./curated-answer.ts";
import type { AnswerEvent, FoundPassage } from "./events.ts";
import { toSearchText } from "./follow-up/follow-up.ts";
import { replay } from "./replay.ts";
import type { AnswerDeps, AnswerRequest, OpenRequest } from "./request.ts";
import { relevanceMinOf } from "./request.ts";
import type { PastMessage } from "./responder.ts";
import { closeTurn, type OpenTurn, openTurn } from "./turn.ts";
import { decline } from "./unanswered/unanswered.ts";
import { write } from "./write/write.ts";

/** Answers questions. The turn is stored before the first event leaves, its answer before the last. */
export type Answer = (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;

export function createAnswer(common: AnswerDeps): Answer {
  // Searching and building a prompt take milliseconds, in which no other answer moves on.
  const pace = createPacer();
  return async function* answer(request, signal) {
    const deps = { ...common, log: common.log.with({ requestId: request.requestId }) };
    const startedAt = deps.clock();
    const { site, question } = request;
    await pace();
    const begun = await deps.threads.begin({
      siteId: site.id,
      threadId: request.threadId,
      takesForeignIds: site.settings.movedFromHosted,
      previousTurnId: request.previousTurnId,
      needsThread: request.posted === undefined || request.stored === "before",
      question,
    });
    const turn = openTurn(site, startedAt);
    try {
      const conversation = conversationOf(request, begun);
      const history = conversation.map(({ role, text }) => ({ role, text: withoutCitations(text) }));
      yield* answerTurn(deps, { ...request, ...begun, conversation, history }, turn, signal);
    } catch (error) {
      // A reader who has left gives no reason. A server that stops gives one, and its reader is still there.
      const cause = signal.aborted ? signal.reason : error;
      if (!signal.aborted || cause instanceof AppError)
        yield* fail(deps, request.site, begun.turnId, turn, cause);
    } finally {
      // Whoever was reading is gone: what was written so far is kept.
      if (!turn.stored) await closeTurn(deps, begun.turnId, turn, "stopped");
    }
  };
}

/** What was said before: what was posted, or is stored, or the one after the other. */
function conversationOf(
  { posted, stored }: AnswerRequest,
  { past, isNewThread }: StartedTurn,
): PastMessage[] {
  const kept = past.flatMap(asMessages);
  if (posted === undefined || (stored === "instead" && !isNewThread)) return kept;
  return stored === "before" ? [...kept, ...posted] : posted;
}

async function* answerTurn(
  deps: AnswerDeps,
  request: OpenRequest,
  turn: OpenTurn,
  signal: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const written = await findCurated(deps, request, signal);
  if (written) return yield* giveCurated(deps, request, turn, written);
  const known = await deps.cache.find(request, signal);
  if (known) yield* replay(deps, request, turn, known, signal);
  else yield* deps.cache.keep(request, turn, answerAnew(deps, request, turn, signal));
}

async function* answerAnew(
  deps: AnswerDeps,
  request: OpenRequest,
  turn: OpenTurn,
  signal: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const { site, threadId, turnId, isNewThread } = request;
  const phrases = phrasesFor(site.settings.language, site.settings.phrases);
  const query = toSearchText(request.question.text, request.conversation, request.contexts);
  const found = await retrieve(deps, request, query, turn);
  const covered = bestRelevance(found) >= relevanceMinOf(site, deps.relevanceMin);
  if (covered && deps.fallback === undefined) await deps.responder.ready(signal, site.settings.model);

  turn.started = true;
  yield { type: "start", threadId, messageId: turnId };
  yield { type: "search", callId: `search_${turnId}`, query, results: found.hits.map(toFound) };
  const written = covered
    ? yield* write(deps, request, found.hits, turn, phrases, signal)
    : yield* decline(deps, request, found.hits, turn, phrases);
  await closeTurn(deps, turnId, turn, written.outcome);
  yield { type: "finish", threadId, isNewThread, ...written };
}

async function retrieve(
  deps: AnswerDeps,
  request: OpenRequest,
  query: string,
  turn: OpenTurn,
): Promise<SearchResult> {
  const { site, question, pageSize } = request;
  const { filter, currentPath } = question;
  const startedAt = deps.clock();
  const found = await deps.search.find({ siteId: site.id, text: query, filter, pageSize, currentPath });
  turn.retrievalMs = deps.clock() - startedAt;
  turn.searched = query;
  turn.generation = found.generation;
  turn.retrieved = found.hits.map(({ passageId, path, anchor, relevance }) => ({
    passageId,
    path,
    anchor,
    relevance,
  }));
  return found;
}

const bestRelevance = ({ hits }: SearchResult) => Math.max(0, ...hits.map((hit) => hit.relevance));

async function* fail(
  deps: AnswerDeps,
  { settings }: Site,
  turnId: string,
  turn: OpenTurn,
  error: unknown,
): AsyncIterable<AnswerEvent> {
  const { code, message, cause } = toAppError(error);
  // Where the store is what failed, the reader is told all the same.
  await closeTurn(deps, turnId, turn, "failed").catch((failure) =>
    deps.log.error("a turn could not be stored", { turn: turnId, error: failure }),
  );
  turn.stored = true;
  if (!turn.started) throw error;
  const fields = { code, reason: message, cause };
  if (code === "internal") deps.log.error("an answer failed", fields);
  else deps.log.warn("an answer failed", fields);
  // What broke is of no use to a reader; what to do about it is.
  const own = phrasesFor(settings.language, settings.phrases).failed;
  yield { type: "error", code, message: code === "model_failed" || code === "internal" ? own : message };
}

const asMessages = ({ question, answer }: { question: string; answer: string }): PastMessage[] => [
  { role: "user", text: question },
  ...(answer === "" ? [] : [{ role: "assistant" as const, text: answer }]),
];

function toFound(hit: Hit): FoundPassage {
  return {
    content: hit.snippet,
    path: hit.path,
    title: hit.title,
    href: hit.href,
    score: Math.round(hit.relevance * 1000) / 1000,
  };
}
