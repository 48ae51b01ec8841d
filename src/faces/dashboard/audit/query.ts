import type { ApiQuery } from "../api.ts";
import { beginOf, periodIn } from "../period.ts";
import { KIND_GROUPS } from "./audit-words.ts";

/** The filters that an address of the log has. */
export interface AuditNarrowing {
  about: string;
  actor: string;
  days: string;
}

/** Reads the filters from an address; a value that is not known filters nothing. */
export function narrowingIn(query: URLSearchParams): AuditNarrowing {
  const about = query.get("about") ?? "";
  return {
    about: KIND_GROUPS.some(({ value }) => value === about) ? about : "",
    actor: (query.get("actor") ?? "").slice(0, 100),
    days: String(periodIn(query) ?? ""),
  };
}

/** The page's address with those filters. */
export function addressOf({ about, actor, days }: AuditNarrowing): string {
  const given = new URLSearchParams(
    Object.entries({ about, actor, days }).filter(([, value]) => value !== ""),
  );
  return given.size === 0 ? "/audit" : `/audit?${given}`;
}

/** The query that the server is asked. */
export function apiQuery({ about, actor, days }: AuditNarrowing, now: Date): ApiQuery {
  const period = periodIn(new URLSearchParams({ days }));
  return {
    kind: KIND_GROUPS.find(({ value }) => value === about)?.kinds.join(","),
    actor,
    dateFrom: period === undefined ? undefined : beginOf(period, now),
  };
}
