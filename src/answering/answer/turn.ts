import type { Phrases } from "@docent/sites/site/phrases";
import type { Site } from "@docent/sites/site/sites";
import type { TurnEnd } from "../threads/threads.ts";
import type { AnswerEnd, AnswerEvent, FoundPassage } from "./events.ts";
import type { AnswerDeps, OpenRequest } from "./request.ts";

/** An answer in progress: the question, its turn, and the parts that answer it. */
export interface OpenAnswer {
  deps: AnswerDeps;
  request: OpenRequest;
  turn: OpenTurn;
  /** Docent's own sentences in the site's wording. */
  phrases: Phrases;
  signal: AbortSignal;
}

/** The outcome of a turn, filled in as it goes. */
export interface OpenTurn extends Omit<TurnEnd, "outcome" | "totalMs"> {
  site: Site;
  startedAt: number;
  /** Whether the `start` event has left: from then on a failure is an event, not an exception. */
  started: boolean;
  stored: boolean;
}

/** Opens a turn of which only the question is known. */
export function openTurn(site: Site, startedAt: number): OpenTurn {
  return {
    site,
    startedAt,
    started: false,
    stored: false,
    answer: "",
    searched: undefined,
    rewritten: [],
    looks: [],
    retrieved: [],
    cited: [],
    generation: undefined,
    responder: undefined,
    model: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
    supportShare: undefined,
    cached: false,
    curated: undefined,
    promptTokensEstimated: undefined,
    queueMs: undefined,
    retrievalMs: undefined,
    rewriteMs: undefined,
    firstTokenMs: undefined,
  };
}

/** What was searched for, where the passages of an answer were found by it. */
export const queryOf = ({ searched = "", rewritten }: Pick<OpenTurn, "searched" | "rewritten">) =>
  rewritten.length === 0 ? searched : rewritten.join("\n");

/** The event that comes before all others, unless it has left. */
export function* start({ request: { threadId, turnId }, turn }: OpenAnswer): Iterable<AnswerEvent> {
  if (turn.started) return;
  turn.started = true;
  yield { type: "start", threadId, messageId: turnId };
}

/** The events that begin an answer: the search and its results. */
export function* begin(
  answer: OpenAnswer,
  query: string,
  results: FoundPassage[],
  corrected?: string,
): Iterable<AnswerEvent> {
  yield* start(answer);
  yield { type: "search", callId: `search_${answer.request.turnId}`, query, corrected, results };
}

/** A text event, whose text also becomes part of the stored answer. */
export function say({ deps, turn }: OpenAnswer, text: string): AnswerEvent {
  turn.firstTokenMs ??= deps.clock() - turn.startedAt;
  turn.answer += text;
  return { type: "text-delta", text };
}

/** The same, unless the text is empty. */
export function* sayAll(answer: OpenAnswer, text: string): Iterable<AnswerEvent> {
  if (text !== "") yield say(answer, text);
}

/** Stores the answer, then reports how it came about. */
export async function* finish(answer: OpenAnswer, end: AnswerEnd): AsyncIterable<AnswerEvent> {
  const { threadId, isNewThread } = answer.request;
  await closeTurn(answer, end.outcome);
  yield { type: "finish", threadId, isNewThread, ...end };
}

/** Stores the outcome of a turn. */
export async function closeTurn(
  { deps, turn, request: { turnId } }: OpenAnswer,
  outcome: TurnEnd["outcome"],
): Promise<void> {
  const { site, startedAt, started: _, stored: __, ...known } = turn;
  const totalMs = deps.clock() - startedAt;
  const end = { ...known, outcome, totalMs };
  // Reported before storing where the answer failed, because the store itself may be failing.
  if (outcome === "failed") deps.observe?.(end, site);
  await deps.threads.finish(turnId, end);
  if (outcome !== "failed") deps.observe?.(end, site);
  turn.stored = true;
  deps.log.info("a turn ended", {
    turn: turnId,
    outcome,
    responder: end.responder,
    model: end.model,
    totalMs,
  });
}
