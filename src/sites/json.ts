import { isoTime } from "../lib/iso-time.ts";
import type { Organization, Site } from "./sites.ts";

/** A site as the CLI and the admin API show it. */
export function siteJson({ domain, organizationId, name, url, settings, generation, createdAt }: Site) {
  return {
    domain,
    organizationId,
    name,
    url: url ?? null,
    generation,
    createdAt: isoTime(createdAt),
    settings,
  };
}

/** An organization as the admin API shows it. */
export function organizationJson({ id, name, createdAt }: Organization) {
  return { id, name, createdAt: isoTime(createdAt) };
}
