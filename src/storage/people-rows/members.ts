import { type Member, ROLES } from "@docent/people/members/member";
import type { Session } from "@docent/people/members/stores";
import { z } from "zod";

/** A member as it is read, with its roles beside it. */
export interface MemberRow {
  id: string;
  name: string;
  isServerOwner: number;
  isActive: number;
  createdAt: number;
  lastSeenAt: number | null;
  issuer: string | null;
  subject: string | null;
  vouchedBy: string | null;
  roles: string;
}

const rolesSchema = z.lazy(() => z.array(z.object({ organizationId: z.string(), role: z.enum(ROLES) })));

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    isServerOwner: row.isServerOwner === 1,
    roles: rolesSchema.parse(JSON.parse(row.roles)),
    isActive: row.isActive === 1,
    vouched: vouchedIn(row),
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt ?? undefined,
  };
}

function vouchedIn({ issuer, subject, vouchedBy }: MemberRow): Member["vouched"] {
  return issuer === null || subject === null ? undefined : { issuer, subject, provider: vouchedBy ?? "" };
}

/** A session, with its member beside it. */
export interface SessionRow {
  sessionId: string;
  memberId: string;
  beganAt: number;
  lastUsedAt: number;
  address: string;
  agent: string;
  provider: string | null;
  sid: string | null;
  idToken: string | null;
  endsAt: number | null;
}

export function toSession(row: SessionRow): Session {
  return {
    id: row.sessionId,
    memberId: row.memberId,
    createdAt: row.beganAt,
    lastUsedAt: row.lastUsedAt,
    address: row.address,
    agent: row.agent,
    provided: providedIn(row),
  };
}

function providedIn({ provider, sid, idToken, endsAt }: SessionRow): Session["provided"] {
  if (provider === null) return undefined;
  return { provider, sid: sid ?? undefined, idToken: idToken ?? undefined, endsAt: endsAt ?? 0 };
}
