import { Card } from "../kit/layout/card.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { formatDuration } from "../kit/text/format-number.ts";
import type { Overview } from "../replies.ts";

type Waits = Overview["numbers"]["waits"];
interface Row {
  name: keyof Waits;
  label: string;
  wait: NonNullable<Waits["total"]>;
}

const LABELS: readonly [name: keyof Waits, label: string][] = [
  ["queue", "In the model's queue"],
  ["firstToken", "Until the first words"],
  ["total", "Until the whole answer"],
];
const COLUMNS: readonly Column<Row>[] = [
  { title: "Wait", cell: ({ label }) => label },
  { title: "Median", align: "end", isNarrow: true, cell: ({ wait }) => formatDuration(wait.medianMs) },
  { title: "95% within", align: "end", isNarrow: true, cell: ({ wait }) => formatDuration(wait.p95Ms) },
];

/** The readers' waits, by what they waited for. */
export function WaitsCard({ overview: { numbers } }: { overview: Overview }) {
  const rows = LABELS.flatMap(([name, label]): Row[] => {
    const wait = numbers.waits[name];
    return wait === null ? [] : [{ name, label, wait }];
  });
  return (
    <Card title="How long readers waited">
      {rows.length === 0 ? (
        <p className="quiet">Nobody waited in this time.</p>
      ) : (
        <Table label="Waits" rows={rows} columns={COLUMNS} keyOf={({ name }) => name} />
      )}
    </Card>
  );
}
