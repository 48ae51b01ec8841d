import type { Outcome } from "@docent/answering/threads/threads";
import { AppError } from "@docent/kernel/errors";
import { addressBelow } from "@docent/kernel/text/site-url";
import { hrefOf } from "@docent/reading/page/page-path";
import { cutPart, type PartQuery, readListPlace, writeListPlace } from "../analytics/list-part.ts";
import type { ConversationStore, Period, StoredConversation } from "../analytics/stores.ts";

/** The site whose readers are looked at. */
export interface AnalyzedSite {
  id: number;
  url: string | undefined;
}

const TURNS_OF_THREAD_MAX = 1000;
/** Outcomes with which a reader got what the docs say, whoever put it into words. */
const ANSWERED: ReadonlySet<Outcome> = new Set<Outcome>(["answered", "quoted", "curated"]);

/** What owners read of conversations. */
export function createConversations(store: ConversationStore) {
  return {
    /** Questions with their answers, newest first. */
    async list(site: AnalyzedSite, period: Period, { limit, cursor }: PartQuery) {
      const rows = await store.conversations(site.id, period, {
        order: "newest",
        behind: readListPlace(cursor),
        limit: limit + 1,
      });
      const { part, ...more } = cutPart(rows, limit, writeListPlace);
      return { conversations: part.map((row) => toConversation(site, row)), ...more };
    },

    /** Raises `not_found` for a thread that the site does not have. */
    async thread(site: AnalyzedSite, threadId: string) {
      const found = await store.thread(site.id, threadId, TURNS_OF_THREAD_MAX);
      if (!found) throw new AppError("not_found", "Not found");
      const messages = found.turns.flatMap(
        ({ id, questionMessageId, question, answer, askedAt, answeredAt }) => [
          { id: questionMessageId, role: "user", content: question, createdAt: time(askedAt) },
          ...(answeredAt === undefined
            ? []
            : [{ id, role: "assistant", content: answer, createdAt: time(answeredAt) }]),
        ],
      );
      return { threadId, createdAt: time(found.createdAt), messages };
    },

    /** How many questions came from pages, from programs, and from elsewhere. */
    async callerStats(site: AnalyzedSite, period: Period) {
      const { web, api, total } = await store.callers(site.id, period);
      return { web, api, other: total - web - api, total };
    },
  };
}

/** A conversation on the wire, and in an export. */
export type Conversation = ReturnType<typeof toConversation>;

export function toConversation(site: AnalyzedSite, row: StoredConversation) {
  return {
    id: row.id,
    threadId: row.threadId,
    timestamp: time(row.at),
    query: row.question,
    rewritten: row.rewritten,
    looks: row.looks,
    response: row.answer,
    responseType: "answer",
    sources: row.cited.map(({ url, title }) => ({ title: title ?? url, url })),
    resolutionStatus: isAnswered(row) ? "answered" : "unanswered",
    outcome: row.outcome ?? null,
    queryCategory: null,
    pageUrl:
      row.currentPath === undefined ? null : addressBelow(site.url ?? "", hrefOf(pageAt(row.currentPath))),
    caller: row.caller,
    responder: row.responder ?? null,
    model: row.model ?? null,
    helpful: row.helpful ?? null,
    comment: row.comment ?? null,
  };
}

/** Who stops an answer has read what there was of it. */
const isAnswered = ({ outcome, answer }: StoredConversation) =>
  outcome !== undefined && (ANSWERED.has(outcome) || (outcome === "stopped" && answer !== ""));

const pageAt = (path: string) => ({ path, anchor: "" });

const time = (at: number) => new Date(at).toISOString();
