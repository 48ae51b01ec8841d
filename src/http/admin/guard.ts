import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import { type Admin, forWriting } from "../../keys/admin.ts";
import type { AdminKeys } from "../../keys/admin-keys.ts";
import type { Sessions } from "../../members/sessions.ts";
import type { SiteDirectory } from "../../sites/directory.ts";
import type { Site } from "../../sites/sites.ts";
import { bearer, findSite } from "../guard/gate.ts";
import { checkOwnPage, checkSentHere, type HostMatcher } from "../guard/host-check.ts";
import type { SessionCookie } from "../session/cookie.ts";
import { memberAdmin, signedOut } from "../session/guard.ts";

/** What every route that an admin key or a member's session opens needs. */
export interface AdminGuardDeps {
  adminKeys: Pick<AdminKeys, "authenticate">;
  sessions: Pick<Sessions, "authenticate">;
  /** The cookie of sessions. Known once the server listens. */
  cookie: () => SessionCookie;
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

/** What a route that an admin opens knows of who asks. */
export type AdminGuarded = {
  admin: Admin;
  /** The site that `{domain}` names, where the route has one. */
  site: Site | undefined;
  /**
   * Asks the same once more, after what took long to arrive: whoever sends it may have been removed meanwhile, and the
   * site too. Raises what the first time would have raised.
   */
  admitAgain(): Promise<void>;
};

/**
 * Where it was sent, then who asks, then what they may do, then the site: a stranger learns nothing, not even whether a
 * site exists. It has no name, on purpose: Elysia merges plugins of one name, whatever they were given.
 */
export function adminGuardPlugin(deps: AdminGuardDeps, rights: AdminRights) {
  return new Elysia().derive({ as: "scoped" }, async ({ request, params, set }): Promise<AdminGuarded> => {
    set.headers["cache-control"] = "no-store";
    // There are none where the path has none, and null is one that cannot be decoded.
    const parts: Readonly<Record<string, string | null | undefined>> | undefined = params;
    const domain = parts?.["domain"];
    const admitted = async () => {
      const admin = await admit(deps, rights, request);
      return { admin, site: domain === undefined ? undefined : managedSite(deps, admin, domain ?? "") };
    };
    const { admin, site } = await admitted();
    return {
      admin,
      site,
      async admitAgain() {
        await deps.directory.refresh();
        // Another one may have been given its domain.
        if ((await admitted()).site?.id !== site?.id) throw new AppError("not_found", "Not found");
      },
    };
  });
}

async function admit(deps: AdminGuardDeps, { write }: AdminRights, request: Request): Promise<Admin> {
  checkSentHere(request, deps.isNamedHost, deps.publicUrl());
  const admin = await identify(deps, request);
  if (!write) return admin;
  if (!admin.mayWrite) throw mayOnlyRead(admin);
  return forWriting(admin);
}

/** A key that is sent on purpose comes before a cookie that the browser sends by itself. */
async function identify(deps: AdminGuardDeps, request: Request): Promise<Admin> {
  const secret = deps.cookie().read(request);
  if (request.headers.has("authorization") || secret === undefined)
    return deps.adminKeys.authenticate(bearer(request));
  checkOwnPage(request);
  const signedIn = await deps.sessions.authenticate(secret);
  return memberAdmin((signedIn ?? signedOut()).member);
}

/** A site that the admin does not see is answered for as one that does not exist. */
function managedSite({ directory }: AdminGuardDeps, admin: Admin, domain: string): Site {
  const site = findSite(directory, ({ organizationId }) => admin.sees(organizationId), domain);
  if (!admin.manages(site.organizationId)) throw mayOnlyRead(admin);
  return site;
}

/** What may be read, and not changed. */
export function mayOnlyRead({ kind }: Pick<Admin, "kind">): AppError {
  return new AppError(
    "forbidden",
    kind === "key" ? "This admin key may only read." : "You may read this, and not change it.",
  );
}

/** A session that is not used ends after five minutes at the soonest: what arrives is a use of it. */
const CHECK_MS = 60_000;

/**
 * What comes, for as long as whoever sends it may send it: that is checked every minute, and once more at the end. Raises
 * what the check raises.
 */
export async function* whileAdmitted(
  pieces: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
  { everyMs = CHECK_MS } = {},
): AsyncGenerator<Uint8Array> {
  let isDue = false;
  const timer = setInterval(() => {
    isDue = true;
  }, everyMs);
  try {
    for await (const piece of pieces) {
      if (isDue) await check();
      isDue = false;
      yield piece;
    }
    await check();
  } finally {
    clearInterval(timer);
  }
}
