import { z } from "zod";
import { AppError } from "../errors.ts";
import type { Admin } from "../keys/admin-keys.ts";
import { organizationJson } from "../sites/site-json.ts";
import type { Organization, Sites } from "../sites/sites.ts";
import { type AdminOperation, operation, reply } from "./admin-operation.ts";
import type { AdminOptions } from "./admin-options.ts";
import { organizationShape } from "./openapi/admin-shapes.ts";
import { gives } from "./openapi/gives.ts";

const organizationSchema = z.strictObject({ name: z.string().max(200) });

/** Organizations: a key of one sees its own. */
export function organizationOperations({ sites }: Pick<AdminOptions, "sites">): AdminOperation[] {
  return [
    operation({
      method: "GET",
      path: "/organizations",
      summary: "List the organizations",
      replies: gives(200, "The organizations that the key manages.", z.array(organizationShape)),
      run: async ({ admin }) => reply((await managedOrganizations(sites, admin)).map(organizationJson)),
    }),
    operation({
      ...{ method: "POST", path: "/organizations", writes: true, serverOnly: true },
      summary: "Add an organization",
      example: { name: "Example Ltd" },
      replies: gives(201, "The organization.", organizationShape),
      body: organizationSchema,
      async run({ body }) {
        const { name } = await body();
        return reply(organizationJson(await sites.addOrganization(name)), { status: 201 });
      },
    }),
  ];
}

/** The organizations that an admin manages. */
async function managedOrganizations(sites: Sites, admin: Admin): Promise<Organization[]> {
  return (await sites.listOrganizations()).filter(({ id }) => admin.manages(id));
}

/** The organization of that name or id; the first one where none is named. One that is not managed is not there. */
export async function managedOrganization(
  sites: Sites,
  admin: Admin,
  named: string | undefined,
): Promise<Organization> {
  const managed = await managedOrganizations(sites, admin);
  const found =
    named === undefined ? managed[0] : managed.find(({ id, name }) => id === named || name === named);
  if (found) return found;
  throw new AppError("not_found", `There is no organization ${named ?? ""}.`);
}
