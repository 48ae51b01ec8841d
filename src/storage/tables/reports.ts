import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The tables of migrations/, each stated once for both databases. A test compares them with what the migrations made.

export const searches = sqliteTable("searches", {
  id: integer().primaryKey({ autoIncrement: true }),
  siteId: integer("site_id").notNull(),
  query: text().notNull(),
  results: integer().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const events = sqliteTable("events", {
  id: integer().primaryKey({ autoIncrement: true }),
  siteId: integer("site_id").notNull(),
  type: text().notNull(),
  query: text(),
  path: text().notNull(),
  turnId: text("turn_id"),
  createdAt: integer("created_at").notNull(),
});

export const gaps = sqliteTable("gaps", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  state: text().notNull().default("open"),
  stateAt: integer("state_at").notNull(),
  stateGeneration: integer("state_generation").notNull(),
  askedAt: integer("asked_at"),
  askedGeneration: integer("asked_generation"),
  askedAnswered: integer("asked_answered", { mode: "boolean" }),
  askedRelevance: real("asked_relevance"),
  askedPath: text("asked_path"),
  askedCurated: text("asked_curated"),
});

export const gapQuestions = sqliteTable("gap_questions", {
  number: integer().primaryKey({ autoIncrement: true }),
  turnId: text("turn_id").notNull(),
  gapId: text("gap_id").notNull(),
  siteId: integer("site_id").notNull(),
  reason: text().notNull(),
  nearestPath: text("nearest_path"),
  nearestRelevance: real("nearest_relevance"),
});

export const evaluationQuestions = sqliteTable("evaluation_questions", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  turnId: text("turn_id"),
  question: text().notNull(),
  expectedJson: text("expected_json").notNull(),
  subset: text().notNull().default(""),
  version: text().notNull().default(""),
  language: text().notNull().default(""),
  createdAt: integer("created_at").notNull(),
});

export const goldenQuestions = sqliteTable("golden_questions", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  turnId: text("turn_id"),
  origin: text().notNull(),
  question: text().notNull(),
  expectedJson: text("expected_json").notNull(),
  version: text().notNull().default(""),
  language: text().notNull().default(""),
  groupsJson: text("groups_json"),
  createdAt: integer("created_at").notNull(),
});

export const goldenChecks = sqliteTable("golden_checks", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  sourceId: integer("source_id"),
  before: integer().notNull(),
  generation: integer(),
  refused: integer({ mode: "boolean" }).notNull(),
  comparisonJson: text("comparison_json").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const generationReports = sqliteTable("generation_reports", {
  siteId: integer("site_id").notNull(),
  number: integer().notNull(),
  reportJson: text("report_json").notNull(),
  createdAt: integer("created_at").notNull(),
});
