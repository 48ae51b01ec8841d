import { AppError } from "@docent/kernel/errors";
import { AUDIT_KINDS } from "@docent/people/audit/audit";
import type { Admin } from "@docent/people/keys/admin-keys";
import type { Sites } from "@docent/sites/site/sites";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import { describedAs, listFields, readPeriod } from "../request/fields.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { auditListShape } from "./shapes.ts";

/** Several kinds, with commas between them. */
const kinds = describedAs(
  z
    .string()
    .max(2000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(AUDIT_KINDS))),
  z.string().regex(new RegExp(`^(${AUDIT_KINDS.join("|")})(,(${AUDIT_KINDS.join("|")}))*$`)),
);
const listSchema = z.object({ ...listFields, kind: kinds.optional(), actor: z.string().max(100).optional() });

/** The log of what was done: there is no operation that changes it. */
export function auditOperations(
  { audit, sites }: Pick<AdminOptions, "audit" | "sites">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listAuditEntries",
      method: "GET",
      path: "/v1/admin/audit",
      tag: "Admin: audit log",
      guard: guards.reads,
      summary: "List who signed in, and who changed what",
      description:
        "For owners, for keys of the server, and for an organization's keys that may write. `kind` takes several, with commas between them; `actor` is the id of a member or an admin key, or `command-line`, `server`, `nobody`. Looks at 20,000 entries at most: a part may be short or empty and yet not be the last.",
      query: listSchema,
      replies: gives(200, "A part of the log, newest first.", auditListShape),
      async run({ admin, query, signal }) {
        const { kind, actor, ...part } = query();
        const organizationIds = await readableOrganizations(sites, admin);
        const filter = { kinds: kind, actor, organizationIds };
        return reply(await audit.list(readPeriod(part), filter, part, signal));
      },
    }),
  ];
}

/** The organizations whose entries an admin may read; undefined: all of them, and the server's own. */
async function readableOrganizations(sites: Sites, admin: Admin): Promise<string[] | undefined> {
  if (admin.isServer) return undefined;
  // Who only looks sees what a site has, and not what its owners do.
  const readable = (await sites.listOrganizations()).map(({ id }) => id).filter(admin.mayChange);
  if (readable.length > 0) return readable;
  throw new AppError("forbidden", "The audit log is for owners, and for keys that may write.");
}
