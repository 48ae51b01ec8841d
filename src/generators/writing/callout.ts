import { isCalloutName } from "../../markdown/callouts.ts";

/** The names that generators have for a callout, besides those that are known everywhere. */
const OTHER_NAMES: Record<string, string> = {
  primary: "note",
  secondary: "note",
  default: "note",
  abstract: "note",
  question: "note",
  new: "tip",
  highlight: "note",
  warn: "warning",
  alert: "warning",
  critical: "danger",
  fatal: "danger",
};

/** The kind of a callout by the name that a generator has for it; undefined for any other word. */
export function calloutKind(name: string): string | undefined {
  const lower = name.toLowerCase();
  return isCalloutName(lower) ? lower : OTHER_NAMES[lower];
}
