import { z } from "zod";
import type { Conversation } from "../../analytics/conversations.ts";
import type { gapJson, gapQuestionJson } from "../../analytics/gaps-json.ts";
import { GAP_REASONS, GAP_STATES } from "../../analytics/gaps-store.ts";
import { OUTCOMES } from "../../threads/threads.ts";
import { moment } from "./admin-shapes.ts";

// What owners read of their readers. Each is held to what the code gives: by its type here, and by real replies in a test.

const more = { nextCursor: z.string().nullable(), hasMore: z.boolean() };

const conversationShape = z.object({
  id: z.string(),
  threadId: z.string(),
  timestamp: moment,
  query: z.string(),
  response: z.string(),
  responseType: z.string(),
  sources: z.array(z.object({ title: z.string(), url: z.string() })),
  resolutionStatus: z.enum(["answered", "unanswered"]),
  outcome: z.enum(OUTCOMES).nullable(),
  queryCategory: z.null(),
  pageUrl: z.string().nullable(),
  caller: z.enum(["web", "api", "mcp", "cli"]),
  responder: z.string().nullable(),
  model: z.string().nullable(),
  helpful: z.boolean().nullable(),
  comment: z.string().nullable(),
});
export const conversationsShape = z.object({ conversations: z.array(conversationShape), ...more });
export const threadShape = z.object({
  threadId: z.string(),
  createdAt: moment,
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(["user", "assistant"]),
      content: z.string(),
      createdAt: moment,
    }),
  ),
});
export const callersShape = z.object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() });
export const searchesShape = z.object({
  searches: z.array(
    z.object({
      searchQuery: z.string(),
      hits: z.int(),
      results: z.int(),
      /** Clicks by searches; null where the site never told of a click. */
      ctr: z.number().nullable(),
      topClickedPage: z.string().nullable(),
      lastSearchedAt: moment,
    }),
  ),
  totalSearches: z.int(),
  ...more,
});
export const feedbackShape = z.object({
  feedback: z.array(
    z.object({
      id: z.string(),
      path: z.string().nullable(),
      query: z.string(),
      comment: z.string().nullable(),
      createdAt: moment,
      source: z.enum(["thumbs_only", "contextual"]),
      status: z.literal("pending"),
      helpful: z.boolean(),
    }),
  ),
  ...more,
});

export const gapShape = z.object({
  id: z.string(),
  question: z.string(),
  examples: z.array(z.string()),
  count: z.int(),
  countSince: z.int(),
  firstAskedAt: moment.nullable(),
  lastAskedAt: moment.nullable(),
  reason: z.enum(GAP_REASONS),
  reasons: z.record(z.enum(GAP_REASONS), z.int()),
  nearest: z.object({ path: z.string(), title: z.string(), relevance: z.number() }).nullable(),
  state: z.enum(GAP_STATES),
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
    .nullable(),
});
const gapQuestionShape = z.object({
  messageId: z.string(),
  question: z.string(),
  askedAt: moment.nullable(),
  reason: z.enum(GAP_REASONS),
  nearest: z.object({ path: z.string(), relevance: z.number() }).nullable(),
});
export const gapWithQuestionsShape = gapShape.extend({ questions: z.array(gapQuestionShape) });
export const gapsShape = z.object({ gaps: z.array(gapShape), ...more, waiting: z.int() });

// What the code gives has to fit: where it changes, this does not compile.
conversationShape satisfies z.ZodType<Conversation>;
gapShape satisfies z.ZodType<ReturnType<typeof gapJson>>;
gapQuestionShape satisfies z.ZodType<ReturnType<typeof gapQuestionJson>>;
