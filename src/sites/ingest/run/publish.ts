import { reasonFields } from "@docent/kernel/lib/log";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { Source } from "@docent/reading/source";
import type { GoldenOutcome, RunCounts, RunEnd, StagedRun } from "../stores.ts";
import type { Pass } from "./pass.ts";
import type { RunProgress } from "./progress.ts";
import type { IngestRequest, Published, RunDeps } from "./request.ts";

/** Generations that can be returned to, the visible one included. */
const GENERATIONS_KEPT = 3;

interface PublishOptions
  extends Pick<IngestRequest, "generation" | "requiresGolden" | "signal" | "onIndexing" | "onGolden"> {
  /** Why the source was not read to its end; undefined where it was. */
  incomplete: string | undefined;
  progress: RunProgress;
}

export const hasChanged = ({ added, changed, removed }: RunCounts) => added + changed + removed > 0;

/** Makes what has changed what readers see, unless golden questions are against it. */
export async function publishChanges(deps: RunDeps, pass: Pass, options: PublishOptions): Promise<Published> {
  const { store, clock } = deps;
  const { source, runId, ledgerRunId, counts } = pass;
  const { generation: before, incomplete } = options;
  const kept = { generation: before, golden: undefined, refused: undefined };
  const changed = incomplete === undefined ? await changedAround(deps, pass) : {};
  if (hasChanged(counts)) await indexPassages(deps, pass, options);
  else if (changed.menu === undefined && changed.redirects === undefined) {
    await store.discard(runId);
    return kept;
  }
  const golden = hasChanged(counts)
    ? await askGolden(deps, pass, {
        ...options,
        redirects: changed.redirects ?? (await store.redirects(source)),
      })
    : undefined;
  if (golden !== undefined) options.onGolden?.(golden);
  // What was staged stays so: the next run takes it up.
  if (golden?.isRefused === true) return { ...kept, golden, refused: refusal(golden, before) };
  const ledgerRun = { id: ledgerRunId, incomplete };
  const generation = await store.publish(source, runId, { counts, ...changed, ledgerRun, at: clock() });
  await tellPublished(deps, pass, { before, generation, golden, signal: options.signal });
  return { generation, golden, refused: undefined };
}

/** The menu and the old addresses of the source's docs, where they are others than readers see. */
async function changedAround(
  { store }: RunDeps,
  { source, docs, redirects: plain, moved, menu: own, keepsDocs }: Pass,
): Promise<Pick<RunEnd, "menu" | "redirects">> {
  if (keepsDocs) return {};
  const { menu, redirects: said } = docs ?? { menu: own, redirects: plain };
  const redirects = withMoved(said, moved);
  return {
    menu: Bun.deepEquals(await store.menu(source), menu) ? undefined : menu,
    redirects: Bun.deepEquals(await store.redirects(source), redirects) ? undefined : redirects,
  };
}

/** What the docs say of an address themselves comes before where they were thought to be. */
function withMoved(said: PageRedirect[], moved: readonly PageRedirect[]): PageRedirect[] {
  const known = new Set(said.map(({ from }) => from));
  return moved.length === 0 ? said : [...said, ...moved.filter(({ from }) => !known.has(from))];
}

/** Indexes the new passages: whoever sees the generation finds them. */
async function indexPassages(
  { index }: RunDeps,
  { source, runId }: Pass,
  { progress, signal, onIndexing }: PublishOptions,
): Promise<void> {
  await progress.indexed(0);
  const onProgress = (passages: number, all: number) => {
    void progress.indexed(passages);
    onIndexing?.(passages, all);
  };
  await index.catchUp(source.siteId, { runId, signal, onProgress });
}

/** Where the questions cannot be asked, only a run that needs their consent fails for it. */
async function askGolden(
  { watch, log }: RunDeps,
  { source, runId }: Pass,
  { generation, redirects, requiresGolden = false, signal }: PublishOptions & Pick<StagedRun, "redirects">,
): Promise<GoldenOutcome | undefined> {
  try {
    const run = { source, runId, generation, redirects, isRequired: requiresGolden, signal };
    return await watch.beforeSwitch(run);
  } catch (error) {
    if (signal.aborted || requiresGolden) throw error;
    log.warn("golden questions could not be asked", { source: source.location, ...reasonFields(error) });
    return undefined;
  }
}

function refusal({ asked, worse }: GoldenOutcome, generation: number): string {
  const of = asked === 1 ? "The golden question" : `${worse.length} of ${asked} golden questions`;
  return `${of} would get worse: readers still see generation ${generation}.`;
}

/** Readers see it by now: what cannot be told of it does not undo that. */
async function tellPublished(
  { watch, log }: RunDeps,
  { source }: Pass,
  published: Pick<Published, "generation" | "golden"> & { before: number; signal: AbortSignal },
): Promise<void> {
  try {
    await watch.afterSwitch({ source, ...published });
  } catch (error) {
    if (published.signal.aborted) return;
    log.warn("what a generation changed for readers could not be told", {
      source: source.location,
      ...reasonFields(error),
    });
  }
}

/** Removes generations that nobody returns to, tidies the index, and calibrates what readers see now. */
export async function lookAfterSwitch(deps: RunDeps, source: Source, signal: AbortSignal): Promise<void> {
  await deps.store.prune(source.siteId, GENERATIONS_KEPT);
  await tidyIndex(deps, source, signal);
  await calibrateSite(deps, source, signal);
}

/** Merges what the run indexed. Readers see it already: what is left untidy, the next run tidies. */
async function tidyIndex({ index, log }: RunDeps, { siteId, location }: Source, signal: AbortSignal) {
  try {
    await index.tidy(siteId, signal);
  } catch (error) {
    if (signal.aborted) return;
    log.warn("the keyword index of a site could not be tidied", { source: location, ...reasonFields(error) });
  }
}

/** Measures relevance on the new generation. Until this is done, and where it fails, the one before says what it is. */
async function calibrateSite(
  { calibrator, log }: RunDeps,
  { siteId, location }: Source,
  signal: AbortSignal,
) {
  try {
    await calibrator.calibrate(siteId, signal);
  } catch (error) {
    if (signal.aborted) return;
    log.warn("the relevance of a site's passages could not be calibrated", {
      source: location,
      ...reasonFields(error),
    });
  }
}
