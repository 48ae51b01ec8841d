import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Meter } from "@docent/people/limits/limits";
import type { GuardDeps } from "./guard.ts";

/** The settings it reads, under their own names. 0 is no limit. */
export interface MeterSettings {
  organization_messages_per_hour: number;
  organization_searches_per_hour: number;
  organization_pages_per_hour: number;
  organization_feedback_per_hour: number;
  organization_events_per_hour: number;
  organization_hand_overs_per_hour: number;
  address_hand_overs_per_hour: number;
  address_messages_per_day: number;
  address_messages_per_minute: number;
  reader_messages_per_minute: number;
  /** Of searches, and as many of each other lookup. */
  address_lookups_per_minute: number;
}

/** The counters of messages and lookups, with their limits. */
export function createMeters(settings: MeterSettings): GuardDeps["meters"] {
  const meter = (name: string, windowMs: number, sliceMs: number, limit: number): Meter => ({
    name,
    windowMs,
    sliceMs,
    limit,
  });
  // A search box asks at every letter, and a page follows each search: an address may make more of these.
  const lookups = (name: string, ofOrganization: number) => ({
    organization: meter(`organization-hour-${name}`, HOUR_MS, MINUTE_MS, ofOrganization),
    address: [meter(`address-minute-${name}`, MINUTE_MS, SECOND_MS, settings.address_lookups_per_minute)],
  });
  return {
    messages: {
      organization: meter("organization-hour", HOUR_MS, MINUTE_MS, settings.organization_messages_per_hour),
      site: meter("site-hour", HOUR_MS, MINUTE_MS, 0),
      address: [
        meter("address-day", DAY_MS, 15 * MINUTE_MS, settings.address_messages_per_day),
        meter("address-minute", MINUTE_MS, SECOND_MS, settings.address_messages_per_minute),
      ],
      ofServers: {
        address: [meter("address-day", DAY_MS, 15 * MINUTE_MS, settings.address_messages_per_day)],
        reader: meter("reader-minute", MINUTE_MS, SECOND_MS, settings.reader_messages_per_minute),
      },
    },
    searches: lookups("searches", settings.organization_searches_per_hour),
    pages: lookups("pages", settings.organization_pages_per_hour),
    feedback: lookups("feedback", settings.organization_feedback_per_hour),
    events: lookups("events", settings.organization_events_per_hour),
    // Pages ask it when they are loaded, as often as they tell of something else that happened there.
    resumes: lookups("resumes", settings.organization_events_per_hour),
    handOvers: {
      organization: meter(
        "organization-hour-hand-overs",
        HOUR_MS,
        MINUTE_MS,
        settings.organization_hand_overs_per_hour,
      ),
      address: [meter("address-hour-hand-overs", HOUR_MS, MINUTE_MS, settings.address_hand_overs_per_hour)],
    },
  };
}
