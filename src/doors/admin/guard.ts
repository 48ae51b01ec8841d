import { AppError } from "@docent/kernel/errors";
import { type Audit, type AuditActor, aboutSite, type Recorder } from "@docent/people/audit/audit";
import { type Admin, type AdminKeys, forWriting } from "@docent/people/keys/admin-keys";
import type { Sessions } from "@docent/people/members/sign-in";
import type { SiteDirectory } from "@docent/sites/site/directory";
import type { Site } from "@docent/sites/site/sites";
import { bearer, checkOwnPage, checkSentHere, findSite, type HostMatcher } from "../guard/guard.ts";
import { type Guard, notFound, type Operation, operation } from "../operation.ts";
import type { SessionCookie } from "../session/cookie.ts";
import { memberAdmin, type Proxied, signedOut } from "../session/guard.ts";

/** What the guards of the admin API work with. */
export interface AdminGuardDeps {
  adminKeys: Pick<AdminKeys, "authenticate">;
  sessions: Pick<Sessions, "authenticate">;
  audit: Pick<Audit, "record">;
  /** The cookie of sessions. Known once the server listens. */
  cookie: () => SessionCookie;
  /** The member whom the proxy in front has signed in. */
  proxied: Proxied;
  directory: SiteDirectory;
  /** The host names under which these routes answer. */
  isNamedHost: HostMatcher;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
}

/** What an operation knows of who asks with an admin key, or signed in. */
export interface AdminGuarded {
  admin: Admin;
  /** The site in the path, which the admin sees; where something is written, one that it may change. */
  site(): Site;
  /** Keeps in the audit log what was done just now, by this admin and to the site in the path if there is one. */
  record: Recorder;
  /**
   * Asks the same once more, after what took long to arrive: whoever sends it may have been removed meanwhile, and the
   * site too. Raises what the first time would have raised.
   */
  admitAgain(): Promise<void>;
}

/** The guards of the admin API and of analytics: for what is read or written, and for what is the server's own. */
export interface AdminGuards {
  reads: Guard<AdminGuarded>;
  writes: Guard<AdminGuarded>;
  serverReads: Guard<AdminGuarded>;
  serverWrites: Guard<AdminGuarded>;
}

const ERRORS = ["invalid_request", "unauthorized", "forbidden", "internal", "unavailable"] as const;
const WRITES = "For owners, and for keys that may write.";
const SERVER_ONLY = "For owners and keys of the server alone.";

export function adminGuards(deps: AdminGuardDeps): AdminGuards {
  return {
    reads: adminGuard(deps, { write: false }),
    writes: adminGuard(deps, { write: true }),
    serverReads: adminGuard(deps, { write: false, serverOnly: true }),
    serverWrites: adminGuard(deps, { write: true, serverOnly: true }),
  };
}

/** An operation that an admin key or a member's session opens. A body may be left out where all of it may be. */
export function adminOperation<Body = never, Query = never>(
  one: Operation<AdminGuarded, Body, Query>,
): Operation {
  return operation({ ...one, mayLackBody: true });
}

interface Rights {
  /** Whoever may only read is refused. */
  write: boolean;
  /** Owners and keys of one organization are refused. */
  serverOnly?: boolean;
}

/**
 * Where it was sent, then who asks, then what they may do, then the site: a stranger learns nothing, not even whether a
 * site exists.
 */
function adminGuard(deps: AdminGuardDeps, { write, serverOnly = false }: Rights): Guard<AdminGuarded> {
  return {
    opens: "admin",
    errors: write ? [...ERRORS, "conflict"] : ERRORS,
    ...(serverOnly ? { note: SERVER_ONLY } : write ? { note: WRITES } : {}),
    async admit({ request, params, peer, replyHeaders }) {
      replyHeaders["cache-control"] = "no-store";
      const domain = params["domain"];
      const admitted = async () => {
        const admin = await admit(deps, write, request, peer());
        return { admin, site: domain === undefined ? undefined : managedSite(deps, admin, domain ?? "") };
      };
      const { admin, site } = await admitted();
      if (serverOnly && !admin.isServer) throw serverNeeded(admin);
      return {
        admin,
        site: () => site ?? notFound(),
        record: (event) => deps.audit.record(actorOf(admin), site ? { ...aboutSite(site), ...event } : event),
        async admitAgain() {
          await deps.directory.refresh();
          // Another site may have been given its domain.
          if ((await admitted()).site?.id !== site?.id) notFound();
        },
      };
    },
  };
}

async function admit(
  deps: AdminGuardDeps,
  write: boolean,
  request: Request,
  peer: string | undefined,
): Promise<Admin> {
  checkSentHere(request, deps.isNamedHost, deps.publicUrl());
  const admin = await identify(deps, request, peer);
  if (!write) return admin;
  if (!admin.mayWrite) throw mayOnlyRead(admin);
  return forWriting(admin);
}

/**
 * A key that is sent on purpose comes before what a browser brings by itself: what the proxy in front says of it, and its
 * cookie.
 */
async function identify(deps: AdminGuardDeps, request: Request, peer: string | undefined): Promise<Admin> {
  const hasKey = request.headers.has("authorization");
  const member = hasKey ? undefined : await deps.proxied(request, peer);
  const secret = deps.cookie().read(request);
  if (hasKey || (member === undefined && secret === undefined))
    return deps.adminKeys.authenticate(bearer(request));
  checkOwnPage(request);
  if (member !== undefined) return memberAdmin(member);
  const signedIn = await deps.sessions.authenticate(secret);
  return memberAdmin((signedIn ?? signedOut()).member);
}

const actorOf = ({ kind, id, name }: Admin): AuditActor => ({
  kind: kind === "key" ? "admin-key" : kind,
  id,
  name,
});

/** A site that the admin does not see is answered for as one that does not exist. */
function managedSite({ directory }: AdminGuardDeps, admin: Admin, domain: string): Site {
  const site = findSite(directory, ({ organizationId }) => admin.sees(organizationId), domain);
  if (!admin.manages(site.organizationId)) throw mayOnlyRead(admin);
  return site;
}

/** The error for what an admin may read, and not change. */
export function mayOnlyRead({ kind }: Pick<Admin, "kind">): AppError {
  return new AppError(
    "forbidden",
    kind === "key" ? "This admin key may only read." : "You may read this, and not change it.",
  );
}

function serverNeeded({ kind }: Admin): AppError {
  return new AppError(
    "forbidden",
    kind === "key"
      ? "This needs an admin key of the server: this key is an organization's."
      : "This is for owners of the server.",
  );
}

/** How often is checked. A session that is not used ends after five minutes at the soonest: an upload is a use of it. */
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
