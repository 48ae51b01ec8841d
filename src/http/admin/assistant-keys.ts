import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Admin } from "../../keys/admin.ts";
import { assistantKeyJson } from "../../keys/json.ts";
import type { AssistantKey } from "../../keys/keys.ts";
import type { Site, Sites } from "../../sites/sites.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { type AdminGuards, adminOperation, mayOnlyRead } from "./guard.ts";
import type { AdminOptions } from "./options.ts";
import { managedOrganization } from "./organizations.ts";
import { assistantKeyShape } from "./shapes.ts";

const keySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    organization: z.string().max(200).optional(),
    /** Domains. Without it: every site of the organization. */
    sites: z.array(z.string()).min(1).max(1000).optional(),
    expiresDays: z.int().min(1).max(36_500).optional(),
    addresses: z.array(z.string().max(100)).max(100).optional(),
  })
  .meta({ id: "NewAssistantKey" });

/** Assistant keys. */
export function assistantKeyOperations(
  options: Pick<AdminOptions, "sites" | "keys" | "clock">,
  guards: AdminGuards,
): Operation[] {
  const { sites, keys, clock } = options;
  const showTo = async () => {
    const domains = new Map((await sites.list()).map(({ id, domain }) => [id, domain]));
    return (key: AssistantKey) => assistantKeyJson(key, domains, clock());
  };
  const managed = async (admin: Admin) =>
    (await keys.list()).filter(({ organizationId }) => admin.manages(organizationId));
  return [
    adminOperation({
      id: "listAssistantKeys",
      method: "GET",
      path: "/v1/admin/keys",
      tag: "Admin: assistant keys",
      guard: guards.reads,
      summary: "List the assistant keys",
      replies: gives(200, "The keys, with what they open.", z.array(assistantKeyShape)),
      run: async ({ admin }) => reply((await managed(admin)).map(await showTo())),
    }),
    adminOperation({
      id: "createAssistantKey",
      method: "POST",
      path: "/v1/admin/keys",
      tag: "Admin: assistant keys",
      guard: guards.writes,
      summary: "Make an assistant key",
      example: { name: "Docs widget", sites: ["acme"], expiresDays: 365 },
      replies: gives(201, "The key.", assistantKeyShape),
      errors: ["not_found"],
      body: keySchema,
      async run({ admin, body }) {
        const { name, organization, sites: domains, ...bounds } = await body();
        const opened = await managedSites(sites, admin, domains ?? []);
        const asked = organization ?? opened[0]?.organizationId;
        const { id: organizationId } = await managedOrganization(sites, admin, asked);
        const foreign = opened.find((site) => site.organizationId !== organizationId);
        if (foreign)
          throw new AppError("invalid_request", `sites: ${foreign.domain} belongs to another organization.`);
        const key = await keys.create({
          ...bounds,
          organizationId,
          name: name ?? (domains?.join(", ").slice(0, 200) || "all sites"),
          siteIds: domains && opened.map(({ id }) => id),
        });
        return reply((await showTo())(key), { status: 201 });
      },
    }),
    adminOperation({
      id: "revokeAssistantKey",
      method: "DELETE",
      path: "/v1/admin/keys/:id",
      tag: "Admin: assistant keys",
      guard: guards.writes,
      summary: "Revoke an assistant key",
      replies: gives(200, "The key as it is now.", assistantKeyShape),
      async run({ admin, param }) {
        const found = (await keys.list()).find(({ id }) => id === param("id"));
        if (!found || !admin.sees(found.organizationId)) throw new AppError("not_found", "Not found");
        if (!admin.manages(found.organizationId)) throw mayOnlyRead(admin);
        return reply((await showTo())(await keys.revoke(found.id)));
      },
    }),
  ];
}

async function managedSites(sites: Sites, admin: Admin, domains: string[]): Promise<Site[]> {
  const all = (await sites.list()).filter(({ organizationId }) => admin.sees(organizationId));
  return domains.map((domain) => {
    const found = all.find((site) => site.domain === domain);
    if (!found) throw new AppError("not_found", `There is no site ${domain}.`);
    if (!admin.manages(found.organizationId)) throw mayOnlyRead(admin);
    return found;
  });
}
