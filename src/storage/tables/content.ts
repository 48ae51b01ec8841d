import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The tables of migrations/, each stated once for both databases. A test compares them with what the migrations made.

export const sources = sqliteTable("sources", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  kind: text().notNull(),
  location: text().notNull(),
  version: text().notNull().default(""),
  language: text().notNull().default(""),
  createdAt: integer("created_at").notNull(),
  optionsJson: text("options_json").notNull().default("{}"),
  everyMs: integer("every_ms"),
  nextRunAt: integer("next_run_at"),
  removedAt: integer("removed_at"),
});

export const sourceRuns = sqliteTable("source_runs", {
  id: integer().primaryKey(),
  sourceId: integer("source_id").notNull(),
  startedAt: integer("started_at").notNull(),
  finishedAt: integer("finished_at"),
  outcome: text(),
  message: text(),
  generation: integer(),
  countsJson: text("counts_json").notNull().default("{}"),
  generator: text(),
  docsJson: text("docs_json"),
  addressesJson: text("addresses_json"),
});

export const generations = sqliteTable("generations", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  sourceId: integer("source_id").notNull(),
  number: integer(),
  countsJson: text("counts_json").notNull().default("{}"),
  startedAt: integer("started_at").notNull(),
  finishedAt: integer("finished_at"),
  undoneAt: integer("undone_at"),
  menuJson: text("menu_json"),
  redirectsJson: text("redirects_json"),
});

export const pages = sqliteTable("pages", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  sourceId: integer("source_id").notNull(),
  path: text().notNull(),
  location: text().notNull(),
  version: text().notNull().default(""),
  language: text().notNull().default(""),
  title: text().notNull(),
  description: text(),
  frontMatterJson: text("front_matter_json").notNull().default("{}"),
  hidden: integer({ mode: "boolean" }).notNull().default(false),
  markdown: text().notNull(),
  contentHash: text("content_hash").notNull(),
  born: integer().notNull(),
  died: integer(),
  tagsJson: text("tags_json").notNull().default("[]"),
  groupsJson: text("groups_json").notNull().default("[]"),
  kind: text().notNull().default("page"),
  changedIn: integer("changed_in"),
  translationsJson: text("translations_json"),
  answered: text(),
});

export const passages = sqliteTable("passages", {
  id: integer().primaryKey({ autoIncrement: true }),
  pageId: integer("page_id").notNull(),
  siteId: integer("site_id").notNull(),
  position: integer().notNull(),
  headingsJson: text("headings_json").notNull(),
  anchor: text().notNull(),
  markdown: text().notNull(),
  text: text().notNull(),
  languagesJson: text("languages_json").notNull(),
  tokens: integer().notNull(),
  born: integer().notNull(),
  died: integer(),
  identifiersJson: text("identifiers_json").notNull().default("[]"),
  innerHeadingsJson: text("inner_headings_json").notNull().default("[]"),
  lacksWords: integer("lacks_words", { mode: "boolean" }).notNull().default(false),
});

export const passageVectors = sqliteTable("passage_vectors", {
  passageId: integer("passage_id").notNull(),
  embedderId: integer("embedder_id").notNull(),
  bits: blob({ mode: "buffer" }),
  vector: blob({ mode: "buffer" }),
});

export const embedders = sqliteTable("embedders", {
  id: integer().primaryKey(),
  identity: text().notNull(),
  dimensions: integer().notNull(),
});

export const images = sqliteTable("images", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  hash: text().notNull(),
  type: text().notNull(),
  width: integer(),
  height: integer(),
  content: blob({ mode: "buffer" }).notNull(),
});

export const pageImages = sqliteTable("page_images", {
  pageId: integer("page_id").notNull(),
  reference: text().notNull(),
  imageId: integer("image_id"),
});

export const ledger = sqliteTable("ledger", {
  sourceId: integer("source_id").notNull(),
  location: text().notNull(),
  runId: integer("run_id").notNull(),
  path: text(),
  format: text(),
  found: text().notNull(),
  decision: text().notNull(),
  reason: text(),
  detail: text(),
  passages: integer(),
  contentHash: text("content_hash"),
  validator: text(),
  linksJson: text("links_json").notNull().default("[]"),
  tookMs: integer("took_ms").notNull(),
  decidedAt: integer("decided_at").notNull(),
});

export const publishedPages = sqliteTable("published_pages", {
  sourceId: integer("source_id").notNull(),
  path: text().notNull(),
  address: text().notNull(),
  title: text().notNull(),
  validator: text(),
  headingsJson: text("headings_json").notNull(),
  placesJson: text("places_json").notNull(),
});

export const segments = sqliteTable("segments", {
  id: integer().primaryKey({ autoIncrement: true }),
  siteId: integer("site_id").notNull(),
  finished: integer({ mode: "boolean" }).notNull().default(false),
  passages: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  revision: text().notNull().default(""),
  kind: text().notNull().default("passages"),
});

export const calibrations = sqliteTable("calibrations", {
  siteId: integer("site_id").notNull(),
  generation: integer().notNull(),
  audience: text().notNull(),
  embedderId: integer("embedder_id").notNull(),
  revision: integer().notNull(),
  coveredMean: real("covered_mean").notNull(),
  coveredDeviation: real("covered_deviation").notNull(),
  nearMean: real("near_mean"),
  nearDeviation: real("near_deviation"),
  familiarMean: real("familiar_mean").notNull(),
  familiarDeviation: real("familiar_deviation").notNull(),
  pagesChanged: integer("pages_changed").notNull().default(0),
});

export const enrichments = sqliteTable("enrichments", {
  id: integer().primaryKey({ autoIncrement: true }),
  siteId: integer("site_id").notNull(),
  contentKey: text("content_key").notNull(),
  questionsJson: text("questions_json").notNull(),
  refused: text(),
  model: text().notNull(),
  madeAt: integer("made_at").notNull(),
  wordsJson: text("words_json").notNull().default("[]"),
  embedderId: integer("embedder_id"),
  bits: blob({ mode: "buffer" }),
  vector: blob({ mode: "buffer" }),
});

export const enrichedPassages = sqliteTable("enriched_passages", {
  passageId: integer("passage_id").primaryKey(),
  enrichmentId: integer("enrichment_id").notNull(),
  siteId: integer("site_id").notNull(),
});

export const enrichmentDays = sqliteTable("enrichment_days", {
  day: integer().primaryKey(),
  spentMs: integer("spent_ms").notNull(),
});

export const enrichmentMeasures = sqliteTable("enrichment_measures", {
  siteId: integer("site_id").primaryKey(),
  measuredAt: integer("measured_at").notNull(),
  helps: integer({ mode: "boolean" }).notNull(),
  measureJson: text("measure_json").notNull(),
});

export const curatedAnswers = sqliteTable("curated_answers", {
  id: integer().primaryKey(),
  siteId: integer("site_id").notNull(),
  name: text().notNull(),
  version: text().notNull().default(""),
  language: text().notNull().default(""),
  markdown: text().notNull(),
  generation: integer().notNull(),
  updatedAt: integer("updated_at").notNull(),
});
