import { isoTime } from "@docent/kernel/lib/iso-time";
import { hrefOf } from "@docent/reading/page/page-path";
import type { Source } from "@docent/reading/source";
import type { InventoryPlace, PageInventory } from "../pages/inventory.ts";
import type { DocsOverview } from "./docs-overview.ts";
import type { Generation, LedgerEntry, ListedSource, RunRecord } from "./stores.ts";

/** Why a source is not read at present; undefined where it is. */
type WhyNotRead = (source: Pick<ListedSource, "kind" | "location">) => string | undefined;

/** A source as the CLI and the admin API show it. */
export function sourceJson(source: ListedSource, whyNotRead: WhyNotRead) {
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
    published: options.published ?? null,
    everyMs: everyMs ?? null,
    nextRunAt: isoTime(nextRunAt),
    notRead: whyNotRead(source) ?? null,
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
    addresses: run.addresses
      ? { ...run.addresses, anchors: run.addresses.anchors ?? null, note: run.addresses.note ?? null }
      : null,
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

/** The same, with what became of it: nothing where readers see no page of it. */
export function listedEntryJson(entry: LedgerEntry, place: InventoryPlace | undefined) {
  const page = place && { title: place.title, documentPages: place.documentPages ?? null };
  return { ...ledgerEntryJson(entry), page: page ?? null };
}

const PATHS_AT_ONCE = 500;

/** Entries of a source's ledger as the CLI and the admin API show them, with what became of each. */
export async function listedEntriesJson(
  inventory: Pick<PageInventory, "ofPlaces">,
  { id, siteId }: Pick<Source, "id" | "siteId">,
  entries: readonly LedgerEntry[],
) {
  const listed: ReturnType<typeof listedEntryJson>[] = [];
  for (let at = 0; at < entries.length; at += PATHS_AT_ONCE) {
    const some = entries.slice(at, at + PATHS_AT_ONCE);
    const places = await inventory.ofPlaces(
      siteId,
      id,
      some.flatMap(({ path }) => path ?? []),
    );
    const byLocation = new Map(places.map((place) => [place.location, place]));
    listed.push(...some.map((entry) => listedEntryJson(entry, byLocation.get(entry.location))));
  }
  return listed;
}

/** A state of a site's index that can be returned to. */
export function generationJson({ number, finishedAt, source, counts, isVisible }: Generation) {
  return { number, isVisible, at: new Date(finishedAt).toISOString(), source, counts };
}
