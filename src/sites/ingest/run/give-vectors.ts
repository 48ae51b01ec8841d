import { AppError } from "@docent/kernel/errors";
import { reasonFields } from "@docent/kernel/lib/log";
import type { Source } from "@docent/reading/source";
import type { Pass } from "./pass.ts";
import type { RunProgress } from "./progress.ts";
import { hasChanged } from "./publish.ts";
import type { IngestRequest, RunDeps } from "./request.ts";

/** Gives the new passages their vectors; where nothing has changed, those of all where the embedder has. */
export async function giveVectors(
  deps: RunDeps,
  { source, runId, counts }: Pass,
  { signal, onEmbedding }: IngestRequest,
  progress: RunProgress,
): Promise<void> {
  await progress.embedded(0);
  const onProgress = (passages: number) => {
    void progress.embedded(passages);
    onEmbedding?.(passages);
  };
  if (hasChanged(counts)) await deps.vectors.complete(source.siteId, { runId, signal, onProgress });
  else await renewVectors(deps, source, { signal, onProgress });
}

/**
 * Gives the site the vectors of another embedder, where that was chosen since. Where they cannot be had now, those that
 * are there are used on: a run that changes nothing has no need of a model.
 */
async function renewVectors(
  { vectors, log }: RunDeps,
  { siteId, location }: Source,
  options: { signal: AbortSignal; onProgress?: (passages: number) => void },
): Promise<void> {
  const { signal } = options;
  try {
    if (!(await vectors.areCurrent(siteId, signal))) await vectors.complete(siteId, options);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    log.warn("the vectors of a site could not be looked after", { source: location, ...reasonFields(error) });
  }
}
