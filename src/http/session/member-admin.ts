import { type Admin, createAdmin } from "../../keys/admin.ts";
import { type Member, roleIn } from "../../members/member.ts";

/** A member, as the operations know who asks. */
export function memberAdmin(member: Member): Admin {
  const { id, isServerOwner, roles } = member;
  return createAdmin({
    kind: "member",
    id,
    isServer: isServerOwner,
    mayWrite: isServerOwner || roles.some(({ role }) => role === "owner"),
    sees: (organizationId) => roleIn(member, organizationId) !== undefined,
    mayChange: (organizationId) => roleIn(member, organizationId) === "owner",
  });
}
