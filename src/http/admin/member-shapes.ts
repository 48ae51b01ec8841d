import { z } from "zod";
import type { memberJson } from "../../members/json.ts";
import { ROLES } from "../../members/member.ts";
import { moment } from "./shapes.ts";

// The replies of the operations that manage members.

export const roleShape = z.enum(ROLES).meta({ id: "Role" });

const memberFields = z.object({
  id: z.string(),
  name: z.string(),
  isServerOwner: z.boolean(),
  /** In the organizations that are open to who asks. */
  roles: z.array(z.object({ organizationId: z.string(), role: roleShape }).meta({ id: "MemberRole" })),
  state: z.enum(["active", "invited"]),
  lastSeenAt: moment.nullable(),
}) satisfies z.ZodType<ReturnType<typeof memberJson>>;
export const memberShape = memberFields.meta({ id: "Member" });
/** The link is told this once. */
const linkFields = z.object({ link: z.string(), expiresAt: moment });
export const memberLinkShape = linkFields.meta({ id: "MemberLink" });
export const newMemberShape = linkFields.extend({ member: memberShape }).meta({ id: "InvitedMember" });
