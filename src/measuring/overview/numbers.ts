import type { Outcome } from "@docent/answering/threads/threads";
import type { OutcomeCount, RangeFigures, RatingCount } from "../analytics/stores.ts";

/** The middle of many waits, and what 95 of 100 stay below. */
interface Wait {
  medianMs: number;
  p95Ms: number;
}

/** How many questions ended in which way. */
type OutcomeNumbers = Record<Outcome, number>;

/** A period in numbers. */

const SHARE_DIGITS = 1000;

/** Adds up how questions ended. */
export function addOutcomes(counts: readonly OutcomeCount[]): {
  questions: number;
  outcomes: OutcomeNumbers;
} {
  const outcomes = { answered: 0, unanswered: 0, quoted: 0, touched: 0, curated: 0, failed: 0, stopped: 0 };
  for (const { outcome, count } of counts) if (outcome !== undefined) outcomes[outcome] += count;
  return { questions: counts.reduce((sum, { count }) => sum + count, 0), outcomes };
}

/** What there is to say of a period, from what was counted in it. */
export function toNumbers(
  counts: readonly OutcomeCount[],
  figures: RangeFigures,
  { helpful, rated }: RatingCount,
  searches: number,
) {
  const { questions, outcomes } = addOutcomes(counts);
  return {
    questions,
    outcomes,
    answeredShare: answeredShare(outcomes),
    readers: figures.readers,
    ratings: { helpful, rated, share: share(helpful, rated) },
    waits: {
      queue: waitOf(figures.queueMs),
      firstToken: waitOf(figures.firstTokenMs),
      total: waitOf(figures.totalMs),
    },
    cachedShare: share(figures.cached, figures.stored),
    searches,
  };
}

/** Who stops an answer may have read enough or not: those are left out, and so is what is being answered. */
function answeredShare(outcomes: OutcomeNumbers): number | null {
  const answered = outcomes.answered + outcomes.quoted + outcomes.curated;
  return share(answered, answered + outcomes.touched + outcomes.unanswered + outcomes.failed);
}

/** By nearest rank, so that each is a wait that somebody had; null where nobody waited. */
export function waitOf(milliseconds: readonly number[]): Wait | null {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  return sorted.length === 0 ? null : { medianMs: at(0.5), p95Ms: at(0.95) };
}

const share = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * SHARE_DIGITS) / SHARE_DIGITS;
