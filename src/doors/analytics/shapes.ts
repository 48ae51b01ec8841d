import { CALLERS, LOOK_TOOLS, OUTCOMES } from "@docent/answering/threads/threads";
import type {
  Analytics,
  Conversation,
  ShownEvaluationQuestion,
  ShownTurn,
} from "@docent/measuring/analytics";
import { PAGE_STATES } from "@docent/measuring/analytics/stores";
import type { gapJson, gapQuestionJson } from "@docent/measuring/gaps/gaps";
import { GAP_REASONS, GAP_STATES } from "@docent/measuring/gaps/stores";
import { z } from "zod";
import { moment } from "../session/shapes.ts";

// The replies of analytics. Each is held to what the code gives: by its type here, and by real replies in a test.

const outcomeShape = z.enum(OUTCOMES).meta({ id: "Outcome" });
export const callerShape = z.enum(CALLERS).meta({ id: "Caller" });

const modelLookShape = z.lazy(() =>
  z.object({ tool: z.enum(LOOK_TOOLS), asked: z.string(), found: z.int() }).meta({ id: "ModelLook" }),
);

const outcome = outcomeShape.nullable();
const share = z.number().min(0).max(1).nullable();

const period = z.lazy(() => z.object({ dateFrom: moment, dateTo: moment }).meta({ id: "Period" }));
const outcomes = z.lazy(() =>
  z
    .object({
      answered: z.int(),
      unanswered: z.int(),
      quoted: z.int(),
      touched: z.int(),
      curated: z.int(),
      failed: z.int(),
      stopped: z.int(),
    })
    .meta({ id: "OutcomeCounts" }),
);
const wait = z.lazy(() =>
  z.object({ medianMs: z.number(), p95Ms: z.number() }).meta({ id: "Wait" }).nullable(),
);
const numbers = z.lazy(() =>
  z
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
    .meta({ id: "PeriodNumbers" }),
);
const pageCounts = z.lazy(() =>
  z.array(
    z.object({ path: z.string(), title: z.string().nullable(), count: z.int() }).meta({ id: "PageCount" }),
  ),
);
export const overviewShape = z.lazy(() =>
  z
    .object({
      timeZone: z.string(),
      period,
      periodBefore: period,
      days: z.array(z.object({ date: z.iso.date(), questions: z.int(), outcomes }).meta({ id: "Day" })),
      numbers,
      numbersBefore: numbers,
      pages: z
        .object({ cited: pageCounts, askedOn: pageCounts, questionsCounted: z.int(), isAll: z.boolean() })
        .meta({ id: "PageCounts" }),
    })
    .meta({ id: "Overview" }),
) satisfies z.ZodType<Awaited<ReturnType<Analytics["overview"]>>>;

const listedShape = z.lazy(() =>
  z
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
    .meta({ id: "ListedTurn" }),
);
export const conversationListShape = z.lazy(() =>
  z
    .object({
      conversations: z.array(listedShape),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
      lookedBackTo: moment.nullable(),
    })
    .meta({ id: "TurnList" }),
) satisfies z.ZodType<Awaited<ReturnType<Analytics["conversationList"]>>>;

const labels = { version: z.string(), language: z.string() };
const passageShape = z.lazy(() =>
  z
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
    .meta({ id: "RetrievedPassage" }),
);
const drafts = z.lazy(() =>
  z
    .object({
      answer: z
        .object({ name: z.string(), questions: z.array(z.string()), markdown: z.string(), ...labels })
        .meta({ id: "DraftAnswer" }),
      evaluation: z
        .object({ question: z.string(), expected: z.array(z.string()), ...labels })
        .meta({ id: "DraftEvaluationQuestion" }),
    })
    .meta({ id: "Drafts" }),
);
export const turnShape = z.lazy(() =>
  z
    .object({
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
      rewritten: z.array(z.string()),
      looks: z.array(modelLookShape),
      answer: z.string(),
      outcome,
      generation: z.int().nullable(),
      responder: z.string().nullable(),
      model: z.string().nullable(),
      promptTokens: z.int().nullable(),
      promptTokensEstimated: z.int().nullable(),
      completionTokens: z.int().nullable(),
      cached: z.boolean(),
      curated: z.string().nullable(),
      timings: z
        .object({
          queueMs: z.number().nullable(),
          retrievalMs: z.number().nullable(),
          rewriteMs: z.number().nullable(),
          firstTokenMs: z.number().nullable(),
          totalMs: z.number().nullable(),
        })
        .meta({ id: "Timings" }),
      helpful: z.boolean().nullable(),
      comment: z.string().nullable(),
      passages: z.array(passageShape),
      otherCitations: z.array(z.string()),
      thread: z.array(
        z
          .object({ id: z.string(), askedAt: moment, question: z.string(), outcome })
          .meta({ id: "ThreadTurn" }),
      ),
      drafts,
    })
    .meta({ id: "Turn" }),
) satisfies z.ZodType<ShownTurn>;

const evaluationQuestionFields = () =>
  z.object({
    id: z.string(),
    messageId: z.string().nullable(),
    question: z.string(),
    expected: z.array(z.string()),
    subset: z.string(),
    ...labels,
    addedAt: moment,
  });
