import type { ApiQuery } from "../../api.ts";
import { beginOf, periodIn } from "../../period.ts";

/** The filters that one press sets. */
export const SHOWN = {
  all: { label: "All", query: {} },
  helped: { label: "Got an answer", query: { outcome: "answered,quoted,curated" } },
  unanswered: { label: "No answer", query: { outcome: "unanswered,touched" } },
  disliked: { label: "Disliked", query: { helpful: false } },
  liked: { label: "Liked", query: { helpful: true } },
  answered: { label: "By a model", query: { outcome: "answered" } },
  quoted: { label: "Quoted", query: { outcome: "quoted" } },
  touched: { label: "Near", query: { outcome: "touched" } },
  curated: { label: "Curated", query: { outcome: "curated" } },
  failed: { label: "Failed", query: { outcome: "failed" } },
  stopped: { label: "Stopped", query: { outcome: "stopped" } },
} as const satisfies Record<string, { label: string; query: ApiQuery }>;

export type ShownName = keyof typeof SHOWN;

/** The filters that an address of the list has. */
export interface ListNarrowing {
  shown: ShownName;
  caller: string;
  days: string;
  text: string;
}

const CALLERS = ["web", "api", "mcp", "cli", "chat"];

/** Reads the filters from an address; a value that is not known filters nothing. */
export function narrowingIn(query: URLSearchParams): ListNarrowing {
  const name = query.get("show") ?? "";
  const caller = query.get("caller") ?? "";
  return {
    shown: isShown(name) ? name : "all",
    caller: CALLERS.includes(caller) ? caller : "",
    days: String(periodIn(query) ?? ""),
    text: (query.get("text") ?? "").slice(0, TEXT_CHARACTERS_MAX),
  };
}

/** The longest search that the server takes. */
export const TEXT_CHARACTERS_MAX = 200;

/** The query of the page's address; filters that are not set are left out. */
export const pageQuery = ({ shown, caller, days, text }: ListNarrowing): Record<string, string> => ({
  show: shown === "all" ? "" : shown,
  caller,
  days,
  text,
});

/** The query that the server is asked. */
export function apiQuery({ shown, caller, text, days }: ListNarrowing, now: Date): ApiQuery {
  const period = periodIn(new URLSearchParams({ days }));
  return {
    ...SHOWN[shown].query,
    caller,
    text,
    dateFrom: period === undefined ? undefined : beginOf(period, now),
  };
}

/** Whether any filter is set. */
export const isNarrowed = ({ shown, caller, days, text }: ListNarrowing) =>
  shown !== "all" || caller !== "" || days !== "" || text.trim() !== "";

const isShown = (name: string): name is ShownName => Object.hasOwn(SHOWN, name);
