import { AppError, toAppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { whileHeld } from "@docent/kernel/lib/lease";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { AnchorStyle } from "@docent/reading/markdown/page";
import type { PageReading } from "@docent/reading/page-reading/page-reading";
import type { Source, SourceSpec } from "@docent/reading/source";
import {
  type FoundDocs,
  isLeftOut,
  isSkipped,
  type RecognizedDocs,
  type Skipped,
  type SourceItem,
  type SourceReader,
} from "@docent/reading/source-reader";
import type { AddressCheck } from "../check-addresses.ts";
import { overviewOf } from "../docs-overview.ts";
import type {
  GoldenOutcome,
  IngestStore,
  LedgerStore,
  PassageIndexer,
  RunCounts,
  RunOutcome,
  SiteCalibrator,
  SourceStore,
  SwitchWatch,
} from "../stores.ts";
import type { Vectors } from "../vectors.ts";
import { dropUnlisted, leaveUnlearned, leaveUnlisted } from "./leave.ts";
import {
  beginPass,
  flush,
  type IngestProgress,
  type PageFault,
  type Pass,
  remembered,
  settled,
  unlisted,
} from "./pass.ts";
import { createRunProgress, type RunProgress } from "./progress.ts";
import { hasChanged, type Published, publishChanges } from "./publish.ts";
import { skipPage, takePage } from "./take.ts";

/** Generations that can be returned to, the visible one included. */
const GENERATIONS_KEPT = 3;
/** A source that lists less than this share of its pages is asked after, if it is more than a few that are gone. */
const SHRINK_SHARE = 0.5;
const SHRINK_PAGES_MIN = 10;

export interface IngestReport extends RunCounts, Published {
  /** An interrupted run was taken up again. */
  resumed: boolean;
  skipped: Skipped[];
  /** What was wrong with pages that were read all the same. */
  faults: PageFault[];
  /** It was only looked at: nothing was read or published. */
  previewed: boolean;
  /** The docs that the source holds, where a generator's were recognized. */
  docs: RecognizedDocs | undefined;
  /** Why the source was not read to its end; what was not reached is as before. */
  incomplete: string | undefined;
  /** Whether the pages are at their published addresses, where that was asked. */
  addresses: AddressCheck | undefined;
}

export interface IngestRequest {
  source: SourceSpec;
  reader: SourceReader;
  /** The generation that readers see before the run. */
  generation: number;
  /** The generator whose anchors the site's headings have. Default: GitHub. */
  anchors?: AnchorStyle;
  /** The groups that the source's pages are for. Default: everyone. */
  groups?: readonly string[] | undefined;
  /** Ends before the first page where the docs of a generator are recognized, so that somebody can look at them. */
  preview?: boolean;
  /** Takes pages away even where the source lists far fewer than before. */
  force?: boolean;
  /** Leaves what it has read staged where a golden question would get worse. */
  requiresGolden?: boolean;
  /** Asks for pages at their published addresses, once readers see them. */
  checkAddresses?: (paths: readonly string[]) => Promise<AddressCheck>;
  signal: AbortSignal;
  onProgress?: (progress: IngestProgress) => void;
  /** Called before the first page of a source that is files: which generator's docs they are, if any's. */
  onRecognized?: ((docs: FoundDocs) => void) | undefined;
  /** Called with the questions for passages that stand beside the docs. */
  onWritten?: ((content: Uint8Array) => void) | undefined;
  /** Called while passages get their vectors. */
  onEmbedding?: (passages: number) => void;
  /** Called while they are indexed: how many are, of how many. */
  onIndexing?: (passages: number, all: number) => void;
  /** Called with what golden questions say of the run, before readers see anything of it. */
  onGolden?: (outcome: GoldenOutcome) => void;
}

export interface Ingest {
  run(request: IngestRequest): Promise<IngestReport>;
  /** Raises `conflict` while a run holds the source, in this process or another. */
  checkIdle(source: Source): Promise<void>;
  /** Notes how the runs of a source ended that were cut off. Raises `conflict` while one holds it. */
  settle(source: Source): Promise<void>;
  /** Does something that no run of the source may meet half done. Raises `conflict` while one holds it. */
  whileIdle<T>(source: Source, work: () => Promise<T>): Promise<T>;
}

interface IngestDeps {
  store: IngestStore;
  sources: SourceStore;
  ledger: LedgerStore;
  vectors: Vectors;
  index: PassageIndexer;
  calibrator: SiteCalibrator;
  watch: SwitchWatch;
  clock: Clock;
  log: Log;
  pageReading: PageReading;
  pagesMax: number;
  imageBytesMax: number;
}

/** Reads a source into the index. Nothing of a run is visible before all of it is there. */
export function createIngest(deps: IngestDeps): Ingest {
  const { store, sources, clock } = deps;

  const whileIdle = async <T>(source: Source, work: () => Promise<T>): Promise<T> =>
    whileHeld(await store.lock(source), NO_SIGNAL, work);

  return {
    async run(request) {
      const source = await sources.open(request.source, clock());
      const lease = await store.lock(source);
      return whileHeld(lease, request.signal, (signal) => runNoted(deps, source, { ...request, signal }));
    },

    checkIdle: (source) => whileIdle(source, async () => {}),
    settle: (source) =>
      whileIdle(source, () => deps.ledger.settle(source, { message: CUT_OFF, at: clock() })),
    whileIdle,
  };
}

const NO_SIGNAL = new AbortController().signal;

/** How many addresses that did not answer are kept by name. */
const MISSING_KEPT = 10;

/** What is said of a run that could not say it itself. */
const CUT_OFF =
  "The run was cut off before its end: its process was ended, or its database was away for too long. The next run goes on from where it was.";

/** Notes in the ledger that the run was there, and how it ended. */
async function runNoted(deps: IngestDeps, source: Source, request: IngestRequest): Promise<IngestReport> {
  const { ledger, clock } = deps;
  const [before] = await ledger.runs(source.id, 1);
  const wasWhole = before?.outcome === "published" || before?.outcome === "unchanged";
  // Nobody else holds the source: what is open there was cut off.
  await ledger.settle(source, { message: CUT_OFF, at: clock() });
  const ledgerRunId = await ledger.beginRun(source, clock());
  const isPublished = (report: IngestReport) => report.generation !== request.generation;
  const end = (outcome: RunOutcome, message: string | undefined, report?: IngestReport) =>
    ledger.endRun(source, ledgerRunId, {
      outcome,
      message,
      at: clock(),
      generation: report && isPublished(report) ? report.generation : undefined,
      addresses: report?.addresses && {
        ...report.addresses,
        missing: report.addresses.missing.slice(0, MISSING_KEPT),
      },
      counts: report ? countsOf(report) : {},
    });
  try {
    const report = await readSource(deps, source, { ledgerRunId, wasWhole }, request);
    await end(outcomeOf(report, isPublished(report)), report.refused ?? report.incomplete, report);
    return report;
  } catch (error) {
    // An interrupted run stays open in the ledger, and is taken up again. Where even this cannot be written, what
    // went wrong first is what matters.
    if (!request.signal.aborted) await end("failed", toAppError(error).message).catch(() => {});
    throw error;
  }
}

/** A run as the ledger knows it. */
interface BegunRun {
  ledgerRunId: number;
  /** The run before came to the end of the source. */
  wasWhole: boolean;
}

/** Lists what is at the source, takes each page, leaves or drops the rest, gives vectors, indexes, and publishes: all or nothing. */
async function readSource(
  deps: IngestDeps,
  source: Source,
  begun: BegunRun,
  request: IngestRequest,
): Promise<IngestReport> {
  const { store } = deps;
  const { pass, resumed } = await openPass(deps, source, begun, request);
  const progress = createRunProgress(pass);
  const { signal } = request;
  const { preview = false, onRecognized, onWritten } = request;
  const options = { signal, pagesMax: deps.pagesMax, progress, onRecognized, onWritten, preview };
  const incomplete = await takeAll(pass, request.reader, options).finally(progress.end);
  if (preview && pass.docs !== undefined) return endPreview(deps, pass, request, pass.docs);
  await leaveUnlearned(pass);
  await flush(pass);
  if (incomplete === undefined) {
    checkListed(pass, request.force === true);
    await dropUnlisted(pass);
  } else await leaveUnlisted(pass);
  await giveVectors(deps, pass, request, progress);
  const { counts, skipped, faults, docs } = pass;
  const published = await publishChanges(deps, pass, {
    ...publishOptions(request),
    progress,
    incomplete: incomplete?.message,
  });
  const found = { resumed, previewed: false, skipped, faults, docs, incomplete: incomplete?.message };
  if (published.refused !== undefined) return { ...counts, ...published, ...found, addresses: undefined };
  await store.prune(source.siteId, GENERATIONS_KEPT);
  await tidyIndex(deps, source, signal);
  await calibrateSite(deps, source, signal);
  const addresses = await request.checkAddresses?.([...pass.seen]);
  return { ...counts, ...published, ...found, addresses };
}

const publishOptions = ({
  generation,
  requiresGolden = false,
  signal,
  onIndexing,
  onGolden,
}: IngestRequest) => ({
  generation,
  requiresGolden,
  signal,
  onIndexing,
  onGolden,
});

/** Ends a run that only looked: what an interrupted one staged stays for the next. */
async function endPreview(
  { store }: IngestDeps,
  { runId, counts, skipped, faults, known }: Pass,
  { generation, checkAddresses }: IngestRequest,
  docs: RecognizedDocs,
): Promise<IngestReport> {
  if (![...known.values()].flat().some(({ staged }) => staged)) await store.discard(runId);
  const addresses = await checkAddresses?.(docs.samples.map(({ path }) => path));
  const kept = { generation, resumed: false, incomplete: undefined, golden: undefined, refused: undefined };
  return { ...counts, ...kept, previewed: true, skipped, faults, docs, addresses };
}

/** Begins a pass, or takes up one that was interrupted: what it staged is there still. */
async function openPass(
  { store, ledger, clock, pageReading, imageBytesMax }: IngestDeps,
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

/** Gives the new passages their vectors; where nothing has changed, those of all where the embedder has. */
async function giveVectors(
  deps: IngestDeps,
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

/** The run has done its work by now: what is left untidy, the next one tidies. */
async function tidyIndex({ index, log }: IngestDeps, { siteId, location }: Source, signal: AbortSignal) {
  try {
    await index.tidy(siteId, signal);
  } catch (error) {
    if (signal.aborted) return;
    log.warn("the keyword index of a site could not be tidied", { source: location, ...reasonFields(error) });
  }
}

/** Until this is done, and where it fails, the generation before says what relevance is. */
async function calibrateSite(
  { calibrator, log }: IngestDeps,
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

/**
 * Gives the site the vectors of another embedder, where that was chosen since. Where they cannot be had now, those that
 * are there are used on: a run that changes nothing has no need of a model.
 */
async function renewVectors(
  { vectors, log }: IngestDeps,
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

interface TakeOptions extends Pick<IngestRequest, "signal" | "onRecognized" | "onWritten"> {
  pagesMax: number;
  progress: RunProgress;
  preview: boolean;
}

/** Takes what the source lists. Returns why it ended early, where something had been read by then. */
async function takeAll(
  pass: Pass,
  reader: SourceReader,
  { signal, pagesMax, progress, onRecognized, onWritten, preview }: TakeOptions,
): Promise<AppError | undefined> {
  let death: AppError | undefined;
  let noted: RecognizedDocs | undefined;
  const items = untilItDies(
    reader.list({
      signal,
      remembered: (location) => remembered(pass, location),
      settled: () => settled(pass),
      keepDocs() {
        pass.keepsDocs = true;
      },
      onRecognized(docs) {
        if (docs.generator !== undefined) pass.docs = docs;
        else {
          pass.redirects = docs.redirects ?? [];
          pass.menu = docs.menu ?? [];
        }
        onRecognized?.(docs);
      },
      onWritten,
    }),
    (error) => {
      death = error;
    },
  );
  for await (const item of items) {
    signal.throwIfAborted();
    if (pass.docs !== undefined && noted === undefined) {
      noted = pass.docs;
      await pass.ledger.noteDocs(pass.source, pass.ledgerRunId, noted.generator, overviewOf(noted));
      if (preview) return undefined;
    }
    if (isSkipped(item)) await skipPage(pass, item);
    else await takePage(pass, item);
    await progress.passed();
    if (pass.seen.size > pagesMax) throw tooMany(pagesMax);
  }
  // A source that is told to stop may say that it could not go on.
  signal.throwIfAborted();
  if (death !== undefined && pass.seen.size === 0) throw death;
  return death;
}

/** Ends the list where the source itself cannot go on: what fails while a page is stored ends the run. */
async function* untilItDies(
  items: AsyncIterable<SourceItem | Skipped>,
  onDeath: (error: AppError) => void,
): AsyncGenerator<SourceItem | Skipped> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    onDeath(error);
  }
}

/** Raises for a source that lists nothing, or far less than it did: its address may be wrong, or its server ill. */
function checkListed(pass: Pass, force: boolean): void {
  if (force) return;
  const restricted = pass.skipped.filter(({ reason }) => reason === "restricted");
  if (pass.seen.size === 0 && restricted.length === 0) throw nothingFound(pass.source);
  // A page that is said to be not for everyone is there: it did not get lost.
  const closed = new Set(restricted.map(({ location }) => location));
  const isAskedAfter = ({ location }: { location: string }) => !closed.has(location);
  const gone = unlisted(pass).filter((page) => page.isVisible && isAskedAfter(page)).length;
  const visible = [...pass.known.values()].flat().filter((page) => !page.staged && isAskedAfter(page)).length;
  if (gone >= SHRINK_PAGES_MIN && gone > visible * SHRINK_SHARE) throw shrunk(pass.source, gone, visible);
}

function outcomeOf(report: IngestReport, isPublished: boolean): RunOutcome {
  if (report.previewed) return "previewed";
  if (report.refused !== undefined) return "refused";
  if (report.incomplete !== undefined) return "incomplete";
  return isPublished ? "published" : "unchanged";
}

function countsOf(report: IngestReport): Record<string, number> {
  const { added, changed, unchanged, removed, passages, skipped, docs, addresses } = report;
  const { asked = 0, answering = 0 } = addresses ?? {};
  const unknowns = docs?.unknowns.length ?? 0;
  const { golden } = report;
  return {
    added,
    changed,
    unchanged,
    removed,
    passages,
    skipped: skipped.filter(isLeftOut).length,
    ...(unknowns > 0 && { unknowns }),
    ...(asked > 0 && { addressesAsked: asked, addressesAnswering: answering }),
    ...(golden && { goldenAsked: golden.asked, goldenWorse: golden.worse.length }),
  };
}

function nothingFound(source: Source): AppError {
  return new AppError("invalid_request", `There are no pages in ${source.location}.`, {
    hint: "Name the place that holds the docs. What was ingested before is still there (--force takes it away).",
  });
}

function shrunk(source: Source, gone: number, visible: number): AppError {
  return new AppError(
    "conflict",
    `${source.location} no longer lists ${gone} of the ${visible} pages that it had: nothing was changed.`,
    { hint: "If they are really gone, run this again with --force. If not, look at the source first." },
  );
}

function tooMany(pagesMax: number): AppError {
  return new AppError("too_large", `The source has more than ${pagesMax} pages.`, {
    hint: "Nothing was changed: readers still see what was there before. Name a smaller part of it, or raise the setting pages_per_source.",
  });
}
