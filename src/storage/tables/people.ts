import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The tables of migrations/, each stated once for both databases. A test compares them with what the migrations made.

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

export const limitCounts = sqliteTable("limit_counts", {
  meter: text().notNull(),
  subject: text().notNull(),
  slice: integer().notNull(),
  count: integer().notNull(),
  expiresAt: integer("expires_at").notNull(),
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

export const meta = sqliteTable("meta", { name: text().primaryKey(), value: text().notNull() });
