import { isoTime } from "../lib/iso-time.ts";
import { hrefOf } from "../pages/page-path.ts";
import type { DocsOverview } from "./docs-overview.ts";
import type { Generation, LedgerEntry, ListedSource, RunRecord } from "./stores.ts";

/** A source as the CLI and the admin API show it. */
export function sourceJson(source: ListedSource) {
  const { id, kind, location, version, language, everyMs, nextRunAt, lastRun, options } = source;
  return {
    number: id,
    kind,
    place: location,
    version,
    language,
    authorization: options.authorizationVariable ?? null,
    groups: [...(options.groups ?? [])],
    answers: options.answers ?? {},
    everyMs: everyMs ?? null,
    nextRunAt: isoTime(nextRunAt),
    lastRun: runJson(lastRun),
  };
}

/** How a source was read once. */
export function runJson(run: RunRecord | undefined) {
  if (run === undefined) return null;
  return {
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: isoTime(run.finishedAt),
    outcome: run.outcome ?? null,
    message: run.message ?? null,
    generation: run.generation ?? null,
    generator: run.generator ?? null,
    docs: run.docs ? docsJson(run.docs) : null,
    addresses: run.addresses ? { ...run.addresses, note: run.addresses.note ?? null } : null,
    counts: run.counts,
  };
}

function docsJson({ samples, unknowns, ...docs }: DocsOverview) {
  return {
    ...docs,
    samples: samples.map(({ location, path }) => ({ location, path, href: hrefOf({ path, anchor: "" }) })),
    unknowns: unknowns.map(({ name, question, guess }) => ({ name: name ?? null, question, guess })),
  };
}

/** What was decided of one page or address. */
export function ledgerEntryJson(entry: LedgerEntry) {
  const { location, path, found, decision, reason, detail, passages, tookMs, decidedAt } = entry;
  return {
    location,
    path: path ?? null,
    found,
    decision,
    reason: reason ?? null,
    detail: detail ?? null,
    passages: passages ?? null,
    tookMs,
    decidedAt: isoTime(decidedAt),
  };
}

/** A state of a site's index that can be returned to. */
export function generationJson({ number, finishedAt, source, counts, isVisible }: Generation) {
  return { number, isVisible, at: new Date(finishedAt).toISOString(), source, counts };
}
