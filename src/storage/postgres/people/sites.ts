import type { NewSite, Site, SiteStore } from "../../../sites/sites.ts";
import { taken } from "../../conflicts.ts";
import { type SiteRow, toSite } from "../../rows/sites.ts";
import { noteChange, revisionOf } from "../changes.ts";
import type { Database } from "../database/database.ts";
import { isTaken } from "../failures.ts";
import { emptyRemovedSites, hideSite } from "./removed-sites.ts";

const ADD_ORGANIZATION = "INSERT INTO organizations (id, name, created_at) VALUES ($id, $name, $createdAt)";
const ORGANIZATIONS = "SELECT id, name, created_at FROM organizations ORDER BY number";
/** Named, as everywhere: a statement that asked for all of them would fail once a newer release has added one. */
const COLUMNS = `
  id, organization_id, domain, name, url, host, settings_json, generation, created_at, oldest_generation, embedder_id`;
const ADD = `
  INSERT INTO sites (organization_id, domain, name, url, host, settings_json, created_at)
  VALUES ($organizationId, $domain, $name, $url, $host, $settingsJson, $createdAt) RETURNING ${COLUMNS}`;
const LIST = `SELECT ${COLUMNS} FROM sites WHERE NOT removed ORDER BY domain`;
const FIND = `SELECT ${COLUMNS} FROM sites WHERE domain = $domain AND NOT removed`;
const UPDATE = `
  UPDATE sites SET name = coalesce($name::text, name), settings_json = coalesce($settingsJson::text, settings_json),
    url = CASE WHEN $isPlaced THEN $url::text ELSE url END, host = CASE WHEN $isPlaced THEN $host::text ELSE host END
  WHERE id = $id`;

export function createSiteStore(database: Database): SiteStore {
  return {
    async addOrganization({ id, name, createdAt }) {
      try {
        await database.run(ADD_ORGANIZATION, { id, name, createdAt });
      } catch (cause) {
        throw isTaken(cause) ? taken("organization", name, cause) : cause;
      }
    },

    listOrganizations: () => database.all(ORGANIZATIONS),

    addSite: (site) => addSite(database, site),

    async listSites() {
      return (await database.all<SiteRow>(LIST)).map(toSite);
    },

    async findSite(domain) {
      const row = await database.get<SiteRow>(FIND, { domain });
      return row && toSite(row);
    },

    async updateSite(id, { name, settings, ...place }) {
      const values = {
        id,
        name: name ?? null,
        settingsJson: settings === undefined ? null : JSON.stringify(settings),
        // A url that is named and undefined is cleared, and its host with it.
        isPlaced: "url" in place,
        url: place.url ?? null,
        host: place.host ?? null,
      };
      await database.inOneWrite(async (write) => {
        await write.run(UPDATE, values);
        await noteChange(write, "sites");
      });
    },

    async removeSite(id) {
      await database.inOneWrite((write) => hideSite(write, id));
      await emptyRemovedSites(database);
    },

    revision: () => revisionOf(database, "sites"),
  };
}

async function addSite(database: Database, site: NewSite): Promise<Site> {
  const { organizationId, domain, name, url = null, host = null, settings, createdAt } = site;
  const settingsJson = JSON.stringify(settings);
  try {
    return await database.inOneWrite(async (write) => {
      const values = { organizationId, domain, name, url, host, settingsJson, createdAt };
      const row = await write.get<SiteRow>(ADD, values);
      if (row === undefined) throw new Error("the site that was just written is not there");
      await noteChange(write, "sites");
      return toSite(row);
    });
  } catch (cause) {
    throw isTaken(cause) ? taken("site", domain, cause) : cause;
  }
}
