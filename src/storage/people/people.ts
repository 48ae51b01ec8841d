import type { OnceStore } from "@docent/people/identity/stores";
import { run, type Sql } from "../sql/sql.ts";
import { insertInto, statement } from "../sql/statement.ts";
import type { Storage } from "../storage.ts";
import { usedOnce } from "../tables/people.ts";
import { createAuditStore } from "./audit.ts";
import { createAdminKeyStore, createKeyStore } from "./keys.ts";
import { createMemberStore } from "./members.ts";
import { createNoticeStore } from "./notices.ts";
import { createReaderSessionStore, createSiteSecretStore } from "./readers.ts";
import { createSessionStore } from "./sessions.ts";
import { createSiteStore, type OwnSites } from "./sites.ts";

export type { OwnSites } from "./sites.ts";

/** What the engine does in a way of its own: what is counted, by one server or by several. */
interface OwnPeople extends Pick<Storage["people"], "limits" | "places"> {
  sites: OwnSites;
}

/** Who may do what, where, and how often; and what they did. */
export const createPeopleStores = (sql: Sql, { sites, limits, places }: OwnPeople): Storage["people"] => ({
  sites: createSiteStore(sql, sites),
  keys: createKeyStore(sql),
  adminKeys: createAdminKeyStore(sql),
  members: createMemberStore(sql),
  sessions: createSessionStore(sql),
  once: createOnceStore(sql),
  limits,
  places,
  audit: createAuditStore(sql),
  notices: createNoticeStore(sql),
  siteSecrets: createSiteSecretStore(sql),
  readerSessions: createReaderSessionStore(sql),
});

const FORGET = statement("DELETE FROM used_once WHERE until <= $now");
const USE = statement(`${insertInto(usedOnce)} ON CONFLICT DO NOTHING`);

function createOnceStore(sql: Sql): OnceStore {
  return {
    use: (hash, now, until) =>
      sql.inOneWrite(function* () {
        yield* run(FORGET, { now });
        return (yield* run(USE, { hash, until })) === 1;
      }),
  };
}
