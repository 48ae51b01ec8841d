import { useEffect, useState } from "react";
import { type RunJob, type Source, siteOperations } from "../replies.ts";
import { useResource } from "../use-resource.ts";

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
    {
      everyMs,
    },
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
