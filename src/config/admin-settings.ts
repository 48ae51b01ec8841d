import { integer, list, type Setting } from "./setting.ts";

/** What concerns owners and programs with admin keys, and what readers tell them. */
export const ADMIN_SETTINGS = {
  admin_hosts: list(
    "admin_hosts",
    "Host names, besides loopback, the bound address and that of public_url, under which admin routes, analytics and MCP answer.",
  ),
  organization_feedback_per_hour: integer(
    "organization_feedback_per_hour",
    10_000,
    [0, 1_000_000_000],
    "",
    "How often an organization's readers may say in any hour whether an answer helped. 0 is no limit.",
  ),
  organization_events_per_hour: integer(
    "organization_events_per_hour",
    50_000,
    [0, 1_000_000_000],
    "events",
    "Clicks that an organization's readers may report in any hour. 0 is no limit.",
  ),
} as const satisfies Record<string, Setting>;
