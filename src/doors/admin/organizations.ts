import { AppError } from "@docent/kernel/errors";
import type { Admin } from "@docent/people/keys/admin-keys";
import { type Organization, organizationJson, type Sites } from "@docent/sites/site/sites";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation, mayOnlyRead } from "./guard.ts";
import { organizationShape } from "./shapes.ts";

const organizationSchema = z.strictObject({ name: z.string().max(200) }).meta({ id: "NewOrganization" });

/** Organizations: each sees its own. */
export function organizationOperations(
  { sites }: Pick<AdminOptions, "sites">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listOrganizations",
      method: "GET",
      path: "/v1/admin/organizations",
      tag: "Admin: organizations",
      guard: guards.reads,
      summary: "List the organizations",
      replies: gives(200, "The organizations that are open to who asks.", z.array(organizationShape)),
      run: async ({ admin }) =>
        reply((await sites.listOrganizations()).filter(({ id }) => admin.sees(id)).map(organizationJson)),
    }),
    adminOperation({
      id: "addOrganization",
      method: "POST",
      path: "/v1/admin/organizations",
      tag: "Admin: organizations",
      guard: guards.serverWrites,
      records: ["organization.added"],
      summary: "Add an organization",
      example: { name: "Example Ltd" },
      replies: gives(201, "The organization.", organizationShape),
      errors: ["not_found"],
      body: organizationSchema,
      async run({ record, body }) {
        const added = await sites.addOrganization((await body()).name);
        const { id, name } = added;
        await record({ kind: "organization.added", subject: { id, name }, organizationIds: [id] });
        return reply(organizationJson(added), { status: 201 });
      },
    }),
  ];
}

/**
 * The organization of that name or id; the first one where none is named. One that is not seen is not there. Raises
 * `forbidden` for one that may only be read where something is written.
 */
export async function managedOrganization(
  sites: Sites,
  admin: Admin,
  named: string | undefined,
): Promise<Organization> {
  const seen = (await sites.listOrganizations()).filter(({ id }) => admin.sees(id));
  const found =
    named === undefined
      ? seen.find(({ id }) => admin.manages(id))
      : seen.find(({ id, name }) => id === named || name === named);
  if (found && !admin.manages(found.id)) throw mayOnlyRead(admin);
  if (found) return found;
  throw new AppError("not_found", `There is no organization ${named ?? ""}.`);
}
