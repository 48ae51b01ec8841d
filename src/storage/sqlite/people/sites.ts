import type { Database } from "bun:sqlite";
import { asc, eq, sql } from "drizzle-orm";
import type { SiteStore } from "../../../sites/sites.ts";
import { taken } from "../../conflicts.ts";
import { toSite } from "../../rows/sites.ts";
import { organizations, sites } from "../../sql/tables/people.ts";
import type { OwnChanges } from "../changes.ts";
import { isTaken } from "../failures.ts";
import { typed } from "../typed.ts";

export function createSiteStore(database: Database, changes: OwnChanges): SiteStore {
  const db = typed(database);
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");

  return {
    async addOrganization(organization) {
      try {
        db.insert(organizations).values(organization).run();
      } catch (cause) {
        throw isTaken(cause) ? taken("organization", organization.name, cause) : cause;
      }
    },

    async listOrganizations() {
      return db.select().from(organizations).orderBy(sql`rowid`).all();
    },

    async addSite({ settings, ...site }) {
      try {
        const row = { ...site, settingsJson: JSON.stringify(settings) };
        return toSite(db.insert(sites).values(row).returning().get());
      } catch (cause) {
        throw isTaken(cause) ? taken("site", site.domain, cause) : cause;
      } finally {
        changes.note();
      }
    },

    async listSites() {
      return db.select().from(sites).orderBy(asc(sites.domain)).all().map(toSite);
    },

    async findSite(domain) {
      const row = db.select().from(sites).where(eq(sites.domain, domain)).get();
      return row && toSite(row);
    },

    async updateSite(id, { settings, ...change }) {
      const cleared = "url" in change ? { url: change.url ?? null, host: change.host ?? null } : {};
      const values = { ...change, ...cleared, settingsJson: settings && JSON.stringify(settings) };
      if (Object.values(values).every((value) => value === undefined)) return;
      db.update(sites).set(values).where(eq(sites.id, id)).run();
      changes.note();
    },

    async removeSite(id) {
      db.delete(sites).where(eq(sites.id, id)).run();
      changes.note();
    },

    revision: async () => `${dataVersion.get()?.data_version}.${changes.count()}`,
  };
}
