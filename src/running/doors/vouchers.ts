import { readFileSync } from "node:fs";
import type { Proxied } from "@docent/doors/session/session";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { readCertificateAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { type Audit, type AuditEvent, aboutMember } from "@docent/people/audit/audit";
import { openVouchers, readSignInFile, type Vouchers } from "@docent/people/identity/identity";
import { nameKeyOf } from "@docent/people/members/member";
import type { Members } from "@docent/people/members/members";
import { type Arrivals, type Brought, createArrivals } from "@docent/people/members/sign-in";
import type { Parts } from "../app/parts.ts";
import { openSeal } from "../app/seal.ts";
import type { Surroundings } from "../app/surroundings.ts";

/** Who else signs people in, and what they become here. */
export interface SignInParts {
  vouchers: Vouchers;
  arrivals: Arrivals;
  proxied: Proxied;
}

/** Reads the sign-in file and opens whom it names. Raises `invalid_request` with what is wrong in it. */
export async function openSignInParts(
  surroundings: Surroundings,
  { ids, people, storage }: Parts,
): Promise<SignInParts> {
  const { config, clock, log, environment } = surroundings;
  const readFile = (path: string) => readFileSync(path, "utf8");
  await checkEmergencies(config, people.members, log);
  const vouchers = await openVouchers({
    file: readSignInFile(config.sign_in_file, { environment, readFile }),
    secret: people.signInSecret,
    certificateAuthorities: readCertificateAuthorities(config),
    seal: openSeal(surroundings),
    once: storage.people.once,
    clock,
    ids,
    log,
  });
  const arrivals = recorded(
    people.audit,
    createArrivals({
      settings: config,
      store: storage.people.members,
      listOrganizations: people.sites.listOrganizations,
      clock,
      ids,
      log,
    }),
  );
  const visitMs = config.provider_session_seconds * SECOND_MS;
  const proxied = createProxied({ vouchers, arrivals, audit: people.audit, clock, visitMs });
  return { vouchers, arrivals, proxied };
}

/** Raises `invalid_request` where nobody could sign in; warns where nobody could in an emergency. */
async function checkEmergencies(
  { passwords, emergency_member, sign_in_file }: Config,
  members: Pick<Members, "list">,
  log: Log,
): Promise<void> {
  if (passwords === "on") return;
  if (sign_in_file === "" || emergency_member === "")
    throw new AppError("invalid_request", "passwords: emergency needs sign_in_file and emergency_member.", {
      hint: "Name a file with providers, and the member who can sign in with a password when they are away.",
    });
  const key = nameKeyOf(emergency_member);
  const found = (await members.list()).find(({ name }) => nameKeyOf(name) === key);
  if (found?.isActive !== true || !found.isServerOwner || found.vouched !== undefined)
    log.warn(
      "nobody can sign in when every provider is away: emergency_member is no server owner with a password",
      {
        emergency_member,
      },
    );
}

/** The same, which keeps in the audit log what members become and stop being by it. */
function recorded(audit: Pick<Audit, "record">, arrivals: Arrivals): Arrivals {
  const record = async (brought: Brought): Promise<Brought> => {
    const { known, changes } = brought;
    if (known === undefined) return brought;
    for (const { organizationId, role } of changes) {
      const about = aboutMember(known);
      const organizationIds = organizationId === undefined ? about.organizationIds : [organizationId];
      const event: AuditEvent = { kind: "member.role-changed", ...about, organizationIds, details: { role } };
      await audit.record({ kind: "server" }, event);
    }
    return brought;
  };
  return {
    bring: async (identity, by) => record(await arrivals.bring(identity, by)),
    meet: async (identity, by) => record(await arrivals.meet(identity, by)),
  };
}

interface ProxiedDeps {
  vouchers: Pick<Vouchers, "proxy">;
  arrivals: Arrivals;
  audit: Pick<Audit, "record">;
  clock: Clock;
  /** Whoever comes again later than so has signed in anew. */
  visitMs: number;
}

/** Members whom the proxy in front has signed in: each request says it anew, and there is no session. */
function createProxied({ vouchers: { proxy }, arrivals, audit, clock, visitMs }: ProxiedDeps): Proxied {
  return async (request, peer) => {
    const identity = proxy?.identify(request, peer);
    const rules = proxy?.members;
    if (identity === undefined || rules === undefined) return undefined;
    const { member } = await arrivals.meet(identity, { provider: "proxy", rules });
    if (member === undefined)
      throw new AppError(
        "forbidden",
        "You have signed in, but none of your groups lets you in here. Ask whoever runs this server.",
      );
    const { id, name, lastSeenAt } = member;
    if (lastSeenAt === undefined || clock() - lastSeenAt >= visitMs)
      await audit.record(
        { kind: "member", id, name },
        { kind: "member.signed-in", ...aboutMember(member), details: { with: "proxy" } },
      );
    return member;
  };
}
