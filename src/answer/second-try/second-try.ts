import { AppError } from "../../errors.ts";
import { SECOND_MS } from "../../lib/clock.ts";
import { reasonFields } from "../../lib/log.ts";
import { type Hit, relevanceMinOf, type SearchResult } from "../../search/search.ts";
import type { AnswerEvent } from "../events.ts";
import { isPleasantry } from "../follow-up/follow-up.ts";
import { bestRelevance, findSections } from "../retrieval.ts";
import { type OpenAnswer, start } from "../turn.ts";
import { readQuestions } from "./read-questions.ts";
import { rewriteRequest } from "./wording.ts";

export { createRewriteMemory, type RewriteMemory } from "./remember-rewrites.ts";

/**
 * Searches a second time where the first search found too little: a model writes the question in other words, in the
 * language of the docs, and each question that it writes is searched for. Returns what was found, or undefined where
 * that does not cover the question either, or no model could be asked in time. What a model writes is only searched
 * for: neither the reader nor another model sees it as the question.
 */
export async function* tryAgain(
  answer: OpenAnswer,
  query: string,
): AsyncGenerator<AnswerEvent, SearchResult | undefined> {
  const { turn, request, deps } = answer;
  turn.rewritten = yield* rewrite(answer, query);
  const relevanceMin = relevanceMinOf(request.site, deps.settings);
  const covering: SearchResult[] = [];
  for (const question of turn.rewritten) {
    const found = await findSections(answer, question);
    if (bestRelevance(found, request) >= relevanceMin) covering.push(found);
  }
  const [first] = covering;
  if (first === undefined) return undefined;
  return { ...first, hits: alternately(covering, request.pageSize) };
}

/** What the model wrote; more is not read. */
const WRITTEN_CHARACTERS_MAX = 2000;
const LETTER = /\p{L}/u;

/** The questions that a model wrote in place of one: none where it could not be asked, or wrote none in time. */
async function* rewrite(answer: OpenAnswer, query: string): AsyncGenerator<AnswerEvent, string[]> {
  const { deps, request, turn, signal } = answer;
  const { responder, settings, clock, log } = deps;
  if (responder.rewrite === undefined || settings.rewrite_seconds === 0) return [];
  if (!LETTER.test(query) || isPleasantry(query)) return [];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(settings.rewrite_seconds * SECOND_MS)]);
  const asked = rewriteRequest(request, query);
  const known = deps.rewrites.find(responder, asked);
  if (known !== undefined) return known;
  let askedAt: number | undefined;
  try {
    await responder.ready(inTime, request.site.settings.model);
    askedAt = clock();
    yield* start(answer);
    let written = "";
    for await (const event of responder.rewrite(asked, inTime)) {
      if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
      if (event.type === "text-delta") written += event.text;
      if (written.length > WRITTEN_CHARACTERS_MAX) break;
    }
    const questions = readQuestions(written, query);
    deps.rewrites.keep(responder, asked, questions);
    return questions;
  } catch (error) {
    signal.throwIfAborted();
    if (!inTime.aborted && !(error instanceof AppError)) throw error;
    const why = inTime.aborted ? { reason: "it took too long" } : reasonFields(error);
    log.info("a question was not written in other words", why);
    return [];
  } finally {
    if (askedAt !== undefined) turn.rewriteMs = clock() - askedAt;
  }
}

/** The best of each list, then the second of each, and so on; a passage that is in several counts once. */
function alternately(results: readonly SearchResult[], most: number): Hit[] {
  const ranked = results.flatMap(({ hits }) => hits.map((hit, rank) => ({ hit, rank })));
  const chosen = new Map<number, Hit>();
  for (const { hit } of ranked.toSorted((a, b) => a.rank - b.rank))
    if (chosen.size < most && !chosen.has(hit.passageId)) chosen.set(hit.passageId, hit);
  return [...chosen.values()];
}
