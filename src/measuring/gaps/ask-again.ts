import type { Curated } from "@docent/answering/curated/curated";
import { type Hit, relevanceMinOf, type Search, type SiteRelevance } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { GapSettings } from "./gaps.ts";
import { representativeOf } from "./report.ts";
import type { AskedAgain, Evidence, GapQuestion, GapRecord, GapStore } from "./stores.ts";

interface AskAgainDeps {
  settings: Pick<GapSettings, "answer_when" | "relevance_min" | "gap_questions">;
  store: GapStore;
  search: Search;
  curated: Pick<Curated, "match">;
  clock: Clock;
}

/** The site that is asked again. */
export type GapAskedSite = Parameters<Curated["match"]>[0]["site"] & {
  settings: SiteRelevance;
};

/** Asks the questions of documented gaps again in a new generation, at most so many. Returns how many it asked. */
type AskAgain = (site: GapAskedSite, most: number, signal: AbortSignal) => Promise<number>;

const PASSAGES = 10;

export function createAskAgain(deps: AskAgainDeps): AskAgain {
  const { settings, store, search, curated, clock } = deps;

  async function ask(site: GapAskedSite, question: GapQuestion, signal: AbortSignal): Promise<AskedAgain> {
    const { text, audience, filter } = question;
    const { generation, hits } = await search.find({
      siteId: site.id,
      audience,
      text,
      filter,
      pageSize: PASSAGES,
    });
    const match = await curated.match({ site, audience, question: text, filter }, signal);
    const before = await store.evidence(question.turnId);
    const written = match?.name === before?.curated ? undefined : match?.name;
    const [best] = hits.toSorted((a, b) => b.relevance - a.relevance);
    const least = relevanceMinOf(site, settings);
    const telling = hits.some((hit) => hit.relevance >= least && isNews(hit, question, before));
    return {
      at: clock(),
      generation,
      answered: telling || written !== undefined,
      relevance: best?.relevance ?? 0,
      path: best?.path,
      curated: written,
    };
  }

  return async (site, most, signal) => {
    const generation = await store.generation(site.id);
    const due = (await store.records(site.id)).filter((record) => isDue(record, generation));
    if (due.length === 0) return 0;
    const { questions } = await store.placed(site.id, settings.gap_questions);
    const byGap = Map.groupBy(questions, ({ gapId }) => gapId);
    let asked = 0;
    for (const { id } of due) {
      const question = representativeOf(byGap.get(id) ?? []);
      if (question === undefined) continue;
      if (asked === most) break;
      await letOthersRun();
      signal.throwIfAborted();
      await store.setAskedAgain(id, await ask(site, question, signal));
      asked++;
    }
    return asked;
  };
}

/** What was written before the mark was set cannot be told from what was there all along: the next generation can. */
function isDue({ state, stateGeneration, askedAgain }: GapRecord, generation: number): boolean {
  return state === "documented" && generation !== stateGeneration && generation !== askedAgain?.generation;
}

/** Where a model was asked, what it was given was relevant already: only a passage that it did not have is news. */
function isNews({ passageId }: Hit, { reason }: GapQuestion, before: Evidence | undefined): boolean {
  const wasAnswered = reason === "declined" || reason === "disliked";
  return !wasAnswered || !before?.passageIds.includes(passageId);
}
