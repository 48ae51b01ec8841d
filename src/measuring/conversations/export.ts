import type { Clock } from "@docent/kernel/lib/clock";
import type { ConversationStore, ListPlace, Period } from "../analytics/stores.ts";
import { type AnalyzedSite, type Conversation, toConversation } from "./conversations.ts";

/** What a spreadsheet would calculate, at the beginning of a cell, spaces before it or not. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Enough that each read is worth it, and few enough that no other request waits for one. */
const TURNS_AT_ONCE = 200;

const CSV_COLUMNS: Record<string, (conversation: Conversation) => string | boolean | null> = {
  id: ({ id }) => id,
  threadId: ({ threadId }) => threadId,
  timestamp: ({ timestamp }) => timestamp,
  query: ({ query }) => query,
  response: ({ response }) => response,
  resolutionStatus: ({ resolutionStatus }) => resolutionStatus,
  outcome: ({ outcome }) => outcome,
  sources: ({ sources }) => sources.map(({ url }) => url).join("\n"),
  pageUrl: ({ pageUrl }) => pageUrl,
  caller: ({ caller }) => caller,
  responder: ({ responder }) => responder,
  model: ({ model }) => model,
  helpful: ({ helpful }) => helpful,
  comment: ({ comment }) => comment,
  rewritten: ({ rewritten }) => rewritten.join("\n"),
  looks: ({ looks }) => looks.map(({ tool, asked }) => `${tool}: ${asked}`).join("\n"),
};

const WRITERS: Record<ExportFormat, { head: string; line(conversation: Conversation): string }> = {
  csv: {
    head: csvLine(Object.keys(CSV_COLUMNS)),
    line: (conversation) => csvLine(Object.values(CSV_COLUMNS).map((cellOf) => cellOf(conversation))),
  },
  jsonl: { head: "", line: (conversation) => `${JSON.stringify(conversation)}\n` },
};

/** Writes out conversations, oldest first, a part at a time. What is asked meanwhile is not in it. */
export function createExport({ store, clock }: { store: ConversationStore; clock: Clock }) {
  return async function* (site: AnalyzedSite, period: Period, format: ExportFormat): AsyncGenerator<string> {
    const { head, line } = WRITERS[format];
    if (head !== "") yield head;
    const until = { from: period.from, to: Math.min(period.to, clock() + 1) };
    let behind: ListPlace | undefined;
    for (;;) {
      const rows = await store.conversations(site.id, until, {
        order: "oldest",
        behind,
        limit: TURNS_AT_ONCE,
      });
      if (rows.length > 0) yield rows.map((row) => line(toConversation(site, row))).join("");
      behind = rows.at(-1);
      if (rows.length < TURNS_AT_ONCE) return;
    }
  };
}

/** One line of CSV (RFC 4180), whose cells a spreadsheet takes for the text that they are. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
