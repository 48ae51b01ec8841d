import { toAppError } from "@docent/kernel/errors";
import { whileHeld } from "@docent/kernel/lib/lease";
import type { Source } from "@docent/reading/source";
import { isLeftOut } from "@docent/reading/source-reader";
import type { RunOutcome, SourceStore } from "../stores.ts";
import { readSource } from "./read-source.ts";
import type { IngestReport, IngestRequest, RunDeps } from "./request.ts";

export type { IngestProgress } from "./pass.ts";
export { type PublishedSite, pathsBelow } from "./published/published.ts";
export type { IngestReport, IngestRequest } from "./request.ts";

export interface Ingest {
  run(request: IngestRequest): Promise<IngestReport>;
  /** Raises `conflict` while a run holds the source, in this process or another. */
  checkIdle(source: Source): Promise<void>;
  /** Notes how the runs of a source ended that were cut off. Raises `conflict` while one holds it. */
  settle(source: Source): Promise<void>;
  /** Does something that no run of the source may meet half done. Raises `conflict` while one holds it. */
  whileIdle<T>(source: Source, work: () => Promise<T>): Promise<T>;
}

interface IngestDeps extends RunDeps {
  sources: SourceStore;
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
      counts: report
        ? { ...linksBefore(before?.counts), ...signsBefore(before?.counts), ...countsOf(report) }
        : {},
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

/** What the run before knew of links: one that reads few pages does not look at them anew. */
function linksBefore({ links, linksLost }: Readonly<Record<string, number>> = {}): Record<string, number> {
  return links === undefined || linksLost === undefined ? {} : { links, linksLost };
}

/** The share of a source's pages that a run has to have read to say how they are. */
const READ_SHARE = 0.9;

/** Pages that were not read again are as the run before found them. */
const SIGNS_OF_READ = ["pagesRead", "pagesBlank", "passagesRead", "passagesAlike"];

function signsBefore(counts: Readonly<Record<string, number>> = {}): Record<string, number> {
  return Object.fromEntries(
    SIGNS_OF_READ.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]]])),
  );
}

/** What was noticed of a run, as counts; of few pages, nothing is told of how they were read. */
function signsOf({ signs, added, changed, unchanged }: IngestReport): Record<string, number> {
  if (signs === undefined) return {};
  const { files, became, ignored, pages, blank, passages, alike } = signs;
  const isWhole = pages > 0 && pages >= READ_SHARE * (added + changed + unchanged);
  return {
    ...(files > 0 && { files, filesBecame: became, filesIgnored: ignored }),
    ...(isWhole && { pagesRead: pages, pagesBlank: blank, passagesRead: passages, passagesAlike: alike }),
  };
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
  const { golden, links, published } = report;
  return {
    added,
    changed,
    unchanged,
    removed,
    passages,
    skipped: skipped.filter(isLeftOut).length,
    ...(unknowns > 0 && { unknowns }),
    ...(asked > 0 && { addressesAsked: asked, addressesAnswering: answering }),
    ...(links && { links: links.links, linksLost: links.lost }),
    ...(published && {
      publishedPages: published.pages,
      publishedFound: published.found,
      publishedKept: published.kept,
      ...(published.why !== undefined && { publishedUnread: 1 }),
    }),
    ...signsOf(report),
    ...(golden && { goldenAsked: golden.asked, goldenWorse: golden.worse.length }),
  };
}
