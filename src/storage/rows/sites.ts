import type { Site } from "@docent/sites/site/sites";
import { fieldsOf } from "./fields.ts";
import { readSettings } from "./json.ts";

export interface SiteRow {
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

export function toSite(row: SiteRow): Site {
  // The index's own affairs are no part of a site.
  const { settingsJson, oldestGeneration: _, embedderId: __, ...site } = row;
  return { ...fieldsOf(site), settings: readSettings(settingsJson) };
}
