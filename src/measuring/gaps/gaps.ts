import type { Curated } from "@docent/answering/curated/curated";
import { createQuestionVectors } from "@docent/answering/curated/questions/questions";
import type { RelevanceSettings, Search } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { choosePage, type PageStore } from "@docent/sites/pages/pages";
import { createAskAgain, type GapAskedSite } from "./ask-again.ts";
import { createPlaceQuestions } from "./place.ts";
import { compareGaps, type Gap, type GapPosition, reportGaps } from "./report.ts";
import type { GapQuestion, GapState, GapStore } from "./stores.ts";

export { gapJson, gapQuestionJson } from "./json.ts";
export type { GapPosition } from "./report.ts";
export type { GapState } from "./stores.ts";

/** The settings it reads, under their own names. */
export interface GapSettings extends RelevanceSettings {
  /** How many of a site's newest questions gaps are made of. */
  gap_questions: number;
  /** How long a question may wait for its vector. */
  question_vector_seconds: number;
}

interface GapsDeps {
  settings: GapSettings;
  store: GapStore;
  search: Search;
  curated: Pick<Curated, "match">;
  pages: Pick<PageStore, "findPages">;
  embedder: Embedder;
  /** Whether questions can be put into gaps; otherwise the gaps are shown as they are. True unless given. */
  canStore?: boolean;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** A gap as it is shown: of the pages that are near it, the nearest that readers may see. */
export interface ShownGap extends Omit<Gap, "nearest"> {
  nearest: { path: string; title: string; relevance: number } | undefined;
}

interface GapQuery {
  state?: GapState | undefined;
  /** Only what was asked from then on, and before then. */
  from?: number | undefined;
  until?: number | undefined;
  limit: number;
  /** Only gaps after this one. */
  after?: GapPosition | undefined;
}

/** What is shown of a question in a gap. */
export type ShownQuestion = Pick<GapQuestion, "turnId" | "text" | "askedAt" | "reason" | "nearest">;

export interface GapList {
  gaps: ShownGap[];
  hasMore: boolean;
  /** Questions that have come and are in no gap yet. */
  waiting: number;
}

/** Limits of the work done before one list is shown; the rest is left to the next list and to the server's upkeep. */
const PLACED_MAX = 1000;
const ASKED_MAX = 25;
const QUESTIONS_SHOWN_MAX = 100;

/** Finds out what the docs do not answer. */
export function createGaps(deps: GapsDeps) {
  const { settings, store, clock, canStore = true } = deps;
  const catchUp = createCatchUp(deps);

  async function get(site: GapAskedSite, gapId: string): Promise<ShownGap> {
    const found = (await gapsOf(deps, site, {})).find(({ id }) => id === gapId);
    if (!found) throw new AppError("not_found", "Not found", { hint: "docent gaps list <domain>" });
    return show(deps, site, found);
  }

  return {
    /** Places new questions and asks those of documented gaps again. Returns how many it looked at. */
    catchUp,

    async list(site: GapAskedSite, query: GapQuery, signal: AbortSignal): Promise<GapList> {
      if (canStore)
        await catchUp(site, signal).catch((error) => {
          // The client has left: nobody reads this list, and the next call continues the work.
          if (!signal.aborted) throw error;
        });
      const { state, after, limit } = query;
      const found = (await gapsOf(deps, site, query))
        .filter((gap) => state === undefined || gap.state === state)
        .filter((gap) => after === undefined || compareGaps(after, gap) < 0);
      return {
        gaps: await Promise.all(found.slice(0, limit).map((gap) => show(deps, site, gap))),
        hasMore: found.length > limit,
        waiting: await store.countUnplaced(site.id, settings.gap_questions),
      };
    },

    /** A gap with its newest questions. Raises `not_found` where the site has none of that id. */
    async get(site: GapAskedSite, gapId: string): Promise<{ gap: ShownGap; questions: ShownQuestion[] }> {
      const gap = await get(site, gapId);
      const { questions } = await store.placed(site.id, settings.gap_questions);
      const own = questions.filter((question) => question.gapId === gapId);
      return { gap, questions: own.toSorted((a, b) => b.askedAt - a.askedAt).slice(0, QUESTIONS_SHOWN_MAX) };
    },

    /** How many questions of open gaps came in the last so many milliseconds, and in as many before. */
    growth: (siteId: number, periodMs: number) => growthOf(deps, siteId, periodMs),

    /** Says what became of a gap. Raises `not_found` where the site has none of that id. */
    async set(site: GapAskedSite, gapId: string, state: GapState): Promise<ShownGap> {
      await get(site, gapId);
      await store.setState(site.id, gapId, { state, stateAt: clock() });
      return get(site, gapId);
    },
  };
}

export type Gaps = ReturnType<typeof createGaps>;

async function growthOf({ store, settings, clock }: GapsDeps, siteId: number, periodMs: number) {
  const closed = (await store.records(siteId)).filter(({ state }) => state !== "open");
  const isClosed = new Set(closed.map(({ id }) => id));
  const { questions } = await store.placed(siteId, settings.gap_questions);
  const ages = questions.filter(({ gapId }) => !isClosed.has(gapId)).map(({ askedAt }) => clock() - askedAt);
  return {
    now: ages.filter((age) => age < periodMs).length,
    before: ages.filter((age) => age >= periodMs && age < 2 * periodMs).length,
  };
}

/** One run for a site at a time: two at once would each make a gap for the same question. */
function createCatchUp(deps: GapsDeps) {
  const questionMs = deps.settings.question_vector_seconds * SECOND_MS;
  const place = createPlaceQuestions({ ...deps, measure: createQuestionVectors({ ...deps, questionMs }) });
  const askAgain = createAskAgain(deps);
  let working: Promise<unknown> = Promise.resolve();

  return (site: GapAskedSite, signal: AbortSignal): Promise<number> => {
    const work = working.then(async () => {
      const placed = await place(site, PLACED_MAX, signal);
      return placed + (await askAgain(site, ASKED_MAX, signal));
    });
    working = work.catch(() => {});
    return work;
  };
}

/** A site's gaps, counting the questions of a period. */
async function gapsOf(
  { settings, store }: Pick<GapsDeps, "settings" | "store">,
  site: GapAskedSite,
  { from = 0, until = Number.POSITIVE_INFINITY }: Pick<GapQuery, "from" | "until">,
): Promise<Gap[]> {
  const { questions } = await store.placed(site.id, settings.gap_questions);
  const asked = questions.filter(({ askedAt }) => askedAt >= from && askedAt < until);
  return reportGaps(asked, await store.records(site.id));
}

type PageDeps = Pick<GapsDeps, "pages">;

async function show(deps: PageDeps, site: GapAskedSite, gap: Gap): Promise<ShownGap> {
  const { nearest, askedAgain, ...rest } = gap;
  const shown = await nearestVisible(deps, site, nearest);
  const again = askedAgain?.path === undefined ? undefined : await visiblePage(deps, site, askedAgain.path);
  return { ...rest, nearest: shown, askedAgain: askedAgain && { ...askedAgain, path: again?.path } };
}

async function nearestVisible(
  deps: PageDeps,
  site: GapAskedSite,
  nearest: Gap["nearest"],
): Promise<ShownGap["nearest"]> {
  for (const { path, relevance } of nearest) {
    const page = await visiblePage(deps, site, path);
    if (page) return { path, title: page.title, relevance };
  }
  return undefined;
}

/** The page of a path as readers find it; undefined where it has been hidden or removed since. */
async function visiblePage({ pages }: PageDeps, { id, settings }: GapAskedSite, path: string) {
  const found = (await pages.findPages(id, path, "everything")).filter(({ hidden }) => !hidden);
  return choosePage(found, {}, { version: settings.defaultVersion, language: settings.defaultLanguage });
}
