import type { ObserveTurn } from "@docent/answering/answer/answer";
import type { TurnEnd } from "@docent/answering/threads/threads";
import { type Grade, gradeOf, type RelevanceSettings, relevanceMinOf } from "@docent/finding/search/search";
import type { Metrics } from "@docent/kernel/lib/metrics";

/** Buckets from a cached answer to one whose model has to be loaded first. */
const ANSWER_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const RETRIEVAL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const DECISIONS: Readonly<Record<Grade, string>> = {
  answers: "passed",
  touches: "touched",
  none: "declined",
};

/** Measures turns as they end. Keeps counts and durations, never what was asked or answered. */
export function measureTurns(metrics: Metrics, settings: RelevanceSettings): ObserveTurn {
  const { turns, duration, firstText, retrieval, queue, tokens, gate, cacheHits } = turnMeasures(metrics);
  return (end, site) => {
    const writer = writerOf(end);
    turns.add({ site: site.domain, outcome: end.outcome });
    duration.observe({ writer }, end.totalMs / 1000);
    if (end.firstTokenMs !== undefined) firstText.observe({ writer }, end.firstTokenMs / 1000);
    if (end.queueMs !== undefined) queue.observe({}, end.queueMs / 1000);
    if (end.cached) cacheHits.add({});
    if (end.retrievalMs !== undefined) {
      retrieval.observe({}, end.retrievalMs / 1000);
      const least = relevanceMinOf(site, settings);
      const best = Math.max(0, ...end.retrieved.map(({ relevance }) => relevance));
      gate.add({ decision: DECISIONS[gradeOf(best, least)] });
    }
    if (end.model === undefined || end.cached) return;
    tokens.add({ model: end.model, kind: "prompt" }, end.promptTokens ?? 0);
    tokens.add({ model: end.model, kind: "completion" }, end.completionTokens ?? 0);
  };
}

function turnMeasures(metrics: Metrics) {
  return {
    turns: metrics.counter({
      name: "docent_turns_total",
      help: "Questions that were dealt with, by site and by what became of them.",
      labels: ["site", "outcome"],
    }),
    duration: metrics.histogram({
      name: "docent_turn_duration_seconds",
      help: "From a question to the end of its answer.",
      labels: ["writer"],
      buckets: ANSWER_SECONDS,
    }),
    firstText: metrics.histogram({
      name: "docent_turn_first_text_seconds",
      help: "From a question to the first text of its answer.",
      labels: ["writer"],
      buckets: ANSWER_SECONDS,
    }),
    retrieval: metrics.histogram({
      name: "docent_turn_retrieval_seconds",
      help: "How long the search for a question's passages took.",
      buckets: RETRIEVAL_SECONDS,
    }),
    queue: metrics.histogram({
      name: "docent_model_queue_seconds",
      help: "How long questions that a model answered had waited for it.",
      buckets: ANSWER_SECONDS,
    }),
    tokens: metrics.counter({
      name: "docent_model_tokens_total",
      help: "Tokens that models read (prompt) and wrote (completion).",
      labels: ["model", "kind"],
    }),
    gate: metrics.counter({
      name: "docent_relevance_gate_total",
      help: "Searches for questions, by whether what they found was relevant enough to answer from.",
      labels: ["decision"],
    }),
    cacheHits: metrics.counter({
      name: "docent_answer_cache_hits_total",
      help: "Answers that were given once more, without a model.",
    }),
  };
}

function writerOf({ curated, cached, responder }: TurnEnd): string {
  if (curated !== undefined) return "people";
  return cached ? "cache" : (responder ?? "none");
}
