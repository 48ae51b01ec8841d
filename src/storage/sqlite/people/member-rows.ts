import { z } from "zod";
import { type Member, ROLES } from "../../../members/member.ts";

/** A member as it is read, with its roles beside it. */
export interface MemberRow {
  id: string;
  name: string;
  is_server_owner: number;
  is_active: number;
  created_at: number;
  last_seen_at: number | null;
  roles: string;
}

/** The columns of a `MemberRow`, of the table `members`. */
export const MEMBER_COLUMNS = `members.id, members.name, members.is_server_owner, members.created_at,
  members.last_seen_at, members.password_hash IS NOT NULL AS is_active,
  (SELECT json_group_array(json_object('organizationId', organization_id, 'role', role) ORDER BY organization_id)
   FROM member_roles WHERE member_id = members.id) AS roles`;

const rolesSchema = z.array(z.object({ organizationId: z.string(), role: z.enum(ROLES) }));

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    isServerOwner: row.is_server_owner === 1,
    roles: rolesSchema.parse(JSON.parse(row.roles)),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at ?? undefined,
  };
}
