import { isoTime } from "@docent/kernel/lib/iso-time";
import { z } from "zod";

/** What a member may do in an organization: change things, or only see them. */
export const ROLES = ["owner", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** By whom a member is known, and under which name: the same person again, whatever they are called. */
export interface Vouched {
  issuer: string;
  subject: string;
  /** The name of the provider in the sign-in file; `proxy` of the proxy that signs in. */
  provider: string;
}

/** A person who signs in to the dashboard. */
export interface Member {
  id: string;
  /** Unique on the server; one in other letters' case is the same. */
  name: string;
  /** Manages every organization, and the server itself. */
  isServerOwner: boolean;
  roles: { organizationId: string; role: Role }[];
  /** Has chosen a password, or is vouched for, and can sign in. */
  isActive: boolean;
  /** Who vouches for them; undefined for who has a password, or is to choose one. */
  vouched: Vouched | undefined;
  createdAt: number;
  lastSeenAt: number | undefined;
}

const NAME_CHARACTERS_MAX = 100;
/** What would break a line, hide, or turn the direction of the text around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** A member's name, as it is stored. */
export const memberNameSchema = z
  .string()
  .max(4 * NAME_CHARACTERS_MAX)
  .refine((name) => name.isWellFormed(), "must be text")
  .transform((name) => name.normalize("NFC").trim())
  .refine(
    (name) => name.length > 0 && [...name].length <= NAME_CHARACTERS_MAX,
    `must have 1 to ${NAME_CHARACTERS_MAX} characters`,
  )
  .refine((name) => !UNSEEN.test(name), "must be one line, without characters that nobody sees");

/** What two names are compared by: letters in another case, or written otherwise, make no other name. */
export const nameKeyOf = (name: string) => name.normalize("NFKC").trim().toLowerCase();

/** What a member is in an organization: an owner of the server is an owner of every one. */
export function roleIn({ isServerOwner, roles }: Member, organizationId: string): Role | undefined {
  return isServerOwner ? "owner" : roles.find((each) => each.organizationId === organizationId)?.role;
}

/** A member as the CLI and the admin API show it. */
export function memberJson({ id, name, isServerOwner, roles, isActive, vouched, lastSeenAt }: Member) {
  return {
    id,
    name,
    isServerOwner,
    roles,
    state: isActive ? ("active" as const) : ("invited" as const),
    provider: vouched?.provider ?? null,
    lastSeenAt: isoTime(lastSeenAt),
  };
}
