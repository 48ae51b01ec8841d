import { type Clock, MINUTE_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log, LogFields } from "@docent/kernel/lib/log";
import { grantedBy, type Identity, type MemberRules } from "../identity/identity.ts";
import { type Member, memberNameSchema, nameKeyOf, type Role } from "./member.ts";
import type { PasswordSettings } from "./password-rule.ts";
import type { Arrived, MemberStore } from "./stores.ts";

/** What a member became or stopped being: in an organization, or on the server where none is named. */
interface RoleChange {
  organizationId: string | undefined;
  role: Role | "server-owner" | "none";
}

/** Somebody whom a provider or a proxy brought. */
export interface Brought {
  /** Undefined where their groups make them nothing here. */
  member: Member | undefined;
  /** Whom it is about even so: somebody who was a member before. */
  known: Member | undefined;
  changes: RoleChange[];
}

/** By whom somebody comes. */
interface BroughtBy {
  /** Its name in the sign-in file. */
  provider: string;
  rules: MemberRules;
}

interface ArrivalsDeps {
  settings: Pick<PasswordSettings, "emergency_member">;
  store: Pick<MemberStore, "arrive" | "findVouched" | "seen">;
  listOrganizations(): Promise<readonly { id: string; name: string }[]>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Makes members of those for whom somebody vouches, and keeps what they may do as their groups say. */
export interface Arrivals {
  /** Somebody who signs in. */
  bring(identity: Identity, by: BroughtBy): Promise<Brought>;
  /** Somebody whom each request names anew: nothing is written where nothing has changed. */
  meet(identity: Identity, by: BroughtBy): Promise<Brought>;
}

/** Leaves room for what tells it from a name that somebody has. */
const NAME_CHARACTERS_MAX = 50;
const SEEN_EVERY_MS = MINUTE_MS;
const WARNED_MAX = 100;

type Granted = Pick<Member, "isServerOwner" | "roles">;

export function createArrivals(deps: ArrivalsDeps): Arrivals {
  const { store, clock, ids } = deps;
  const warnOnce = warningOnce(deps.log);

  async function grant({ groups }: Identity, { rules, provider }: BroughtBy): Promise<Granted> {
    const { isServerOwner, roles: named } = grantedBy(rules, groups);
    const organizations = await deps.listOrganizations();
    const roles = new Map<string, Role>();
    for (const { organization, role } of named) {
      const id = organizations.find((each) => each.id === organization || each.name === organization)?.id;
      // Owners come first: who is both is an owner.
      if (id !== undefined) roles.set(id, roles.get(id) ?? role);
      else
        warnOnce("the sign-in file names an organization that there is not", organization, {
          provider,
          organization,
        });
    }
    return { isServerOwner, roles: [...roles].map(([organizationId, role]) => ({ organizationId, role })) };
  }

  async function arrive(identity: Identity, by: BroughtBy, granted: Granted): Promise<Brought> {
    const { issuer, subject } = identity;
    const id = ids.ulid();
    const vouched = { issuer, subject, provider: by.provider };
    // Kept free: whoever had it could stand where the one for emergencies is looked for.
    const reserved = nameKeyOf(deps.settings.emergency_member);
    const names = namesFor(identity, by.provider, id).filter(({ nameKey }) => nameKey !== reserved);
    const brought = broughtBy(await store.arrive({ ...granted, vouched, id, createdAt: clock(), names }));
    if (brought.member?.isServerOwner && !granted.isServerOwner)
      warnOnce("the last owner of the server stays one, whatever their groups say", brought.member.id, {
        member: brought.member.id,
      });
    return brought;
  }

  return {
    bring: async (identity, by) => arrive(identity, by, await grant(identity, by)),
    async meet(identity, by) {
      const [granted, known] = await Promise.all([
        grant(identity, by),
        store.findVouched(identity.issuer, identity.subject),
      ]);
      const isSame =
        known !== undefined &&
        known.vouched?.provider === by.provider &&
        changesBetween(known, granted).length === 0;
      const brought = isSame
        ? broughtBy({ member: known, before: known })
        : await arrive(identity, by, granted);
      const { member } = brought;
      if (member !== undefined && clock() - (member.lastSeenAt ?? 0) >= SEEN_EVERY_MS)
        await store.seen(member.id, clock());
      return brought;
    },
  };
}

/** Warns of each thing once: who comes is asked about at every request. */
function warningOnce(log: Log) {
  const warned = new Set<string>();
  return (event: string, of: string, fields: LogFields) => {
    const key = `${event} ${of}`;
    if (warned.has(key) || warned.size >= WARNED_MAX) return;
    warned.add(key);
    log.warn(event, fields);
  };
}

function broughtBy({ member, before }: Arrived): Brought {
  const isNothing = member === undefined || (!member.isServerOwner && member.roles.length === 0);
  return {
    member: isNothing ? undefined : member,
    known: member,
    changes:
      member === undefined ? [] : changesBetween(before ?? { isServerOwner: false, roles: [] }, member),
  };
}

function changesBetween(before: Granted, after: Granted): RoleChange[] {
  const roleIn = ({ roles }: Granted, organizationId: string) =>
    roles.find((each) => each.organizationId === organizationId)?.role ?? "none";
  const organizations = new Set(
    [...before.roles, ...after.roles].map(({ organizationId }) => organizationId),
  );
  const inOrganizations = [...organizations]
    .filter((id) => roleIn(before, id) !== roleIn(after, id))
    .map((id): RoleChange => ({ organizationId: id, role: roleIn(after, id) }));
  if (before.isServerOwner === after.isServerOwner) return inOrganizations;
  const role = after.isServerOwner ? "server-owner" : "none";
  return [{ organizationId: undefined, role }, ...inOrganizations];
}

/** Whoever has the name already keeps it: who comes by a provider is told apart. */
function namesFor({ name, subject }: Identity, provider: string, id: string) {
  const shortened = (text: string) => [...text].slice(0, NAME_CHARACTERS_MAX).join("");
  const given = [name, subject].map((each) => memberNameSchema.safeParse(shortened(each ?? "")).data);
  const own = given.find((each) => each !== undefined) ?? "Member";
  return [own, `${own} (${provider})`, `${own} (${id})`].map((each) => ({
    name: each,
    nameKey: nameKeyOf(each),
  }));
}
