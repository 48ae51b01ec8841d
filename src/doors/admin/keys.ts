import { AppError } from "@docent/kernel/errors";
import { aboutKey, adminKeyCreated } from "@docent/people/audit/audit";
import { type Admin, adminKeyJson } from "@docent/people/keys/admin-keys";
import { type AssistantKey, assistantKeyJson } from "@docent/people/keys/keys";
import type { Site, Sites } from "@docent/sites/site/sites";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation, mayOnlyRead } from "./guard.ts";
import { managedOrganization } from "./organizations.ts";
import { adminKeyShape, assistantKeyShape, newAdminKeyShape } from "./shapes.ts";

const keySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    organization: z.string().max(200).optional(),
    /** Domains. Without them the key opens every site of the organization. */
    sites: z.array(z.string()).min(1).max(1000).optional(),
    expiresDays: z.int().min(1).max(36_500).optional(),
    addresses: z.array(z.string().max(100)).max(100).optional(),
  })
  .meta({ id: "NewAssistantKey" });

type KeyOptions = Pick<AdminOptions, "sites" | "keys" | "clock">;

/** Assistant keys, which open the site API. */
export function assistantKeyOperations(options: KeyOptions, guards: AdminGuards): Operation[] {
  return [
    listAssistantKeys(options, guards),
    createAssistantKey(options, guards),
    revokeAssistantKey(options, guards),
  ];
}

const listAssistantKeys = (options: KeyOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listAssistantKeys",
    method: "GET",
    path: "/v1/admin/keys",
    tag: "Admin: assistant keys",
    guard: guards.reads,
    summary: "List the assistant keys",
    replies: gives(200, "The keys, with what they open.", z.array(assistantKeyShape)),
    run: async ({ admin }) => reply(await managedKeys(options, admin)),
  });

function createAssistantKey(options: KeyOptions, guards: AdminGuards): Operation {
  const { sites, keys } = options;
  return adminOperation({
    id: "createAssistantKey",
    method: "POST",
    path: "/v1/admin/keys",
    tag: "Admin: assistant keys",
    guard: guards.writes,
    records: ["assistant-key.created"],
    summary: "Make an assistant key",
    example: { name: "Docs widget", sites: ["acme"], expiresDays: 365 },
    replies: gives(201, "The key.", assistantKeyShape),
    errors: ["not_found"],
    body: keySchema,
    async run({ admin, record, body }) {
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
      const expires = key.expiresAt !== undefined;
      await record({ kind: "assistant-key.created", ...aboutKey(key), details: { expires } });
      return reply(await shownKey(options, key), { status: 201 });
    },
  });
}

function revokeAssistantKey(options: KeyOptions, guards: AdminGuards): Operation {
  const { keys } = options;
  return adminOperation({
    id: "revokeAssistantKey",
    method: "DELETE",
    path: "/v1/admin/keys/:id",
    tag: "Admin: assistant keys",
    guard: guards.writes,
    records: ["assistant-key.revoked"],
    summary: "Revoke an assistant key",
    replies: gives(200, "The key as it is now.", assistantKeyShape),
    async run({ admin, record, param }) {
      const found = (await keys.list()).find(({ id }) => id === param("id"));
      if (!found || !admin.sees(found.organizationId)) throw new AppError("not_found", "Not found");
      if (!admin.manages(found.organizationId)) throw mayOnlyRead(admin);
      const revoked = await keys.revoke(found.id);
      if (found.revokedAt === undefined) await record({ kind: "assistant-key.revoked", ...aboutKey(found) });
      return reply(await shownKey(options, revoked));
    },
  });
}

async function managedKeys({ sites, keys, clock }: KeyOptions, admin: Admin) {
  const domains = await domainsOf(sites);
  return (await keys.list())
    .filter(({ organizationId }) => admin.manages(organizationId))
    .map((key) => assistantKeyJson(key, domains, clock()));
}

const shownKey = async ({ sites, clock }: KeyOptions, key: AssistantKey) =>
  assistantKeyJson(key, await domainsOf(sites), clock());

const domainsOf = async (sites: Sites) => new Map((await sites.list()).map(({ id, domain }) => [id, domain]));

async function managedSites(sites: Sites, admin: Admin, domains: string[]): Promise<Site[]> {
  const all = (await sites.list()).filter(({ organizationId }) => admin.sees(organizationId));
  return domains.map((domain) => {
    const found = all.find((site) => site.domain === domain);
    if (!found) throw new AppError("not_found", `There is no site ${domain}.`);
    if (!admin.manages(found.organizationId)) throw mayOnlyRead(admin);
    return found;
  });
}

const adminKeySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    /** The organization that the key opens. */
    organization: z.string().max(200).optional(),
    /** The key opens every organization, and backups. */
    server: z.literal(true).optional(),
    /** The key may change things. */
    write: z.boolean().default(false),
    expiresDays: z.int().min(1).max(36_500).optional(),
  })
  .refine(({ organization, server }) => (organization === undefined) !== (server === undefined), {
    path: ["organization"],
    message: "name an organization, or send server: true, and not both",
  })
  .meta({ id: "NewAdminKey" });

/** Admin keys: for keys of the server alone, so that no other one can widen what it may do. */
export function adminKeyOperations(
  options: Pick<AdminOptions, "sites" | "adminKeys" | "clock">,
  guards: AdminGuards,
): Operation[] {
  const { sites, adminKeys, clock } = options;
  return [
    adminOperation({
      id: "listAdminKeys",
      method: "GET",
      path: "/v1/admin/admin-keys",
      tag: "Admin: admin keys",
      guard: guards.serverReads,
      summary: "List the admin keys",
      replies: gives(200, "The keys, without what they are.", z.array(adminKeyShape)),
      run: async () => reply((await adminKeys.list()).map((key) => adminKeyJson(key, clock()))),
    }),
    adminOperation({
      id: "createAdminKey",
      method: "POST",
      path: "/v1/admin/admin-keys",
      tag: "Admin: admin keys",
      guard: guards.serverWrites,
      records: ["admin-key.created"],
      summary: "Make an admin key",
      example: { name: "Nightly reports", server: true, expiresDays: 90 },
      replies: gives(201, "The key, with its text: nobody is told it again.", newAdminKeyShape),
      errors: ["not_found"],
      body: adminKeySchema,
      async run({ record, body }) {
        const { name, organization, server, write, expiresDays } = await body();
        const organizationId = server ? undefined : (await sites.organization(organization)).id;
        const { key, text } = await adminKeys.create({ name, organizationId, mayWrite: write, expiresDays });
        await record(adminKeyCreated(key));
        return reply({ ...adminKeyJson(key, clock()), key: text }, { status: 201 });
      },
    }),
    adminOperation({
      id: "revokeAdminKey",
      method: "DELETE",
      path: "/v1/admin/admin-keys/:id",
      tag: "Admin: admin keys",
      guard: guards.serverWrites,
      records: ["admin-key.revoked"],
      summary: "Revoke an admin key",
      replies: gives(200, "The key as it is now.", adminKeyShape),
      async run({ record, param }) {
        const found = (await adminKeys.list()).find(({ id }) => id === param("id"));
        if (!found) throw new AppError("not_found", "Not found");
        const revoked = await adminKeys.revoke(found.id);
        if (found.revokedAt === undefined) await record({ kind: "admin-key.revoked", ...aboutKey(found) });
        return reply(adminKeyJson(revoked, clock()));
      },
    }),
  ];
}
