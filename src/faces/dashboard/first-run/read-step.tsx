import { useState } from "react";
import { useApi } from "../api.ts";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { LedgerTable } from "../kit/runs/ledger-table.tsx";
import { Recognized } from "../kit/runs/recognized.tsx";
import { RunWatch, type WatchedRun } from "../kit/runs/run-watch.tsx";
import { type Ledger, type RunJob, type Source, siteOperations } from "../replies.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { useResource } from "../use-resource.ts";

const LOOK_MS = 1500;
const PROBLEMS_SHOWN = 20;

interface ReadStepProps {
  site: SiteView;
  number: number;
  source: Source | undefined;
  run: WatchedRun | undefined;
  /** A run was asked for once more. */
  onAgain: (run: string | null) => void;
  /** Other docs are to be chosen. */
  onOther: () => void;
}

/** Shows how the docs are read, what was left out and why. */
export function ReadStep({ site, number, source, run, onAgain, onOther }: ReadStepProps) {
  const api = useApi();
  const attempt = useAttempt();
  const [isSending, setIsSending] = useState(false);
  const path = `${siteOperations(site.domain)}/sources/${number}`;
  const isOver = run?.state === "ended";
  const ended = useResource<Source>(isOver ? path : null);
  const isNew = source?.lastRun === null && run === undefined;

  async function read({ force }: { force: boolean }): Promise<void> {
    setIsSending(true);
    await attempt(async () => onAgain((await api.post<RunJob>(`${path}/runs`, { force })).id));
    setIsSending(false);
  }

  return (
    <div className="stack">
      {source && !isOver && <p className="first-run-place mono">{source.place}</p>}
      {isNew ? (
        <div>
          <Button kind="primary" busy={isSending} onClick={() => void read({ force: false })}>
            Read it now
          </Button>
        </div>
      ) : (
        <div className="stack" aria-live="polite">
          <RunWatch run={run} kind={source?.kind} onAgain={(how) => void read(how)} />
          <Recognized site={site} source={ended.data} onRun={({ id }) => onAgain(id)} />
        </div>
      )}
      <Problems key={run?.outcome} path={path} isOver={isOver} />
      {isOver && run.outcome !== "previewed" && (
        <div className="row">
          <ButtonLink
            size="small"
            icon="page"
            to={`${sitePath(site, "content", "sources", number)}?ledger=all`}
          >
            See what was read
          </ButtonLink>
          <ButtonLink size="small" icon="check" to={sitePath(site, "content", "report")}>
            See what is missing
          </ButtonLink>
        </div>
      )}
      {isOver && run.outcome !== "published" && run.outcome !== "unchanged" && (
        <div>
          <Button icon="back" onClick={onOther}>
            Choose other docs
          </Button>
        </div>
      )}
    </div>
  );
}

/** What was left out or kept as it was, while it is read and afterwards. */
function Problems({ path, isOver }: { path: string; isOver: boolean }) {
  const ledger = useResource<Ledger>(
    `${path}/ledger?limit=${PROBLEMS_SHOWN}&decision=skipped&decision=kept`,
    { everyMs: isOver ? undefined : LOOK_MS },
  );
  const entries = ledger.data?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <details className="more-fields">
      <summary>
        What was left out, and why ({entries.length}
        {ledger.data?.hasMore ? " and more" : ""})
      </summary>
      <LedgerTable label="What was left out" entries={entries} />
    </details>
  );
}
