import { AppError } from "@docent/kernel/errors";
import { aboutSite } from "@docent/people/audit/audit";
import type { Admin } from "@docent/people/keys/admin-keys";
import { settingsChangeSchema } from "@docent/sites/site/settings";
import { changedFields, domainSchema, type Site, siteJson } from "@docent/sites/site/sites";
import { z } from "zod";
import { done, gives, type Operation, reply } from "../operation.ts";
import { describedAs } from "../request/fields.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { checkModel } from "./models.ts";
import { managedOrganization } from "./organizations.ts";
import { siteShape } from "./shapes.ts";

const siteChange = {
  name: z.string().trim().min(1).max(200).optional(),
  /** Empty takes it away. */
  url: z.string().max(2000).optional(),
  settings: settingsChangeSchema.optional(),
  /** Only admins of the server may set them: another site's name would lead here. */
  hostNames: z.array(z.string()).max(20).optional(),
  /** Only admins of the server may set it: the server asks there. Empty takes it away. */
  jwksUrl: z.string().max(500).optional(),
};
const changeSchema = z.strictObject(siteChange).meta({ id: "SiteChange" });
const siteSchema = z
  .strictObject({
    domain: describedAs(z.string(), domainSchema),
    organization: z.string().max(200).optional(),
    ...siteChange,
  })
  .meta({ id: "NewSite" });
const removalSchema = z.strictObject({ confirm: z.string() }).meta({ id: "SiteRemoval" });

type SiteOptions = Pick<AdminOptions, "sites" | "pages" | "uploads" | "basePath" | "models">;

/** Sites and their settings. */
export function siteOperations(options: SiteOptions, guards: AdminGuards): Operation[] {
  return [
    listSites(options, guards),
    addSite(options, guards),
    getSite(options, guards),
    changeSite(options, guards),
    removeSite(options, guards),
  ];
}

const listSites = ({ sites, pages }: SiteOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listSites",
    method: "GET",
    path: "/v1/admin/sites",
    tag: "Admin: sites",
    guard: guards.reads,
    summary: "List the sites",
    replies: gives(200, "The sites that the key manages.", z.array(siteShape)),
    async run({ admin }) {
      const managed = (await sites.list()).filter(({ organizationId }) => admin.manages(organizationId));
      return reply(await Promise.all(managed.map((site) => show(pages, site))));
    },
  });

function addSite(options: SiteOptions, guards: AdminGuards): Operation {
  const { sites, pages, basePath } = options;
  return adminOperation({
    id: "addSite",
    method: "POST",
    path: "/v1/admin/sites",
    tag: "Admin: sites",
    guard: guards.writes,
    records: ["site.added"],
    summary: "Add a site",
    example: { domain: "handbook", name: "Handbook", url: "https://handbook.example.com" },
    replies: gives(201, "The site.", siteShape),
    errors: ["not_found"],
    body: siteSchema,
    async run({ admin, record, body, signal }) {
      const { organization, ...input } = await body();
      checkOperators(admin, input);
      await checkModel(options, { wanted: input.settings?.model, current: "" }, signal);
      const { id } = await managedOrganization(sites, admin, organization);
      const site = await sites.add({ ...input, organization: id });
      await record({ kind: "site.added", ...aboutSite(site) });
      return reply(await show(pages, site), {
        status: 201,
        location: `${basePath}/v1/admin/sites/${site.domain}`,
      });
    },
  });
}

const getSite = ({ pages }: SiteOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getSite",
    method: "GET",
    path: "/v1/admin/sites/:domain",
    tag: "Admin: sites",
    guard: guards.reads,
    summary: "Show a site",
    replies: gives(200, "The site.", siteShape),
    run: async ({ site }) => reply(await show(pages, site())),
  });

function changeSite(options: SiteOptions, guards: AdminGuards): Operation {
  const { sites, pages } = options;
  return adminOperation({
    id: "changeSite",
    method: "PATCH",
    path: "/v1/admin/sites/:domain",
    tag: "Admin: sites",
    guard: guards.writes,
    records: ["site.changed"],
    summary: "Change a site",
    description: "What is not named stays as it is.",
    example: { settings: { contact: "docs@example.com", suggestions: false } },
    replies: gives(200, "The site as it is now.", siteShape),
    body: changeSchema,
    async run({ admin, site, record, body, signal }) {
      const change = await body();
      checkOperators(admin, change);
      const before = site();
      const wanted = change.settings?.model;
      await checkModel(options, { wanted, current: before.settings.model }, signal);
      const after = await sites.set(before.domain, change);
      const changed = changedFields(before, after);
      if (changed.length > 0) await record({ kind: "site.changed", details: { changed } });
      return reply(await show(pages, after));
    },
  });
}

const removeSite = ({ sites, uploads }: SiteOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "removeSite",
    method: "DELETE",
    path: "/v1/admin/sites/:domain",
    tag: "Admin: sites",
    guard: guards.writes,
    records: ["site.removed"],
    summary: "Remove a site",
    description: "`confirm` is the domain of the site.",
    replies: gives(204, "It is gone, with its pages and conversations."),
    body: removalSchema,
    async run({ site, record, body }) {
      const { domain, id } = site();
      const { confirm } = await body();
      if (confirm !== domain) {
        throw new AppError(
          "invalid_request",
          `confirm: This removes ${domain} with all its pages and conversations. If you mean it, send its domain.`,
        );
      }
      await sites.remove(domain);
      await record({ kind: "site.removed" });
      await uploads.removeSite(id);
      return done();
    },
  });

const show = async (pages: SiteOptions["pages"], site: Site) => ({
  ...siteJson(site),
  ...(await pages.countPages(site.id)),
});

/** What leads to this server, and where this server asks, is for those to say whom it belongs to. */
function checkOperators(
  admin: Admin,
  { hostNames, jwksUrl }: { hostNames?: string[] | undefined; jwksUrl?: string | undefined },
): void {
  if (admin.isServer) return;
  const only = "Only an owner of the server, or an admin key of it, may";
  if (hostNames !== undefined)
    throw new AppError("forbidden", `hostNames: ${only} give host names to a site.`);
  if (jwksUrl !== undefined) throw new AppError("forbidden", `jwksUrl: ${only} say where a site's keys are.`);
}
