import { Button } from "../../kit/buttons/button.tsx";
import { Spinner } from "../../kit/feedback/spinner.tsx";
import { Menu } from "../../kit/overlay/menu.tsx";
import {
  countsLine,
  KINDS,
  marksOf,
  notReadWords,
  outcomeOf,
  scheduleWords,
  stageOf,
} from "../../kit/runs/run-words.ts";
import { actionsColumn, type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import type { RunJob, Source, UnderWay } from "../../replies.ts";
import { Link, navigate } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useSourceActions } from "./use-source-actions.ts";

interface SourceTableProps {
  site: SiteView;
  sources: readonly Source[];
  runs: readonly UnderWay[];
  onChanged: () => void;
}

/** The sources of a site, each with how it is. */
export function SourceTable({ site, sources, runs, onChanged }: SourceTableProps) {
  const runOf = ({ number }: Source) => runs.find(({ source }) => source === number);
  const columns: Column<Source>[] = [
    {
      title: "Source",
      cell: (source) => (
        <div className="place">
          <Link to={sitePath(site, "content", "sources", source.number)} className="wrap-anywhere">
            {source.place}
          </Link>
          <span className="quiet small">
            {[KINDS[source.kind] ?? source.kind, ...marksOf(source)].join(" · ")}
          </span>
        </div>
      ),
    },
    { title: "State", cell: (source) => <SourceState source={source} run={runOf(source)} /> },
    { title: "Last read", isNarrow: true, cell: ({ lastRun }) => <Time at={lastRun?.startedAt} /> },
    { title: "Schedule", isNarrow: true, cell: (source) => <Schedule source={source} /> },
    ...(site.mayChange
      ? [
          actionsColumn<Source>((source) => (
            <SourceActions {...{ site, source, onChanged }} isBusy={runOf(source) !== undefined} />
          )),
        ]
      : []),
  ];
  return <Table label="Sources" rows={sources} columns={columns} keyOf={({ number }) => number} />;
}

/** What a source does now, or how its last run ended. */
function SourceState({ source, run }: { source: Source; run: UnderWay | undefined }) {
  if (run) {
    const stage = stageOf(run.counts, source.kind);
    const label = run.task === "remove" ? "Being removed" : run.state === "waiting" ? "Waiting" : stage.label;
    return (
      <span className="content-state">
        <Spinner />
        <span>
          <span role="status">{label}</span>
          {stage.text && <span className="quiet small"> {stage.text}</span>}
        </span>
      </span>
    );
  }
  const { lastRun, notRead } = source;
  if (notRead !== null)
    return (
      <div className="place">
        <span>
          <Badge tone="warn">Not read</Badge>
        </span>
        <span className="quiet small">{notReadWords(notRead)}</span>
      </div>
    );
  if (lastRun === null) return <Badge>Not read yet</Badge>;
  if (lastRun.outcome === null) return <Badge tone="warn">Interrupted</Badge>;
  const { label, tone } = outcomeOf(lastRun);
  return (
    <div className="place">
      <span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="quiet small">{lastRun.message ?? countsLine(lastRun.counts)}</span>
    </div>
  );
}

function Schedule({ source: { everyMs, nextRunAt, kind } }: { source: Source }) {
  if (kind === "upload") return <span className="quiet">When uploaded</span>;
  if (everyMs === null) return <span className="quiet">On demand</span>;
  return (
    <div className="place">
      <span>{scheduleWords(everyMs)}</span>
      {nextRunAt && (
        <span className="quiet small">
          next <Time at={nextRunAt} />
        </span>
      )}
    </div>
  );
}

interface SourceActionsProps {
  site: SiteView;
  source: Source;
  /** Whether the source is being read or removed. */
  isBusy: boolean;
  onChanged: () => void;
}

/** Reads a source, or takes it away. */
function SourceActions({ site, source, isBusy, onChanged }: SourceActionsProps) {
  const actions = useSourceActions(site, source);
  const then = (began: Promise<RunJob | undefined>) => void began.then((job) => job && onChanged());
  return (
    <div className="content-actions">
      <Button
        size="small"
        icon="refresh"
        busy={actions.isSending || isBusy}
        onClick={() => then(actions.run())}
      >
        Read now<span className="visually-hidden">: {source.place}</span>
      </Button>
      <Menu
        label={`More for ${source.place}`}
        icon="more"
        items={[
          {
            label: "Show its runs and ledger",
            icon: "page",
            onSelect: () => navigate(sitePath(site, "content", "sources", source.number)),
          },
          {
            label: "Read, and take away what is gone",
            isDisabled: isBusy,
            onSelect: () => then(actions.again(true)),
          },
          {
            label: "Remove the source",
            icon: "trash",
            tone: "bad",
            isDisabled: isBusy,
            onSelect: () => then(actions.remove()),
          },
        ]}
      />
    </div>
  );
}
