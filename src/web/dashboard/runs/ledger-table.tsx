import { type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import type { LedgerEntry } from "../replies.ts";
import { DECISIONS, NOTE, reasonInWords } from "./run-words.ts";

const COLUMNS: readonly Column<LedgerEntry>[] = [
  {
    title: "Place",
    cell: ({ location, detail }) => (
      <div className="place">
        <span className="mono wrap-anywhere">{location}</span>
        {detail && <span className="quiet small">{detail}</span>}
      </div>
    ),
  },
  {
    title: "Decision",
    isNarrow: true,
    cell: ({ decision, reason }) => {
      const { tone, label } = reason === "assumed" ? NOTE : DECISIONS[decision];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    title: "Why",
    isNarrow: true,
    cell: ({ reason }) =>
      reason === null ? (
        <span className="quiet">–</span>
      ) : (
        <span className="small">{reasonInWords(reason)}</span>
      ),
  },
  { title: "Found", cell: ({ found }) => <span className="quiet small wrap-anywhere">{found}</span> },
  {
    title: "Passages",
    isNarrow: true,
    align: "end",
    cell: ({ passages }) => passages ?? <span className="quiet">–</span>,
  },
];

/** What was decided of pages, each with its reason. */
export function LedgerTable({ label, entries }: { label: string; entries: readonly LedgerEntry[] }) {
  return <Table label={label} rows={entries} columns={COLUMNS} keyOf={({ location }) => location} />;
}
