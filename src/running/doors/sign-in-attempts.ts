import type { Config } from "@docent/kernel/config/settings";
import { countedAddress, networkOf } from "@docent/kernel/lib/address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Charge, Limits } from "@docent/people/limits/limits";
import type { Attempt } from "@docent/people/members/sign-in";

/** The longest wait before the next attempt. */
const PAUSE_MS_MAX = 5 * MINUTE_MS;
/**
 * All networks together may try one name this many times as often as a single network before they are slowed
 * down.
 */
const NETWORKS = 3;

type AttemptSettings = Pick<Config, "name_sign_ins_per_hour" | "address_sign_ins_per_hour">;

/** Counts an attempt, or says how many seconds too early it is and counts nothing. */
export async function countAttempt(
  settings: AttemptSettings,
  limits: Pick<Limits, "take">,
  attempt: Attempt,
): Promise<number | undefined> {
  const { allowed, resetSeconds } = await limits.take(chargesOf(settings, attempt));
  return allowed ? undefined : resetSeconds;
}

/**
 * What slows an attempt down. A browser in which the name signed in before, and a signed-in member, are
 * slowed by their own attempts only; everyone else by those of their network under the name, all under the
 * name, and those of their address.
 */
function chargesOf(settings: AttemptSettings, attempt: Attempt): Charge[] {
  const perName = settings.name_sign_ins_per_hour;
  const perAddress = settings.address_sign_ins_per_hour;
  if (attempt.kind === "session") return [slowed("session-passwords", perName, attempt.sessionId)];
  const address = countedAddress(attempt.address);
  if (attempt.kind === "link") return [slowed("address-links", perAddress, address)];
  const { nameHash, deviceId } = attempt;
  if (deviceId !== undefined) return [slowed("device-sign-ins", perName, deviceId)];
  return [
    slowed("network-sign-ins", perName, `${nameHash} ${networkOf(attempt.address)}`),
    slowed("name-sign-ins", perName * NETWORKS, nameHash),
    slowed("address-sign-ins", perAddress, address),
  ];
}

/**
 * Allows this many attempts at once in an hour; each further one waits twice as long as the one before it.
 */
const slowed = (name: string, atOnce: number, subject: string): Charge => ({
  subject,
  meter: {
    name,
    windowMs: HOUR_MS,
    sliceMs: SECOND_MS,
    limit: atOnce === 0 ? 0 : Number.MAX_SAFE_INTEGER,
    pauseMs: (attempts) =>
      attempts < atOnce ? 0 : Math.min(PAUSE_MS_MAX, SECOND_MS * 2 ** (attempts - atOnce)),
  },
});
