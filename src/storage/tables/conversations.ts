import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The tables of migrations/, each stated once for both databases. A test compares them with what the migrations made.

export const threads = sqliteTable("threads", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  reader: text(),
  chat: text(),
});

export const turns = sqliteTable("turns", {
  id: text().primaryKey(),
  threadId: text("thread_id").notNull(),
  siteId: integer("site_id").notNull(),
  position: integer().notNull(),
  questionMessageId: text("question_message_id").notNull(),
  replacedAt: integer("replaced_at"),
  keyId: text("key_id"),
  fp: text().notNull(),
  caller: text().notNull(),
  currentPath: text("current_path"),
  filterJson: text("filter_json"),
  question: text().notNull(),
  searched: text(),
  retrievedJson: text("retrieved_json").notNull().default("[]"),
  citedJson: text("cited_json").notNull().default("[]"),
  generation: integer(),
  responder: text(),
  model: text(),
  outcome: text(),
  answer: text().notNull().default(""),
  promptTokens: integer("prompt_tokens"),
  completionTokens: integer("completion_tokens"),
  promptTokensEstimated: integer("prompt_tokens_estimated"),
  queueMs: integer("queue_ms"),
  retrievalMs: integer("retrieval_ms"),
  firstTokenMs: integer("first_token_ms"),
  totalMs: integer("total_ms"),
  createdAt: integer("created_at").notNull(),
  finishedAt: integer("finished_at"),
  supportShare: real("support_share"),
  cached: integer({ mode: "boolean" }).notNull().default(false),
  curated: text(),
  previousTurnId: text("previous_turn_id"),
  rewrittenJson: text("rewritten_json").notNull().default("[]"),
  rewriteMs: integer("rewrite_ms"),
  looksJson: text("looks_json").notNull().default("[]"),
  audienceJson: text("audience_json"),
});

export const turnCounts = sqliteTable("turn_counts", {
  siteId: integer("site_id").notNull(),
  day: text().notNull(),
  outcome: text().notNull(),
  caller: text().notNull(),
  count: integer().notNull(),
});

export const feedback = sqliteTable("feedback", {
  turnId: text("turn_id").primaryKey(),
  siteId: integer("site_id").notNull(),
  helpful: integer({ mode: "boolean" }).notNull(),
  comment: text(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const cachedAnswers = sqliteTable("cached_answers", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  generation: integer().notNull(),
  key: text().notNull(),
  answerJson: text("answer_json").notNull(),
  createdAt: integer("created_at").notNull(),
  usedAt: integer("used_at").notNull(),
});
