import { integer, type Setting } from "./setting.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** What concerns people who sign in to the dashboard. */
export const MEMBER_SETTINGS = {
  member_link_seconds: integer(
    "member_link_seconds",
    3 * DAY_SECONDS,
    [60, 90 * DAY_SECONDS],
    "seconds",
    "How long a link works by which a member chooses a password.",
  ),
  session_idle_seconds: integer(
    "session_idle_seconds",
    7 * DAY_SECONDS,
    [300, 365 * DAY_SECONDS],
    "seconds",
    "When a member who does nothing in the dashboard is signed out.",
  ),
  session_seconds: integer(
    "session_seconds",
    30 * DAY_SECONDS,
    [300, 365 * DAY_SECONDS],
    "seconds",
    "When a member is signed out and has to sign in again, whatever they do.",
  ),
  name_sign_ins_per_hour: integer(
    "name_sign_ins_per_hour",
    10,
    [0, 1_000_000],
    "",
    "How often one may try to sign in under one name from one network in any hour before each further try waits longer. 0 is no limit.",
  ),
  address_sign_ins_per_hour: integer(
    "address_sign_ins_per_hour",
    120,
    [0, 1_000_000],
    "",
    "How often one client address (IPv6: one /64) may try to sign in in any hour before each further try waits longer. 0 is no limit.",
  ),
} as const satisfies Record<string, Setting>;
