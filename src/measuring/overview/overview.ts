import type { Outcome } from "@docent/answering/threads/threads";
import { AppError } from "@docent/kernel/errors";
import { type Clock, DAY_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { pathInAddress } from "@docent/reading/page/page-path";
import { spellingsOf } from "@docent/sites/pages/pages";
import type {
  AddressCount,
  OutcomeCount,
  OverviewStore,
  PageCount,
  Period,
  RangeFigures,
  RatingCount,
} from "../analytics/stores.ts";
import type { AnalyzedSite } from "../conversations/conversations.ts";
import { type Day, daysOf, startOfDay } from "./days.ts";

/** The period to report on. Default: the last 30 days. */
interface OverviewQuery {
  from: number | undefined;
  to: number | undefined;
  /** By IANA's name. */
  timeZone: string;
}

/** A year, with what is needed to see it whole in any time zone. */
const DAYS_MAX = 400;
const DAYS = 30;
const PAGES_MAX = 10;
/** Which pages are cited is read from the turns themselves: more of them would keep others waiting. */
const PAGE_QUESTIONS_MAX = 5000;

/** What an owner sees at a glance: a period in numbers, beside the one before it. */
export function createOverview({ store, clock }: { store: OverviewStore; clock: Clock }) {
  /** How questions ended, by day, and in the period before: one read for all of them. */
  async function countByDay(siteId: number, days: readonly Day[], before: Period) {
    const counts = await store.outcomes(siteId, [...days, before]);
    await letOthersRun();
    const ofBefore = counts.filter(({ range }) => range === days.length);
    const ofPeriod = counts.filter(({ range }) => range < days.length);
    const byRange = Map.groupBy(ofPeriod, ({ range }) => range);
    const byDay = days.map(({ date }, range) => ({ date, ...addOutcomes(byRange.get(range) ?? []) }));
    return { byDay, ofPeriod, ofBefore };
  }

  async function numbersOf(siteId: number, period: Period, counts: readonly OutcomeCount[]) {
    // Each is one read that nobody else can be served in: the others have their turn in between.
    const figures = await store.figures(siteId, period);
    await letOthersRun();
    const ratings = await store.ratings(siteId, period);
    const searches = await store.searches(siteId, period);
    await letOthersRun();
    return { ...toNumbers(counts, figures, ratings, searches), stored: figures.stored };
  }

  async function pagesOf(site: AnalyzedSite, period: Period, questions: number) {
    const bounds = { questionsMax: PAGE_QUESTIONS_MAX, pagesMax: PAGES_MAX };
    const { pages, addresses } = await store.cited(site.id, period, bounds);
    await letOthersRun();
    const askedOn = await store.askedOn(site.id, period, bounds);
    await letOthersRun();
    return {
      cited: mergeAddresses(pages, addresses, site.url).slice(0, PAGES_MAX).map(toPage),
      askedOn: askedOn.map(toPage),
      questionsCounted: Math.min(questions, PAGE_QUESTIONS_MAX),
      isAll: questions <= PAGE_QUESTIONS_MAX,
    };
  }

  return async (site: AnalyzedSite, { from, to, timeZone }: OverviewQuery) => {
    const period = periodOf({ from, to }, timeZone, clock());
    const before = periodBefore(period);
    const { byDay, ofPeriod, ofBefore } = await countByDay(site.id, daysOf(period, timeZone), before);
    const { stored, ...numbers } = await numbersOf(site.id, period, ofPeriod);
    const { stored: _, ...numbersBefore } = await numbersOf(site.id, before, ofBefore);
    return {
      timeZone,
      period: toJson(period),
      periodBefore: toJson(before),
      days: byDay,
      numbers,
      numbersBefore,
      pages: await pagesOf(site, period, stored),
    };
  };
}

function periodOf({ from, to }: Pick<OverviewQuery, "from" | "to">, timeZone: string, now: number): Period {
  // What is asked in this very moment is in it.
  const until = to ?? now + 1;
  const period = { from: from ?? startOfDay(until, DAYS - 1, timeZone), to: until };
  if (period.from > period.to) throw fault("dateTo", "must not be before dateFrom");
  if (period.to - period.from > DAYS_MAX * DAY_MS)
    throw fault("dateFrom", `must not be more than ${DAYS_MAX} days before dateTo`);
  return since1970(period);
}

/** As many whole days earlier as the period takes: the same days of the week where it is weeks, up to the same hour. */
function periodBefore({ from, to }: Period): Period {
  const shift = Math.max(1, Math.ceil((to - from) / DAY_MS)) * DAY_MS;
  return since1970({ from: from - shift, to: to - shift });
}

/** Nothing was asked before, and years below 0 are no dates that JSON has. */
const since1970 = ({ from, to }: Period): Period => ({ from: Math.max(0, from), to: Math.max(0, to) });

function fault(path: string, message: string): AppError {
  return new AppError("invalid_request", `${path}: ${message}`, { details: [{ path, message }] });
}

const toJson = ({ from, to }: Period) => ({
  dateFrom: new Date(from).toISOString(),
  dateTo: new Date(to).toISOString(),
});

const toPage = ({ path, title, count }: { path: string; title: string | undefined; count: number }) => ({
  path,
  title: title ?? null,
  count,
});

/** Where Docent's own reader has a page: below the site's domain. */
const IN_READER = /^\/?(?:.*\/)?sites\/[^/]+\//;

/** Adds what was counted by address to the pages that are there, the most frequent first. */
export function mergeAddresses(
  pages: readonly PageCount[],
  addresses: readonly AddressCount[],
  siteUrl: string | undefined,
): PageCount[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  for (const { url, count } of addresses) {
    const path = pathOf(url, siteUrl);
    // An address may leave out the ending of its page's path.
    const [own = path] = spellingsOf(path).filter((each) => byPath.has(each));
    const known = byPath.get(own) ?? { path, title: undefined, count: 0 };
    byPath.set(own, { ...known, count: known.count + count });
  }
  return [...byPath.values()].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}

/** The page that a citation led to, as far as its address tells. */
function pathOf(url: string, siteUrl: string | undefined): string {
  const plain = url.split(/[?#]/, 1)[0] ?? "";
  const isOnSite = siteUrl !== undefined && `${plain}/`.startsWith(`${siteUrl}/`);
  if (isOnSite) return decodePercent(pathInAddress(plain.slice(siteUrl.length)));
  const path = URL.parse(plain)?.pathname ?? plain;
  return decodePercent(pathInAddress(path.replace(IN_READER, "")));
}

/** The middle of many waits, and what 95 of 100 stay below. */
interface Wait {
  medianMs: number;
  p95Ms: number;
}

/** How many questions ended in which way. */
type OutcomeNumbers = Record<Outcome, number>;

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
