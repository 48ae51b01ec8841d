import type { memberLinkShape, memberShape, newMemberShape } from "@docent/doors/admin/shapes";
import type { z } from "zod";
import type { Role, Session } from "../session-context.ts";

/** A member, as the list of members tells of them. */
export type MemberView = z.output<typeof memberShape>;
/** A member who was just invited, with the link that is told this once. */
export type NewMember = z.output<typeof newMemberShape>;
/** A link that is told this once. */
export type MemberLink = z.output<typeof memberLinkShape>;

export const ROLE_NAMES: Record<Role, string> = { owner: "Owner", viewer: "Viewer" };

/** The organizations in which who is signed in may give roles. */
export const ownedOrganizations = ({ member, organizations }: Session) =>
  organizations.filter(({ role }) => member.isServerOwner || role === "owner");
