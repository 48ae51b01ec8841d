import { siteSettingsSchema } from "../../src/sites/site/settings.ts";
import type { NewSite, Organization, Site, SiteStore } from "../../src/sites/site/sites.ts";
import { TEST_TIME } from "./fake-clock.ts";

export const ORGANIZATION: Organization = { id: "org-1", name: "Acme", createdAt: TEST_TIME };

export function newSite(domain: string, change: Partial<NewSite> = {}): NewSite {
  return {
    organizationId: ORGANIZATION.id,
    domain,
    name: domain,
    url: undefined,
    host: undefined,
    settings: siteSettingsSchema.parse({}),
    createdAt: TEST_TIME,
    ...change,
  };
}

/** A site, with the organization that owns it. */
export async function addSite(
  sites: SiteStore,
  domain = "docs",
  change: Partial<NewSite> = {},
): Promise<Site> {
  const known = await sites.listOrganizations();
  if (!known.some(({ id }) => id === ORGANIZATION.id)) await sites.addOrganization(ORGANIZATION);
  return sites.addSite(newSite(domain, change));
}
