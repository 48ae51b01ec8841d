import { HOUR_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Audit, aboutMember } from "@docent/people/audit/audit";
import type { Limits, Meter } from "@docent/people/limits/limits";
import type { Member } from "@docent/people/members/member";

/** Strangers fill no log: of each member so many failures are listed, and as many of all names that nobody has. */
const LISTED: Meter = { name: "listed-sign-in-failures", windowMs: HOUR_MS, sliceMs: MINUTE_MS, limit: 20 };

/**
 * Keeps in the audit log that somebody could not sign in: under a member's name or under none, as what is typed for a name
 * may be a password.
 */
export async function noteFailure(
  audit: Pick<Audit, "record">,
  limits: Pick<Limits, "take">,
  member: Member | undefined,
): Promise<void> {
  const { allowed, remaining } = await limits.take([{ meter: LISTED, subject: member?.id ?? "nobody" }]);
  if (!allowed) return;
  const details = { lastListed: remaining === 0 };
  const about = member === undefined ? {} : aboutMember(member);
  await audit.record({ kind: "nobody" }, { kind: "member.sign-in-failed", ...about, details });
}
