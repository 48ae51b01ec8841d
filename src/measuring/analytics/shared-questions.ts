import { type Clock, DAY_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import { keepLatest } from "@docent/kernel/lib/keep-latest";
import type { OverviewStore } from "./stores.ts";

const DAYS = 90;
/** From so many readers on, a question is no longer one person's. */
const READERS_MIN = 3;
/** Somebody with several names could make a question of theirs look shared within an hour. */
const DAYS_MIN = 2;
const BOUNDS = {
  questionsMax: 5000,
  charactersMax: 120,
  readersMin: READERS_MIN,
  daysMin: DAYS_MIN,
  limit: 4,
};
const KEPT_FOR_MS = 10 * MINUTE_MS;
const SITES_KEPT = 500;

/** Gives what several readers of a site ask in the same words, and are answered: the most asked first. */
export function createSharedQuestions({
  store,
  clock,
}: {
  store: Pick<OverviewStore, "shared">;
  clock: Clock;
}) {
  const kept = new Map<number, { at: number; questions: Promise<string[]> }>();
  return async (siteId: number): Promise<string[]> => {
    const now = clock();
    const known = kept.get(siteId);
    if (known !== undefined && now - known.at < KEPT_FOR_MS) return known.questions;
    const period = { from: now - DAYS * DAY_MS, to: now + 1 };
    const questions = store
      .shared(siteId, period, BOUNDS)
      .then((found) => found.map(({ question }) => question))
      .catch((error: unknown) => {
        kept.delete(siteId);
        throw error;
      });
    keepLatest(kept, siteId, { at: now, questions }, SITES_KEPT);
    return questions;
  };
}
