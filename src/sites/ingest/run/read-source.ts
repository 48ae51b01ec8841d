import { AppError } from "@docent/kernel/errors";
import { reasonFields } from "@docent/kernel/lib/log";
import type { Source } from "@docent/reading/source";
import { isSkipped, type RecognizedDocs, type Skipped, type SourceItem } from "@docent/reading/source-reader";
import type { LinkCheck } from "../link-check.ts";
import { writeBatch } from "./batch.ts";
import { compareFetched, compareListed } from "./compare.ts";
import { fetchPage } from "./fetch-page.ts";
import { dropUnlisted, leaveUnlearned, leaveUnlisted } from "./leave.ts";
import { checkListed, listPages } from "./list-pages.ts";
import { addImages } from "./page-images.ts";
import { beginPass, type Pass } from "./pass.ts";
import { createRunProgress, type RunProgress } from "./progress.ts";
import { hasChanged, lookAfterSwitch, publishChanges } from "./publish.ts";
import { type PublishedReport, readAsPublished } from "./published/published.ts";
import { readPage } from "./read-page.ts";
import type { BegunRun, IngestReport, IngestRequest, RunDeps } from "./request.ts";
import { settle } from "./settle.ts";
import { isVerdict, skipped, type Verdict } from "./verdict.ts";

/*
 * The way of a page, from its source to its readers: listed, fetched, read and cut into passages, staged; then all pages
 * together get vectors, are indexed, and become visible with one switch. Each step takes what the step before it gave.
 */

/** Reads a source: what it lists, what becomes of the rest, and the switch. All of it is published, or nothing. */
export async function readSource(
  deps: RunDeps,
  source: Source,
  begun: BegunRun,
  asked: IngestRequest,
): Promise<IngestReport> {
  const { pass, resumed } = await openPass(deps, source, begun, asked);
  const { request, published: onSite } = await openPublished(deps, pass, asked);
  const progress = createRunProgress(pass);
  await takeListed(pass, request, { pagesMax: deps.pagesMax, progress }).finally(progress.end);
  if (request.preview === true && pass.docs !== undefined)
    return { ...(await endPreview(deps, pass, request, pass.docs)), published: onSite };
  await takeRest(pass, request.force === true);
  await giveVectors(deps, pass, request, progress);
  const incomplete = pass.death?.message;
  const published = await publishChanges(deps, pass, { ...request, progress, incomplete });
  const isRefused = published.refused !== undefined;
  if (!isRefused) await lookAfterSwitch(deps, source, request.signal);
  const addresses = isRefused ? undefined : await request.checkAddresses?.([...pass.seen]);
  const links = isRefused ? undefined : await checkLinks(pass, request, published.generation);
  const { counts, skipped: left, faults, docs } = pass;
  const found = { resumed, previewed: false, skipped: left, faults, docs, incomplete };
  const signs = request.checkLinks === undefined ? undefined : pass.audit.signs();
  return { ...counts, ...published, ...found, addresses, signs, links, published: onSite };
}

/** Where the site is named that a source is published as, the source is read with its addresses. */
async function openPublished(
  { published: store }: RunDeps,
  pass: Pass,
  request: IngestRequest,
): Promise<{ request: IngestRequest; published: PublishedReport | undefined }> {
  const { published: site, reader, signal } = request;
  if (site === undefined) return { request, published: undefined };
  const read = await readAsPublished(pass, { store, site, reader, signal });
  pass.moved = read.redirects;
  return { request: { ...request, reader: read.reader }, published: read.report };
}

/** The share of a source's pages that a run has to have read for their links to say how the source was read. */
const READ_SHARE = 0.9;

async function checkLinks(
  { linked, seen }: Pick<Pass, "linked" | "seen">,
  { checkLinks: check }: Pick<IngestRequest, "checkLinks">,
  generation: number,
): Promise<LinkCheck | undefined> {
  return linked.length === 0 || linked.length < READ_SHARE * seen.size
    ? undefined
    : check?.(generation, linked);
}

/** Takes one page after the other, as they are listed: no more of them are in memory than are staged together. */
async function takeListed(
  pass: Pass,
  request: IngestRequest,
  { pagesMax, progress }: { pagesMax: number; progress: RunProgress },
): Promise<void> {
  for await (const item of listPages(pass, request)) {
    const startedAt = pass.clock();
    await settle(pass, await take(pass, item), startedAt);
    await progress.passed();
    if (pass.seen.size > pagesMax) throw tooMany(pagesMax);
  }
}

/** The way of one page up to where it is staged. It ends early where nothing of it is taken, or the index has it already. */
async function take(pass: Pass, item: SourceItem | Skipped): Promise<Verdict> {
  if (isSkipped(item)) return skipped(item);
  const known = await compareListed(pass, item);
  if (known !== undefined) return known;
  const fetched = await fetchPage(pass, item);
  if (isVerdict(fetched)) return fetched;
  const compared = await compareFetched(pass, fetched);
  if (isVerdict(compared)) return compared;
  const read = await readPage(pass, compared);
  if (isVerdict(read)) return read;
  return addImages(pass, read);
}

/** Leaves or drops what the index has and the source did not list, once all that was listed is written. */
async function takeRest(pass: Pass, force: boolean): Promise<void> {
  await leaveUnlearned(pass);
  await writeBatch(pass);
  if (pass.death !== undefined) return leaveUnlisted(pass);
  checkListed(pass, force);
  await dropUnlisted(pass);
}

/** Begins a pass, or takes up one that was interrupted: what it staged is there still. */
async function openPass(
  { store, ledger, clock, pageReading, imageBytesMax }: RunDeps,
  source: Source,
  begun: BegunRun,
  { anchors = "github", groups = [], onProgress }: IngestRequest,
): Promise<{ pass: Pass; resumed: boolean }> {
  const { runId } = await store.openRun(source, clock());
  const known = await store.knownPages(source, runId);
  const noted = await ledger.entries(source.id);
  const pass = beginPass({
    store,
    ledger,
    clock,
    source,
    runId,
    ...begun,
    known,
    noted,
    imageBytesMax,
    pageReading,
    reading: { anchors, groups },
    onProgress,
  });
  // A run that ended before it had staged anything left nothing to take up.
  return { pass, resumed: known.some(({ staged }) => staged) };
}

/** Ends a run that only looked: what an interrupted one staged stays for the next. */
async function endPreview(
  { store }: RunDeps,
  { runId, counts, skipped, faults, known }: Pass,
  { generation, checkAddresses }: IngestRequest,
  docs: RecognizedDocs,
): Promise<Omit<IngestReport, "published">> {
  if (![...known.values()].flat().some(({ staged }) => staged)) await store.discard(runId);
  const addresses = await checkAddresses?.(docs.samples.map(({ path }) => path));
  const kept = { generation, resumed: false, incomplete: undefined, golden: undefined, refused: undefined };
  return {
    ...counts,
    ...kept,
    previewed: true,
    skipped,
    faults,
    docs,
    addresses,
    signs: undefined,
    links: undefined,
  };
}

function tooMany(pagesMax: number): AppError {
  return new AppError("too_large", `The source has more than ${pagesMax} pages.`, {
    hint: "Nothing was changed: readers still see what was there before. Name a smaller part of it, or raise the setting pages_per_source.",
  });
}

/** Gives the new passages their vectors; where nothing has changed, those of all where the embedder has. */
async function giveVectors(
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
