import type { Database } from "bun:sqlite";
import { createAuditStore } from "../../people/audit.ts";
import { createAdminKeyStore, createKeyStore } from "../../people/keys.ts";
import { createMemberStore } from "../../people/members.ts";
import { createNoticeStore } from "../../people/notices.ts";
import { createOnceStore } from "../../people/once.ts";
import { createReaderSessionStore, createSiteSecretStore } from "../../people/readers.ts";
import { createSessionStore } from "../../people/sessions.ts";
import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { OwnChanges } from "../changes.ts";
import { createLimitStore } from "./limits.ts";
import { createSiteStore } from "./sites.ts";

/** Who may do what, where, and how often; and what they did. */
export function createPeopleStores(database: Database, sql: Sql, siteChanges: OwnChanges): Storage["people"] {
  return {
    sites: createSiteStore(database, siteChanges),
    keys: createKeyStore(sql),
    adminKeys: createAdminKeyStore(sql),
    members: createMemberStore(sql),
    sessions: createSessionStore(sql),
    once: createOnceStore(sql),
    limits: createLimitStore(database),
    places: undefined,
    audit: createAuditStore(sql),
    notices: createNoticeStore(sql),
    siteSecrets: createSiteSecretStore(sql),
    readerSessions: createReaderSessionStore(sql),
  };
}
