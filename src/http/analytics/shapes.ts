import { z } from "zod";
import type { Conversation } from "../../analytics/conversations/conversations.ts";
import { GAP_REASONS, GAP_STATES } from "../../analytics/gaps/gap-store.ts";
import type { gapJson, gapQuestionJson } from "../../analytics/gaps/json.ts";
import { moment } from "../admin/shapes.ts";
import { callerShape, outcomeShape } from "./conversation-shapes.ts";

// What owners read of their readers. Each is held to what the code gives: by its type here, and by real replies in a test.

const more = { nextCursor: z.string().nullable(), hasMore: z.boolean() };

export const conversationShape = z.object({
  id: z.string(),
  threadId: z.string(),
  timestamp: moment,
  query: z.string(),
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
});
export const conversationsShape = z
  .object({ conversations: z.array(conversationShape.meta({ id: "Conversation" })), ...more })
  .meta({ id: "ConversationList" });
export const threadShape = z
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
  .meta({ id: "Thread" });
export const callersShape = z
  .object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() })
  .meta({ id: "CallerCounts" });
export const searchesShape = z
  .object({
    searches: z.array(
      z
        .object({
          searchQuery: z.string(),
          hits: z.int(),
          results: z.int(),
          /** Clicks by searches; null where the site never told of a click. */
          ctr: z.number().nullable(),
          topClickedPage: z.string().nullable(),
          lastSearchedAt: moment,
        })
        .meta({ id: "SearchCount" }),
    ),
    totalSearches: z.int(),
    ...more,
  })
  .meta({ id: "SearchCountList" });
export const feedbackShape = z
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
  .meta({ id: "FeedbackList" });

/** Why the docs did not answer. */
const gapReason = z.enum(GAP_REASONS).meta({ id: "GapReason" });
/** What became of a gap. */
export const gapStateShape = z.enum(GAP_STATES).meta({ id: "GapState" });
const gapFields = z.object({
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
export const gapShape = gapFields.meta({ id: "Gap" });
const gapQuestionFields = z.object({
  messageId: z.string(),
  question: z.string(),
  askedAt: moment.nullable(),
  reason: gapReason,
  nearest: z.object({ path: z.string(), relevance: z.number() }).meta({ id: "NearestPath" }).nullable(),
});
export const gapWithQuestionsShape = gapFields
  .extend({ questions: z.array(gapQuestionFields.meta({ id: "GapQuestion" })) })
  .meta({ id: "GapWithQuestions" });
export const gapsShape = z
  .object({ gaps: z.array(gapShape), ...more, waiting: z.int() })
  .meta({ id: "GapList" });

// What the code gives has to fit: where it changes, this does not compile.
conversationShape satisfies z.ZodType<Conversation>;
gapFields satisfies z.ZodType<ReturnType<typeof gapJson>>;
gapQuestionFields satisfies z.ZodType<ReturnType<typeof gapQuestionJson>>;
