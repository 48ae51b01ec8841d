import {
  ignoredWords,
  type MeasureQuestions,
  type ReadQuestion,
  readQuestion,
} from "@docent/answering/curated/questions/questions";
import { NOISE_RELEVANCE } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Ids } from "@docent/kernel/lib/ids";
import type { GapSettings } from "./gaps.ts";
import { createGapIndex, type GapIndex } from "./likeness.ts";
import type { GapReason, GapStore, Placement, UnplacedTurn } from "./stores.ts";

interface PlaceDeps {
  settings: Pick<GapSettings, "gap_questions">;
  store: GapStore;
  measure: MeasureQuestions;
  clock: Clock;
  ids: Ids;
}

/** The site whose questions are put together. */
interface GapSite {
  id: number;
  name: string;
}

/** A pasted log is no question: its beginning is enough to tell it from others. */
const QUESTION_CHARACTERS_MAX = 500;
const READ_AT_ONCE = 50;
const PLACED_AT_ONCE = 200;
/** Another process may be placing questions of the same site. */
const TRIES = 3;

/** Puts questions into gaps, at most so many of them. Returns how many it has placed. */
type PlaceQuestions = (site: GapSite, most: number, signal: AbortSignal) => Promise<number>;

export function createPlaceQuestions(deps: PlaceDeps): PlaceQuestions {
  const { settings, store, clock } = deps;
  const questionsMax = settings.gap_questions;

  async function placeSome(site: GapSite, most: number, signal: AbortSignal): Promise<number> {
    const turns = await store.unplaced(site.id, { questionsMax, most });
    if (turns.length === 0) return 0;
    for (let tried = 0; tried < TRIES; tried++) {
      const { questions, mark } = await store.placed(site.id, questionsMax);
      const index = await indexOf(questions, site);
      const placements = await decide(deps, turns, { site, index, signal });
      if (await store.place(site.id, mark, placements, clock())) return turns.length;
    }
    return 0;
  }

  return async (site, most, signal) => {
    let placed = 0;
    while (placed < most) {
      const now = await placeSome(site, Math.min(PLACED_AT_ONCE, most - placed), signal);
      if (now === 0) break;
      placed += now;
    }
    return placed;
  };
}

async function indexOf(questions: { gapId: string; text: string }[], site: GapSite): Promise<GapIndex> {
  const index = createGapIndex();
  const ignored = ignoredWords(site.name);
  for (const [number, { gapId, text }] of questions.entries()) {
    if (number % READ_AT_ONCE === READ_AT_ONCE - 1) await letOthersRun();
    index.add({ gapId, question: read(text, ignored) });
  }
  return index;
}

/** One after the other, oldest first: what two questions have in common is found again by the third. */
async function decide(
  { measure, ids }: PlaceDeps,
  turns: UnplacedTurn[],
  { site, index, signal }: { site: GapSite; index: GapIndex; signal: AbortSignal },
): Promise<Placement[]> {
  const ignored = ignoredWords(site.name);
  const placements: Placement[] = [];
  for (const turn of turns) {
    await letOthersRun();
    signal.throwIfAborted();
    const question = read(turn.text, ignored);
    const gapId = (await index.find(question, measure, signal)) ?? ids.ulid();
    index.add({ gapId, question });
    placements.push({ turnId: turn.turnId, gapId, ...explainTurn(turn) });
  }
  return placements;
}

function read(text: string, ignored: ReadonlySet<string>): ReadQuestion {
  return readQuestion(text.slice(0, QUESTION_CHARACTERS_MAX).toWellFormed(), ignored);
}

/** Why a turn has no answer that helped, and which page came nearest to one. */
function explainTurn(turn: UnplacedTurn): Pick<Placement, "reason" | "nearest"> {
  const [best] = turn.retrieved.toSorted((a, b) => b.relevance - a.relevance);
  const nearest = best && { path: best.path, relevance: best.relevance };
  return { reason: reasonOf(turn, nearest?.relevance ?? 0), nearest };
}

function reasonOf({ outcome, responder }: UnplacedTurn, relevance: number): GapReason {
  if (outcome !== "unanswered" && outcome !== "touched") return "disliked";
  if (responder === "ollama") return "declined";
  return relevance >= NOISE_RELEVANCE ? "below_gate" : "nothing_near";
}
