import type { Clock } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type AskedIndex, ask, type Stood } from "./ask.ts";
import type { PageChanges } from "./changes.ts";
import { type Compared, type Comparison, verdictOf, type Why } from "./comparison.ts";
import type { GoldenQuestion } from "./stores.ts";

/** Two states of a site's index, and what is different between them. */
interface CompareOptions {
  before: AskedIndex;
  after: AskedIndex;
  /** Read only where something gets worse. */
  changes(): Promise<PageChanges>;
  clock: Clock;
  /** When no more questions are asked. */
  until: number;
  signal: AbortSignal;
}

/** A comparison, and whether both states stayed as they were while it was made. */
export interface Compare {
  comparison: Comparison;
  isSteady: boolean;
}

/** Asks questions of both states, one question after the other. */
export async function compareQuestions(
  questions: readonly GoldenQuestion[],
  { before, after, changes, clock, until, signal }: CompareOptions,
): Promise<Compare> {
  const comparison: Comparison = { asked: 0, unasked: 0, worse: [], better: [] };
  const generations = new Set<number>();
  for (const question of questions) {
    signal.throwIfAborted();
    if (clock() >= until) {
      comparison.unasked = questions.length - comparison.asked;
      break;
    }
    await letOthersRun();
    const [was, is] = [await ask(before, question), await ask(after, question)];
    generations.add(was.generation).add(is.generation);
    comparison.asked++;
    const verdict = verdictOf(was.standing, is.standing);
    if (verdict === "same") continue;
    const compared: Compared = { id: question.id, before: was.standing, after: is.standing };
    if (verdict === "better") comparison.better.push(compared);
    else comparison.worse.push({ ...compared, why: whyOf(was, is, await changes()) });
  }
  return { comparison, isSteady: generations.size < 2 };
}

/** Why a question finds its page later than before, or not at all. */
function whyOf(was: Stood, is: Stood, changes: PageChanges): Why {
  const page = was.standing.page ?? "";
  const moved = changes.moved.find(({ from }) => from === page);
  if (moved !== undefined) return { reason: "moved", page: moved.page.path };
  if (changes.removed.some(({ path }) => path === page)) return { reason: "gone", page };
  if (!is.standing.isAnswered) return { reason: "refused" };
  const ahead = is.pages.slice(0, (is.standing.rank ?? is.pages.length + 1) - 1);
  const aheadBefore = new Set(was.pages.slice(0, (was.standing.rank ?? 1) - 1));
  const by = ahead.find((path) => !aheadBefore.has(path)) ?? is.standing.first;
  return { reason: "outranked", ...(by === undefined ? {} : { page: by }) };
}

/** A cause as people read it. */
export function sayWhy({ reason, page }: Why): string {
  switch (reason) {
    case "gone":
      return `the page ${shown(page)} is gone`;
    case "moved":
      return `the page is at ${shown(page)} now`;
    case "refused":
      return "nothing that is found is relevant enough for an answer";
    case "outranked":
      return `${shown(page)} comes before it`;
  }
}

/** The first page of a site has an empty path. */
const shown = (path: string | undefined): string => path || "/";
