import type { Site, SiteStore } from "@docent/sites/site/sites";
import { taken } from "../conflicts.ts";
import { fieldsOf } from "../rows/fields.ts";
import { readSettings } from "../rows/json.ts";
import { get, run, type Sql, type Steps } from "../sql/sql.ts";
import { columns, insertInto, namesIn, select, statement } from "../sql/statement.ts";
import { organizations, sites } from "../tables/people.ts";

/** What each engine does with sites in a way of its own. */
export interface OwnSites {
  /** Tells all who keep sites in memory that they are out of date, with the write that this is a part of. */
  noteChange(): Steps<void>;
  revision(): Promise<string>;
  remove(id: number): Promise<void>;
}

const ADD_ORGANIZATION = statement(insertInto(organizations));
/** In the order in which they were added. */
const ORGANIZATIONS = select(
  organizations,
  namesIn(organizations),
  ({ engine }) => `FROM organizations ORDER BY ${engine === "postgres" ? "number" : "rowid"}`,
);
const ADD = statement<SiteRow>(`
  ${insertInto(sites, ["organizationId", "domain", "name", "url", "host", "settingsJson", "createdAt"])}
  RETURNING ${columns(sites)}`);
const LIST = select(
  sites,
  namesIn(sites),
  ({ onPostgres }) => `FROM sites ${onPostgres("WHERE NOT removed")} ORDER BY domain`,
);
const FIND = select(
  sites,
  namesIn(sites),
  ({ onPostgres }) => `FROM sites WHERE domain = $domain ${onPostgres("AND NOT removed")}`,
);
const UPDATE = statement(`
  UPDATE sites SET name = coalesce(CAST($name AS text), name),
    settings_json = coalesce(CAST($settingsJson AS text), settings_json),
    url = CASE WHEN $isPlaced THEN CAST($url AS text) ELSE url END,
    host = CASE WHEN $isPlaced THEN CAST($host AS text) ELSE host END
  WHERE id = $id`);

export function createSiteStore(sql: Sql, { noteChange, revision, remove }: OwnSites): SiteStore {
  return {
    async addOrganization(organization) {
      try {
        await sql.run(ADD_ORGANIZATION, { ...organization });
      } catch (cause) {
        throw sql.isTaken(cause) ? taken("organization", organization.name, cause) : cause;
      }
    },

    listOrganizations: () => sql.all(ORGANIZATIONS),

    async addSite({ settings, url, host, ...site }) {
      try {
        return await sql.inOneWrite(function* () {
          const row = yield* get(ADD, { ...site, url, host, settingsJson: JSON.stringify(settings) });
          if (row === undefined) throw new Error("the site that was just written is not there");
          yield* noteChange();
          return toSite(row);
        });
      } catch (cause) {
        throw sql.isTaken(cause) ? taken("site", site.domain, cause) : cause;
      }
    },

    async listSites() {
      return (await sql.all(LIST)).map(toSite);
    },

    async findSite(domain) {
      const row = await sql.get(FIND, { domain });
      return row && toSite(row);
    },

    updateSite: (id, { name, settings, ...place }) =>
      sql.inOneWrite(function* () {
        yield* run(UPDATE, {
          id,
          name,
          settingsJson: settings && JSON.stringify(settings),
          // A url that is named and undefined is cleared, and its host with it.
          isPlaced: "url" in place,
          url: place.url,
          host: place.host,
        });
        yield* noteChange();
      }),

    removeSite: remove,
    revision,
  };
}

interface SiteRow {
  id: number;
  organizationId: string;
  domain: string;
  name: string;
  url: string | null;
  host: string | null;
  settingsJson: string;
  generation: number;
  createdAt: number;
  oldestGeneration: number;
  embedderId: number | null;
}

function toSite(row: SiteRow): Site {
  // The index's own affairs are no part of a site.
  const { settingsJson, oldestGeneration: _, embedderId: __, ...site } = row;
  return { ...fieldsOf(site), settings: readSettings(settingsJson) };
}
