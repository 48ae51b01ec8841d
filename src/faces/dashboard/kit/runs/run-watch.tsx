import { useEffect, useState } from "react";
import { type RunJob, type Source, siteOperations } from "../../replies.ts";
import { useResource } from "../../use-resource.ts";
import { Button } from "../buttons/button.tsx";
import { Notice } from "../feedback/notice.tsx";
import { Progress } from "../feedback/progress.tsx";
import { counted } from "../text/format-number.ts";
import { pagesOf, stageOf } from "./run-words.ts";

interface RunWatchProps {
  run: WatchedRun | undefined;
  /** What kind of source is read. */
  kind: string | undefined;
  /** Reads it once more, where that may help. */
  onAgain?: ((options: { force: boolean }) => void) | undefined;
}

/** How a run is doing, and what came of it, in words. */
export function RunWatch({ run, kind, onAgain }: RunWatchProps) {
  if (run === undefined || run.state === "waiting")
    return <Progress label={run ? "Waiting for another run of this site" : "Starting"} text="" />;
  if (run.state === "running") {
    const { label, share, text } = stageOf(run.counts, kind);
    return (
      <div className="stack">
        <Progress label={label} value={share} text={text} />
        <LeftOut count={run.counts["skipped"] ?? 0} />
      </div>
    );
  }
  return <RunEnd run={run} onAgain={onAgain} />;
}

function RunEnd({ run, onAgain }: { run: WatchedRun; onAgain: RunWatchProps["onAgain"] }) {
  const { outcome, message, counts } = run;
  const again = (force: boolean) =>
    onAgain && (
      <Button size="small" onClick={() => onAgain({ force })}>
        {force ? "Take them away" : "Try again"}
      </Button>
    );
  switch (outcome) {
    case "published":
    case "unchanged":
      return (
        <Notice tone={isMuchRemoved(counts) ? "warn" : "good"}>
          {counted(pagesOf(counts), "page")} {pagesOf(counts) === 1 ? "is" : "are"} in the index.{" "}
          <Removed counts={counts} />
          <LeftOut count={counts["skipped"] ?? 0} />
        </Notice>
      );
    case "incomplete":
      return (
        <Notice tone="warn" action={again(false)}>
          It broke off before its end: {message} What was read can be found; a next run goes on from there.
        </Notice>
      );
    case "refused":
      return <Notice tone="warn">{message} What was read stays staged: see Golden questions.</Notice>;
    case "previewed":
      return null;
    case "removed":
      return <Notice tone="quiet">The source and its pages are gone.</Notice>;
    case "stopped":
      return (
        <Notice tone="warn" action={again(false)}>
          The server stopped meanwhile. A next run takes up what was read.
        </Notice>
      );
    default:
      return (
        <Notice tone="bad" action={again(isShrunk(message))}>
          {message ?? "The run failed. The server's log says why."}
          {isShrunk(message) && " If they are really gone, take them away."}
        </Notice>
      );
  }
}

/** The server asks before a run takes most of a source's pages away. */
const isShrunk = (message: string | null) => message?.includes("no longer lists") ?? false;

/** The share of a source's pages that is rarely removed on purpose. */
const REMOVED_SHARE_MUCH = 0.2;

const isMuchRemoved = (counts: WatchedRun["counts"]) => {
  const { removed = 0 } = counts;
  return removed > REMOVED_SHARE_MUCH * (removed + pagesOf(counts));
};

function Removed({ counts }: Pick<WatchedRun, "counts">) {
  const { removed = 0 } = counts;
  if (removed === 0) return null;
  return (
    <span>
      {counted(removed, "page")} {removed === 1 ? "was" : "were"} removed
      {isMuchRemoved(counts) && ": if that is wrong, go back to the generation before"}.{" "}
    </span>
  );
}

function LeftOut({ count }: { count: number }) {
  return count === 0 ? null : (
    <span>
      {counted(count, "file")} {count === 1 ? "was" : "were"} left out: see below why.
    </span>
  );
}

const LOOK_MS = 600;

/** A run as somebody watches it. */
export interface WatchedRun {
  state: "waiting" | "running" | "ended";
  counts: Readonly<Record<string, number>>;
  outcome: string | null;
  message: string | null;
  generation: number | null;
}

/**
 * Follows a run of a source: the one that was asked for, or the source's last one where that is not known any more, as
 * after a restart of the server.
 */
export function useRun(
  domain: string,
  number: number | undefined,
  runId: string | null,
): WatchedRun | undefined {
  const path = `${siteOperations(domain)}/sources/${number}`;
  const watching = `${path} ${runId}`;
  // What has ended stays as it is, and is asked after no more.
  const [ended, setEnded] = useState("");
  const everyMs = ended === watching ? undefined : LOOK_MS;
  const job = useResource<RunJob>(
    number === undefined || runId === null ? null : `${path}/runs/${encodeURIComponent(runId)}`,
    { everyMs },
  );
  const isForgotten = runId === null || (job.state === "failed" && job.error.status === 404);
  const source = useResource<Source>(isForgotten && number !== undefined ? path : null, { everyMs });
  const last = source.data?.lastRun;
  const watched = isForgotten ? last && asWatched(last) : job.data;
  const hasEnded = watched?.state === "ended";
  useEffect(() => {
    if (hasEnded) setEnded(watching);
  }, [hasEnded, watching]);
  return watched ?? undefined;
}

function asWatched({ outcome, ...run }: NonNullable<Source["lastRun"]>): WatchedRun {
  return { ...run, outcome, state: outcome === null ? "running" : "ended" };
}
