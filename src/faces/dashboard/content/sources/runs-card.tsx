import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { countsLine, outcomeOf } from "../../kit/runs/run-words.ts";
import { type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { formatDuration } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { type Source, type SourceRun, siteOperations } from "../../replies.ts";
import { useResource } from "../../use-resource.ts";
import { useReloadAt } from "./use-reload-at.ts";

const LOOK_MS = 15_000;

const COLUMNS: readonly Column<SourceRun>[] = [
  { title: "Began", cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    title: "Outcome",
    cell: (run) => {
      const { label, tone } = outcomeOf(run);
      return (
        <div className="place">
          <span>
            <Badge tone={tone}>{label}</Badge>
          </span>
          <span className="quiet small">{run.message ?? countsLine(run.counts)}</span>
        </div>
      );
    },
  },
  {
    title: "Took",
    isNarrow: true,
    align: "end",
    cell: ({ startedAt, finishedAt }) =>
      finishedAt === null ? "–" : formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)),
  },
];

/** The latest runs of a source. */
export function RunsCard({ domain, source }: { domain: string; source: Source }) {
  const runs = useResource<SourceRun[]>(`${siteOperations(domain)}/sources/${source.number}/runs`, {
    everyMs: LOOK_MS,
  });
  useReloadAt(source.lastRun?.finishedAt ?? null, () => void runs.reload());
  return (
    <Card title="Runs" description="The latest ones, whoever asked.">
      <Loaded of={runs} shape="rows" lines={3}>
        {(list) =>
          list.length === 0 ? (
            <p className="quiet">There have been no runs yet.</p>
          ) : (
            <Table label="Runs" rows={list} columns={COLUMNS} keyOf={({ startedAt }) => startedAt} />
          )
        }
      </Loaded>
    </Card>
  );
}
