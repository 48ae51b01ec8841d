import type { Database } from "bun:sqlite";
import { asc, eq, type InferSelectModel, sql } from "drizzle-orm";
import { AppError } from "../../../errors.ts";
import type { Site, SiteStore } from "../../../sites/sites.ts";
import { fieldsOf, readSettings } from "../../rows.ts";
import { isTaken } from "../failures.ts";
import { organizations, sites, typed } from "../tables.ts";

export function createSiteStore(database: Database): SiteStore {
  const db = typed(database);
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");
  let ownWrites = 0;

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
        ownWrites++;
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
      ownWrites++;
    },

    async removeSite(id) {
      db.delete(sites).where(eq(sites.id, id)).run();
      ownWrites++;
    },

    revision: async () => `${dataVersion.get()?.data_version}.${ownWrites}`,
  };
}

function toSite(row: InferSelectModel<typeof sites>): Site {
  // The index's own affairs are no part of a site.
  const { settingsJson, oldestGeneration: _, embedderId: __, ...site } = row;
  return { ...fieldsOf(site), settings: readSettings(settingsJson) };
}

function taken(what: string, name: string, cause: unknown): AppError {
  return new AppError(
    "conflict",
    `There is ${what === "organization" ? "an" : "a"} ${what} ${name} already.`,
    { cause },
  );
}
