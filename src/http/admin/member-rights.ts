import { AppError } from "../../errors.ts";
import type { Admin } from "../../keys/admin.ts";
import type { Member } from "../../members/member.ts";

/** A program of one organization must not let people in. */
export function checkKindOfAdmin({ kind, isServer }: Admin): void {
  if (kind === "key" && !isServer)
    throw new AppError("forbidden", "This needs an admin key of the server: this key is an organization's.");
}

/** A member as an admin sees them: with the roles that are its affair. Undefined for one that is not. */
export function seenBy({ isServer, sees }: Admin, member: Member): Member | undefined {
  if (isServer) return member;
  const roles = member.roles.filter(({ organizationId }) => sees(organizationId));
  return roles.length === 0 ? undefined : { ...member, roles };
}

/** Raises `forbidden` unless all that a member is, is the admin's to take away. */
export function checkWhole({ isServer, mayChange }: Admin, { name, isServerOwner, roles }: Member): void {
  if (isServer || (!isServerOwner && roles.every(({ organizationId }) => mayChange(organizationId)))) return;
  throw new AppError(
    "forbidden",
    `${name} belongs elsewhere on this server too: you may change their role in your organization, and no more.`,
  );
}

/** Raises `forbidden` unless the server itself is the admin's. */
export function checkServer({ isServer }: Admin): void {
  if (!isServer) throw new AppError("forbidden", "serverOwner: This is for owners of the server.");
}