export const evaluationQuestionShape = z.lazy(() =>
  evaluationQuestionFields().meta({ id: "EvaluationQuestion" }),
);

const more = { nextCursor: z.string().nullable(), hasMore: z.boolean() };

export const conversationShape = z.lazy(() =>
  z.object({
    id: z.string(),
    threadId: z.string(),
    timestamp: moment,
    query: z.string(),
    rewritten: z.array(z.string()),
    looks: z.array(modelLookShape),
    response: z.string(),
    responseType: z.string(),
    sources: z.array(z.object({ title: z.string(), url: z.string() }).meta({ id: "CitedPage" })),
    resolutionStatus: z.enum(["answered", "unanswered"]),
    outcome: outcomeShape.nullable(),
    queryCategory: z.null(),
    pageUrl: z.string().nullable(),
    caller: callerShape,
    responder: z.string().nullable(),
    model: z.string().nullable(),
    helpful: z.boolean().nullable(),
    comment: z.string().nullable(),
  }),
);
export const conversationsShape = z.lazy(() =>
  z
    .object({ conversations: z.array(conversationShape.meta({ id: "Conversation" })), ...more })
    .meta({ id: "ConversationList" }),
);
export const threadShape = z.lazy(() =>
  z
    .object({
      threadId: z.string(),
      createdAt: moment,
      messages: z.array(
        z
          .object({
            id: z.string(),
            role: z.enum(["user", "assistant"]),
            content: z.string(),
            createdAt: moment,
          })
          .meta({ id: "ThreadMessage" }),
      ),
    })
    .meta({ id: "Thread" }),
);
export const callersShape = z.lazy(() =>
  z.object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() }).meta({ id: "CallerCounts" }),
);
export const searchesShape = z.lazy(() =>
  z
    .object({
      searches: z.array(
        z
          .object({
            searchQuery: z.string(),
            hits: z.int(),
            results: z.int(),
            /** Clicks divided by searches; null where the site never sent a click. */
            ctr: z.number().nullable(),
            topClickedPage: z.string().nullable(),
            lastSearchedAt: moment,
          })
          .meta({ id: "SearchCount" }),
      ),
      totalSearches: z.int(),
      ...more,
    })
    .meta({ id: "SearchCountList" }),
);
export const feedbackShape = z.lazy(() =>
  z
    .object({
      feedback: z.array(
        z
          .object({
            id: z.string(),
            path: z.string().nullable(),
            query: z.string(),
            comment: z.string().nullable(),
            createdAt: moment,
            source: z.enum(["thumbs_only", "contextual"]),
            status: z.literal("pending"),
            helpful: z.boolean(),
          })
          .meta({ id: "Feedback" }),
      ),
      ...more,
    })
    .meta({ id: "FeedbackList" }),
);

/** The reasons why the docs did not answer. */
const gapReason = z.enum(GAP_REASONS).meta({ id: "GapReason" });
/** What became of a gap. */
export const gapStateShape = z.enum(GAP_STATES).meta({ id: "GapState" });
const gapFields = () =>
  z.object({
    id: z.string(),
    question: z.string(),
    examples: z.array(z.string()),
    count: z.int(),
    countSince: z.int(),
    firstAskedAt: moment.nullable(),
    lastAskedAt: moment.nullable(),
    reason: gapReason,
    reasons: z.record(gapReason, z.int()).meta({ id: "GapReasonCounts" }),
    nearest: z
      .object({ path: z.string(), title: z.string(), relevance: z.number() })
      .meta({ id: "NearestPage" })
      .nullable(),
    state: gapStateShape,
    stateAt: moment.nullable(),
    askedAgain: z
      .object({
        answered: z.boolean(),
        at: moment.nullable(),
        generation: z.int(),
        relevance: z.number(),
        path: z.string().nullable(),
        curated: z.string().nullable(),
      })
      .meta({ id: "GapAskedAgain" })
      .nullable(),
  });
export const gapShape = z.lazy(() => gapFields().meta({ id: "Gap" }));
const gapQuestionFields = () =>
  z.object({
    messageId: z.string(),
    question: z.string(),
    askedAt: moment.nullable(),
    reason: gapReason,
    nearest: z.object({ path: z.string(), relevance: z.number() }).meta({ id: "NearestPath" }).nullable(),
  });
export const gapWithQuestionsShape = z.lazy(() =>
  gapFields()
    .extend({ questions: z.array(gapQuestionFields().meta({ id: "GapQuestion" })) })
    .meta({ id: "GapWithQuestions" }),
);
export const gapsShape = z.lazy(() =>
  z.object({ gaps: z.array(gapShape), ...more, waiting: z.int() }).meta({ id: "GapList" }),
);

// What the code gives has to fit: where it changes, this does not compile.
conversationShape satisfies z.ZodType<Conversation>;
gapFields satisfies () => z.ZodType<ReturnType<typeof gapJson>>;
gapQuestionFields satisfies () => z.ZodType<ReturnType<typeof gapQuestionJson>>;
evaluationQuestionFields satisfies () => z.ZodType<ShownEvaluationQuestion>;
