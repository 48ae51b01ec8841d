import { AppError } from "@docent/kernel/errors";
import { isoTime } from "@docent/kernel/lib/iso-time";
import { hrefOf } from "@docent/reading/page/page-path";
import type { RetrievedDetail, TurnDetail, TurnStore } from "../analytics/stores.ts";
import { draftAnswer, draftEvaluation } from "./drafts.ts";

/** What owners read of a single turn. */
export function createTurns(store: TurnStore) {
  /** Raises `not_found` where the site has no such turn. */
  async function get(siteId: number, turnId: string): Promise<TurnDetail> {
    return (await store.turn(siteId, turnId)) ?? notFound();
  }

  return {
    get,
    show: async (siteId: number, turnId: string) => toJson(await get(siteId, turnId)),
    /** Raises `not_found` where the site has no such turn. */
    threadOf: async (siteId: number, turnId: string) => (await store.threadOf(siteId, turnId)) ?? notFound(),
  };
}

export type Turns = ReturnType<typeof createTurns>;

function notFound(): never {
  throw new AppError("not_found", "Not found");
}

/** Without the thread's id, which opens the conversation to whoever has it. */
function toJson(turn: TurnDetail) {
  const {
    at,
    finishedAt,
    replacedAt,
    filter,
    retrieved,
    thread,
    threadId: _,
    otherCitedUrls,
    ...rest
  } = turn;
  return {
    id: rest.id,
    askedAt: new Date(at).toISOString(),
    finishedAt: isoTime(finishedAt),
    replacedAt: isoTime(replacedAt),
    reader: rest.fp,
    caller: rest.caller,
    currentPath: rest.currentPath ?? null,
    filter: {
      version: filter?.version ?? null,
      language: filter?.language ?? null,
      tag: filter?.tag ?? null,
      groups: [...(filter?.groups ?? [])],
    },
    question: rest.question,
    searched: rest.searched ?? null,
    rewritten: rest.rewritten,
    looks: rest.looks,
    answer: rest.answer,
    outcome: rest.outcome ?? null,
    generation: rest.generation ?? null,
    responder: rest.responder ?? null,
    model: rest.model ?? null,
    promptTokens: rest.promptTokens ?? null,
    promptTokensEstimated: rest.promptTokensEstimated ?? null,
    completionTokens: rest.completionTokens ?? null,
    cached: rest.cached,
    curated: rest.curated ?? null,
    timings: {
      queueMs: rest.queueMs ?? null,
      retrievalMs: rest.retrievalMs ?? null,
      rewriteMs: rest.rewriteMs ?? null,
      firstTokenMs: rest.firstTokenMs ?? null,
      totalMs: rest.totalMs ?? null,
    },
    helpful: rest.helpful ?? null,
    comment: rest.comment ?? null,
    passages: retrieved.map(passageJson),
    otherCitations: otherCitedUrls,
    thread: thread.map(({ at: askedAt, outcome, ...other }) => ({
      ...other,
      askedAt: new Date(askedAt).toISOString(),
      outcome: outcome ?? null,
    })),
    drafts: { answer: draftAnswer(turn), evaluation: draftEvaluation(turn) },
  };
}

export type ShownTurn = ReturnType<typeof toJson>;

function passageJson({ path, anchor, relevance, citedUrl, page, content }: RetrievedDetail) {
  return {
    path,
    anchor,
    href: hrefOf({ path, anchor }),
    relevance: Math.round(relevance * 1000) / 1000,
    citedUrl: citedUrl ?? null,
    page,
    content: content ?? null,
  };
}
