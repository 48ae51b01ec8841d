import { Elysia } from "elysia";
import { AppError } from "../errors.ts";
import type { Admin, AdminKeys } from "../keys/admin-keys.ts";
import type { SiteDirectory } from "../sites/directory.ts";
import type { Site } from "../sites/sites.ts";
import { bearer, findSite } from "./gate.ts";
import { checkSentHere, type HostMatcher } from "./host-check.ts";

/** What every route that an admin key opens needs. */
export interface AdminGuardDeps {
  adminKeys: Pick<AdminKeys, "authenticate">;
  directory: SiteDirectory;
  /** The host names under which these routes answer. */
  isNamedHost: HostMatcher;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
}

/** What a route changes, or only reads. */
export interface AdminRights {
  write: boolean;
}

/** What a route that an admin key opens knows of who asks. */
export type AdminGuarded = {
  admin: Admin;
  /** The site that `{domain}` names, where the route has one. */
  site: Site | undefined;
};

/**
 * Where it was sent, then the key, then what the key may do, then the site: a stranger learns nothing, not even whether a
 * site exists. It has no name, on purpose: Elysia merges plugins of one name, whatever they were given.
 */
export function adminGuardPlugin(deps: AdminGuardDeps, rights: AdminRights) {
  return new Elysia().derive({ as: "scoped" }, async ({ request, params, set }): Promise<AdminGuarded> => {
    set.headers["cache-control"] = "no-store";
    const admin = await admit(deps, rights, request);
    // There are none where the path has none, and null is one that cannot be decoded.
    const parts: Readonly<Record<string, string | null | undefined>> | undefined = params;
    const domain = parts?.["domain"];
    return { admin, site: domain === undefined ? undefined : managedSite(deps, admin, domain ?? "") };
  });
}

async function admit(deps: AdminGuardDeps, { write }: AdminRights, request: Request): Promise<Admin> {
  checkSentHere(request, deps.isNamedHost, deps.publicUrl());
  const admin = await deps.adminKeys.authenticate(bearer(request));
  if (write && !admin.mayWrite) throw new AppError("forbidden", "This admin key may only read.");
  return admin;
}

/** A site that the admin does not manage is answered for as one that does not exist. */
function managedSite({ directory }: AdminGuardDeps, admin: Admin, domain: string): Site {
  return findSite(directory, ({ organizationId }) => admin.manages(organizationId), domain);
}
