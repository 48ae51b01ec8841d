import type { siteShape } from "@docent/doors/admin/shapes";
import type { z } from "zod";
import { pathTo } from "./router.ts";

/** A site as the admin API tells of it. */
export type SiteReply = z.output<typeof siteShape>;

/** The site that a page is about. */
export interface SiteView {
  domain: string;
  name: string;
  organizationId: string;
  organizationName: string;
  url: string | null;
  generation: number;
  settings: SiteReply["settings"];
  /** Whether who is signed in may change it, or only look. */
  mayChange: boolean;
}

/** The address of a site's page: `sitePath(site, "gaps")`; its overview without more. */
export const sitePath = (
  { organizationName, domain }: Pick<SiteView, "organizationName" | "domain">,
  ...rest: (string | number)[]
) => pathTo(["dashboard", organizationName, domain, ...rest]);

/** The address of what the index has of a path. */
export const indexedPagePath = (site: SiteView, path: string) =>
  pathTo(["dashboard", site.organizationName, site.domain, "content", "page"], { path });
