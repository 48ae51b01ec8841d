import type { Config } from "../config/settings.ts";
import { AppError } from "../errors.ts";
import { createHostMatcher, type GuardDeps, type HostMatcher } from "../http/guard/guard.ts";
import { matchAddresses } from "../lib/address.ts";
import { DAY_MS } from "../lib/clock.ts";
import type { Meter } from "../limits/limits.ts";
import { boundHost } from "./addresses.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The counters of messages and lookups, with their limits. */
export function meters(config: Config): GuardDeps["meters"] {
  const meter = (name: string, windowMs: number, sliceMs: number, limit: number): Meter => ({
    name,
    windowMs,
    sliceMs,
    limit,
  });
  // A search box asks at every letter, and a page follows each search: an address may make more of these.
  const lookups = (name: string, ofOrganization: number) => ({
    organization: meter(`organization-hour-${name}`, HOUR_MS, MINUTE_MS, ofOrganization),
    address: [meter(`address-minute-${name}`, MINUTE_MS, SECOND_MS, config.address_lookups_per_minute)],
  });
  return {
    messages: {
      organization: meter("organization-hour", HOUR_MS, MINUTE_MS, config.organization_messages_per_hour),
      site: meter("site-hour", HOUR_MS, MINUTE_MS, 0),
      address: [
        meter("address-day", DAY_MS, 15 * MINUTE_MS, config.address_messages_per_day),
        meter("address-minute", MINUTE_MS, SECOND_MS, config.address_messages_per_minute),
      ],
    },
    searches: lookups("searches", config.organization_searches_per_hour),
    pages: lookups("pages", config.organization_pages_per_hour),
    feedback: lookups("feedback", config.organization_feedback_per_hour),
    events: lookups("events", config.organization_events_per_hour),
  };
}

/** Matches the addresses of the operator's proxies. */
export function proxies(config: Config) {
  const { matches, fault } = matchAddresses(config.trusted_proxies);
  if (fault === undefined) return matches;
  throw new AppError("invalid_request", `trusted_proxies: ${fault} is not an address or a network.`, {
    hint: "Write addresses and networks such as 10.0.0.7 or 10.0.0.0/8, with commas between them.",
  });
}

/**
 * Matches the host names under which the private doors answer: other pages on the web must not reach them
 * through a reader's browser.
 */
export function namedHosts(config: Config): HostMatcher {
  const { public_url: publicUrl, admin_hosts: others } = config;
  return createHostMatcher({ bound: boundHost(config), publicUrl, others });
}
