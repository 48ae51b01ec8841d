import { z } from "zod";
import { AppError } from "../../errors.ts";
import { adminKeyJson } from "../../keys/json.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import type { AdminOptions } from "./options.ts";
import { adminKeyShape, newAdminKeyShape } from "./shapes.ts";

const adminKeySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    /** The organization that it opens. */
    organization: z.string().max(200).optional(),
    /** It opens every organization, and backups. */
    server: z.literal(true).optional(),
    /** It may change things. */
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
      summary: "Make an admin key",
      example: { name: "Nightly reports", server: true, expiresDays: 90 },
      replies: gives(201, "The key, with its text: nobody is told it again.", newAdminKeyShape),
      errors: ["not_found"],
      body: adminKeySchema,
      async run({ body }) {
        const { name, organization, server, write, expiresDays } = await body();
        const organizationId = server ? undefined : (await sites.organization(organization)).id;
        const { key, text } = await adminKeys.create({ name, organizationId, mayWrite: write, expiresDays });
        return reply({ ...adminKeyJson(key, clock()), key: text }, { status: 201 });
      },
    }),
    adminOperation({
      id: "revokeAdminKey",
      method: "DELETE",
      path: "/v1/admin/admin-keys/:id",
      tag: "Admin: admin keys",
      guard: guards.serverWrites,
      summary: "Revoke an admin key",
      replies: gives(200, "The key as it is now.", adminKeyShape),
      async run({ param }) {
        const found = (await adminKeys.list()).find(({ id }) => id === param("id"));
        if (!found) throw new AppError("not_found", "Not found");
        return reply(adminKeyJson(await adminKeys.revoke(found.id), clock()));
      },
    }),
  ];
}
