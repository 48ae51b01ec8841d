import { isoTime } from "@docent/kernel/lib/iso-time";
import type { SiteSettings } from "@docent/sites/site/settings";
import type { EnrichmentCounts, EnrichmentMeasure, EnrichmentSample } from "./stores.ts";

/** Fewer kept questions show nothing: then the owner decides without them. */
const MEASURED_QUESTIONS_MIN = 20;

/**
 * Whether search may count what was written: where enough of the owner's questions were asked, it must find their pages
 * as well with it as without.
 */
export const mayCount = ({ questions, ndcgWith, ndcgWithout }: EnrichmentMeasure): boolean =>
  questions < MEASURED_QUESTIONS_MIN || ndcgWith >= ndcgWithout;

/** What there is to know of a site's enrichment. */
export interface EnrichmentState {
  mode: SiteSettings["enrichment"];
  counts: EnrichmentCounts;
  /** Of the site, as its readers see it. */
  passages: number;
  spentMs: number;
  minutesPerDay: number;
  measure: EnrichmentMeasure | undefined;
  samples: EnrichmentSample[];
}

const MINUTE_MS = 60_000;

/** It as the CLI and the admin API show it. */
export function enrichmentJson(state: EnrichmentState) {
  const { mode, counts, passages, spentMs, minutesPerDay, measure, samples } = state;
  return {
    mode,
    passages,
    written: counts.written,
    refused: counts.refused,
    minutesToday: Math.round((spentMs / MINUTE_MS) * 10) / 10,
    minutesPerDay,
    isCounted: mode === "on" && counts.written > 0 && measure !== undefined && mayCount(measure),
    questionsMin: MEASURED_QUESTIONS_MIN,
    measure: measure === undefined ? null : measureJson(measure),
    samples: samples.map(({ madeAt, ...sample }) => ({ ...sample, madeAt: isoTime(madeAt) })),
  };
}

const measureJson = ({ at, ...measure }: EnrichmentMeasure) => ({ ...measure, measuredAt: isoTime(at) });
