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

/** Which of the five kinds of a quoted callout. */
function quotedKind(kind: string): string {
  if (/^(?:danger|error|caution)$/.test(kind)) return "CAUTION";
  if (/^(?:tip|hint|success|check)$/.test(kind)) return "TIP";
  if (/^(?:warning|attention)$/.test(kind)) return "WARNING";
  return kind === "important" ? "IMPORTANT" : "NOTE";
}

/** A callout as Markdown. Inside of a list or another block it is a quote, as containers stand at the margin alone. */
export function writeCallout(
  { kind, title = "", body }: { kind: string; title?: string | undefined; body: string },
  { isNested }: { isNested: boolean },
): string {
  const words = title.replace(/[[\]\n]+/g, " ").trim();
  const text = body.replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  if (!isNested) return `:::${kind}${words === "" ? "" : `[${words}]`}\n\n${text}\n\n:::`;
  const lines = [`[!${quotedKind(kind)}]${words === "" ? "" : ` ${words}`}`, ...text.split("\n")];
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}
