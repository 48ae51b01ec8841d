import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The tables of migrations/, stated once for both databases. A test compares them with SQLite's.

export const organizations = sqliteTable("organizations", {
  id: text().primaryKey(),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const sites = sqliteTable("sites", {
  id: integer().primaryKey({ autoIncrement: true }),
  organizationId: text("organization_id").notNull(),
  domain: text().notNull(),
  name: text().notNull(),
  url: text(),
  host: text(),
  settingsJson: text("settings_json").notNull(),
  generation: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
  oldestGeneration: integer("oldest_generation").notNull().default(0),
  embedderId: integer("embedder_id"),
});

export const assistantKeys = sqliteTable("assistant_keys", {
  id: text().primaryKey(),
  organizationId: text("organization_id").notNull(),
  name: text().notNull(),
  key: text().notNull(),
  allSites: integer("all_sites", { mode: "boolean" }).notNull(),
  addressesJson: text("addresses_json").notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  lastUsedAt: integer("last_used_at"),
});

export const assistantKeySites = sqliteTable("assistant_key_sites", {
  keyId: text("key_id").notNull(),
  siteId: integer("site_id").notNull(),
});

export const adminKeys = sqliteTable("admin_keys", {
  id: text().primaryKey(),
  name: text().notNull(),
  keyHash: text("key_hash").notNull(),
  organizationId: text("organization_id"),
  mayWrite: integer("may_write", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  lastUsedAt: integer("last_used_at"),
});

export const members = sqliteTable("members", {
  id: text().primaryKey(),
  name: text().notNull(),
  nameKey: text("name_key").notNull(),
  isServerOwner: integer("is_server_owner", { mode: "boolean" }).notNull(),
  passwordHash: text("password_hash"),
  createdAt: integer("created_at").notNull(),
  lastSeenAt: integer("last_seen_at"),
  issuer: text(),
  subject: text(),
  provider: text(),
});

export const memberRoles = sqliteTable("member_roles", {
  memberId: text("member_id").notNull(),
  organizationId: text("organization_id").notNull(),
  role: text().notNull(),
});

export const auditEntries = sqliteTable("audit_entries", {
  id: text().primaryKey(),
  at: integer().notNull(),
  kind: text().notNull(),
  actorKind: text("actor_kind").notNull(),
  actorId: text("actor_id"),
  actorName: text("actor_name"),
  organizationsJson: text("organizations_json").notNull(),
  site: text(),
  subjectId: text("subject_id"),
  subjectName: text("subject_name"),
  detailsJson: text("details_json").notNull(),
});

export const noticeDestinations = sqliteTable("notice_destinations", {
  id: text().primaryKey(),
  organizationId: text("organization_id"),
  name: text().notNull(),
  channel: text().notNull(),
  address: text().notNull(),
  secret: text(),
  kindsJson: text("kinds_json").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const noticeSubjects = sqliteTable("notice_subjects", {
  id: text().primaryKey(),
  kind: text().notNull(),
  siteId: integer("site_id"),
  since: integer().notNull(),
  toldAt: integer("told_at").notNull(),
});

export const notices = sqliteTable("notices", {
  id: text().primaryKey(),
  destinationId: text("destination_id").notNull(),
  noticeJson: text("notice_json").notNull(),
  madeAt: integer("made_at").notNull(),
  tries: integer().notNull(),
  nextTryAt: integer("next_try_at"),
  state: text().notNull(),
  says: text(),
  triedAt: integer("tried_at"),
});

export const memberLinks = sqliteTable("member_links", {
  linkHash: text("link_hash").primaryKey(),
  memberId: text("member_id"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const memberSessions = sqliteTable("member_sessions", {
  id: text().primaryKey(),
  secretHash: text("secret_hash").notNull(),
  memberId: text("member_id").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
  address: text().notNull(),
  agent: text().notNull(),
  provider: text(),
  sid: text(),
  idToken: text("id_token"),
  endsAt: integer("ends_at"),
});

export const usedOnce = sqliteTable("used_once", {
  hash: text().primaryKey(),
  until: integer().notNull(),
});

export const readerSecrets = sqliteTable("reader_secrets", {
  id: text().primaryKey(),
  siteId: integer("site_id").notNull(),
  secret: text().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

export const readerSessions = sqliteTable("reader_sessions", {
  id: text().primaryKey(),
  secretHash: text("secret_hash").notNull(),
  provider: text().notNull(),
  sid: text(),
  issuer: text().notNull(),
  subject: text().notNull(),
  name: text(),
  groupsJson: text("groups_json").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

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

export const segments = sqliteTable("segments", {
  id: integer().primaryKey({ autoIncrement: true }),
  siteId: integer("site_id").notNull(),
  finished: integer({ mode: "boolean" }).notNull().default(false),
  passages: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  revision: text().notNull().default(""),
  kind: text().notNull().default("passages"),
});

export const embedders = sqliteTable("embedders", {
  id: integer().primaryKey(),
  identity: text().notNull(),
  dimensions: integer().notNull(),
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

export const meta = sqliteTable("meta", { name: text().primaryKey(), value: text().notNull() });
