import type { Outcome } from "../../threads/threads.ts";
import type { Period } from "../period.ts";

/** How many questions of a range ended so. */
export interface OutcomeCount {
  /** Which of the ranges that were asked for, from 0. */
  range: number;
  /** Undefined while they are being answered. */
  outcome: Outcome | undefined;
  count: number;
}

/** What is known of the questions of a range beside how they ended. */
export interface RangeFigures {
  /** Of readers who have a name. */
  readers: number;
  /** Answers that were written for an earlier question of the same words. */
  cached: number;
  /** Questions that are stored still; of deleted ones there are only counts. */
  stored: number;
  /** In milliseconds, in no order: of each question that has them. */
  queueMs: number[];
  firstTokenMs: number[];
  totalMs: number[];
}

/** Opinions that were given in a range. */
export interface RatingCount {
  helpful: number;
  rated: number;
}

/** A page, and how many answers cite it or how many questions were asked on it. */
export interface PageCount {
  path: string;
  /** Of the page as readers find it now, or found it; undefined where no generation that is kept has it. */
  title: string | undefined;
  count: number;
}

/** A place that answers lead to, where the passage that was cited is kept no more. */
export interface AddressCount {
  url: string;
  count: number;
}

/** What answers cite. */
interface CitedPages {
  pages: PageCount[];
  addresses: AddressCount[];
}

/** Which questions of a period are looked at one by one, the newest, and how many pages are named. */
interface PageBounds {
  questionsMax: number;
  pagesMax: number;
}

/** Counts what readers asked. Turns that a retry replaced are in none of it. */
export interface OverviewStore {
  /** Turns that were deleted since are counted too, to the range that holds the noon of their day, in UTC. */
  outcomes(siteId: number, ranges: readonly Period[]): Promise<OutcomeCount[]>;
  figures(siteId: number, period: Period): Promise<RangeFigures>;
  ratings(siteId: number, period: Period): Promise<RatingCount>;
  searches(siteId: number, period: Period): Promise<number>;
  /** The pages that most answers cite. An answer that cites several passages of a page cites one page. */
  cited(siteId: number, period: Period, bounds: PageBounds): Promise<CitedPages>;
  /** The pages on which most questions were asked. */
  askedOn(siteId: number, period: Period, bounds: PageBounds): Promise<PageCount[]>;
}
