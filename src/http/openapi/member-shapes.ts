import { z } from "zod";
import { ROLES } from "../../members/member.ts";
import type { memberJson } from "../../members/member-json.ts";
import { moment } from "./admin-shapes.ts";

// The replies of the operations that manage members.

export const memberShape = z.object({
  id: z.string(),
  name: z.string(),
  isServerOwner: z.boolean(),
  /** In the organizations that are open to who asks. */
  roles: z.array(z.object({ organizationId: z.string(), role: z.enum(ROLES) })),
  state: z.enum(["active", "invited"]),
  lastSeenAt: moment.nullable(),
}) satisfies z.ZodType<ReturnType<typeof memberJson>>;
/** The link is told this once. */
export const memberLinkShape = z.object({ link: z.string(), expiresAt: moment });
export const newMemberShape = memberLinkShape.extend({ member: memberShape });
