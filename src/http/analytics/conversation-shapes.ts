import { z } from "zod";
import type { createConversationList } from "../../analytics/conversations/list.ts";
import { PAGE_STATES } from "../../analytics/conversations/turn-store.ts";
import type { ShownTurn } from "../../analytics/conversations/turns.ts";
import type { ShownEvaluationQuestion } from "../../analytics/evaluation.ts";
import type { createOverview } from "../../analytics/overview/overview.ts";
import { CALLERS, OUTCOMES } from "../../threads/threads.ts";
import { moment } from "../admin/shapes.ts";

// What the dashboard shows of conversations. Each is held to what the code gives: by its type here, and by real replies in
// a test.

export const outcomeShape = z.enum(OUTCOMES).meta({ id: "Outcome" });
export const callerShape = z.enum(CALLERS).meta({ id: "Caller" });

const outcome = outcomeShape.nullable();
const share = z.number().min(0).max(1).nullable();

const period = z.object({ dateFrom: moment, dateTo: moment }).meta({ id: "Period" });
const outcomes = z
  .object({
    answered: z.int(),
    unanswered: z.int(),
    quoted: z.int(),
    curated: z.int(),
    failed: z.int(),
    stopped: z.int(),
  })
  .meta({ id: "OutcomeCounts" });
const wait = z.object({ medianMs: z.number(), p95Ms: z.number() }).meta({ id: "Wait" }).nullable();
const numbers = z
  .object({
    questions: z.int(),
    outcomes,
    answeredShare: share,
    readers: z.int(),
    ratings: z.object({ helpful: z.int(), rated: z.int(), share }).meta({ id: "Ratings" }),
    waits: z.object({ queue: wait, firstToken: wait, total: wait }).meta({ id: "Waits" }),
    cachedShare: share,
    searches: z.int(),
  })
  .meta({ id: "PeriodNumbers" });
const pageCounts = z.array(
  z.object({ path: z.string(), title: z.string().nullable(), count: z.int() }).meta({ id: "PageCount" }),
);
const overviewFields = z.object({
  timeZone: z.string(),
  period,
  periodBefore: period,
  days: z.array(z.object({ date: z.iso.date(), questions: z.int(), outcomes }).meta({ id: "Day" })),
  numbers,
  numbersBefore: numbers,
  pages: z
    .object({
      cited: pageCounts,
      askedOn: pageCounts,
      questionsCounted: z.int(),
      isAll: z.boolean(),
    })
    .meta({ id: "PageCounts" }),
});
export const overviewShape = overviewFields.meta({ id: "Overview" });

const listedShape = z
  .object({
    id: z.string(),
    askedAt: moment,
    question: z.string(),
    answer: z.string(),
    outcome,
    caller: callerShape,
    currentPath: z.string().nullable(),
    responder: z.string().nullable(),
    model: z.string().nullable(),
    curated: z.string().nullable(),
    cached: z.boolean(),
    totalMs: z.number().nullable(),
    helpful: z.boolean().nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: "ListedTurn" });
const turnListFields = z.object({
  conversations: z.array(listedShape),
  nextCursor: z.string().nullable(),
  hasMore: z.boolean(),
  lookedBackTo: moment.nullable(),
});
export const conversationListShape = turnListFields.meta({ id: "TurnList" });

const labels = { version: z.string(), language: z.string() };
const passageShape = z
  .object({
    path: z.string(),
    anchor: z.string(),
    href: z.string(),
    relevance: z.number(),
    citedUrl: z.string().nullable(),
    page: z.enum(PAGE_STATES),
    content: z
      .object({ title: z.string(), headingPath: z.array(z.string()), ...labels, text: z.string() })
      .meta({ id: "PassageContent" })
      .nullable(),
  })
  .meta({ id: "RetrievedPassage" });
const turnFields = z.object({
  id: z.string(),
  askedAt: moment,
  finishedAt: moment.nullable(),
  replacedAt: moment.nullable(),
  reader: z.string(),
  caller: callerShape,
  currentPath: z.string().nullable(),
  filter: z
    .object({
      version: z.string().nullable(),
      language: z.string().nullable(),
      tag: z.string().nullable(),
      groups: z.array(z.string()),
    })
    .meta({ id: "TurnFilter" }),
  question: z.string(),
  searched: z.string().nullable(),
  answer: z.string(),
  outcome,
  generation: z.int().nullable(),
  responder: z.string().nullable(),
  model: z.string().nullable(),
  promptTokens: z.int().nullable(),
  promptTokensEstimated: z.int().nullable(),
  completionTokens: z.int().nullable(),
  supportShare: share,
  cached: z.boolean(),
  curated: z.string().nullable(),
  timings: z
    .object({
      queueMs: z.number().nullable(),
      retrievalMs: z.number().nullable(),
      firstTokenMs: z.number().nullable(),
      totalMs: z.number().nullable(),
    })
    .meta({ id: "Timings" }),
  helpful: z.boolean().nullable(),
  comment: z.string().nullable(),
  passages: z.array(passageShape),
  otherCitations: z.array(z.string()),
  thread: z.array(
    z.object({ id: z.string(), askedAt: moment, question: z.string(), outcome }).meta({ id: "ThreadTurn" }),
  ),
  drafts: z
    .object({
      answer: z
        .object({
          name: z.string(),
          questions: z.array(z.string()),
          markdown: z.string(),
          ...labels,
        })
        .meta({ id: "DraftAnswer" }),
      evaluation: z
        .object({ question: z.string(), expected: z.array(z.string()), ...labels })
        .meta({ id: "DraftEvaluationQuestion" }),
    })
    .meta({ id: "Drafts" }),
});
export const turnShape = turnFields.meta({ id: "Turn" });

const evaluationQuestionFields = z.object({
  id: z.string(),
  messageId: z.string().nullable(),
  question: z.string(),
  expected: z.array(z.string()),
  subset: z.string(),
  ...labels,
  addedAt: moment,
});
export const evaluationQuestionShape = evaluationQuestionFields.meta({ id: "EvaluationQuestion" });

// What the code gives has to fit: where it changes, this does not compile.
overviewFields satisfies z.ZodType<Awaited<ReturnType<ReturnType<typeof createOverview>>>>;
turnListFields satisfies z.ZodType<Awaited<ReturnType<ReturnType<typeof createConversationList>>>>;
turnFields satisfies z.ZodType<ShownTurn>;
evaluationQuestionFields satisfies z.ZodType<ShownEvaluationQuestion>;
