import { isoTime } from "../lib/iso-time.ts";
import type { Member } from "./member.ts";
import type { Session } from "./sessions.ts";

/** A member as the CLI and the admin API show it. */
export function memberJson({ id, name, isServerOwner, roles, isActive, lastSeenAt }: Member) {
  return {
    id,
    name,
    isServerOwner,
    roles,
    state: isActive ? ("active" as const) : ("invited" as const),
    lastSeenAt: isoTime(lastSeenAt),
  };
}

/** A session as its member is shown it. */
export function sessionJson({ id, createdAt, lastUsedAt, address, agent }: Session, currentId: string) {
  return {
    id,
    isCurrent: id === currentId,
    address,
    agent,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  };
}
