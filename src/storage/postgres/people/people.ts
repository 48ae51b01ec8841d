import { createAuditStore } from "../../people/audit.ts";
import { createAdminKeyStore, createKeyStore } from "../../people/keys.ts";
import { createMemberStore } from "../../people/members.ts";
import { createNoticeStore } from "../../people/notices.ts";
import { createOnceStore } from "../../people/once.ts";
import { createReaderSessionStore, createSiteSecretStore } from "../../people/readers.ts";
import { createSessionStore } from "../../people/sessions.ts";
import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { Database } from "../database/database.ts";
import type { Joined } from "../servers.ts";
import { createLimitStore } from "./limits.ts";
import { createPlaceStore } from "./places.ts";
import { createSiteStore } from "./sites.ts";

export { emptyRemovedSites } from "./removed-sites.ts";

interface PeopleOptions {
  serverId: string | undefined;
  server: Joined | undefined;
  newId: () => string;
}

/** Who may do what, where, and how often; and what they did. */
export function createPeopleStores(
  database: Database,
  sql: Sql,
  { serverId, server, newId }: PeopleOptions,
): Storage["people"] {
  return {
    sites: createSiteStore(database),
    keys: createKeyStore(sql),
    adminKeys: createAdminKeyStore(sql),
    members: createMemberStore(sql),
    sessions: createSessionStore(sql),
    once: createOnceStore(sql),
    limits: createLimitStore(database, server?.aheadMs),
    places: serverId === undefined ? undefined : createPlaceStore(database, { serverId, newId }),
    audit: createAuditStore(sql),
    notices: createNoticeStore(sql),
    siteSecrets: createSiteSecretStore(sql),
    readerSessions: createReaderSessionStore(sql),
  };
}
