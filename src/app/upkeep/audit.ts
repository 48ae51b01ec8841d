import type { Config } from "../../config/settings.ts";
import { HOUR_MS } from "../../lib/clock.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Parts } from "../parts.ts";
import { repeat } from "./repeat.ts";
import type { Steadily } from "./steadily.ts";

/** Removes what the audit log keeps no longer. */
export function keepAudit(
  { people: { audit } }: Pick<Parts, "people">,
  { audit_days }: Pick<Config, "audit_days">,
  log: Log,
  steadily: Steadily,
  retryMs?: number,
) {
  return repeat({
    work: steadily(async (signal) => {
      const entries = await audit.removeOlder(audit_days, signal);
      if (entries > 0) log.info("what the audit log keeps no longer was removed", { entries });
    }),
    everyMs: HOUR_MS,
    retryMs,
    onFailure: (error) =>
      log.warn("what the audit log keeps no longer could not be removed", reasonFields(error)),
  });
}
