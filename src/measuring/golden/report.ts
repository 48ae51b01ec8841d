import { SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { PublishedRun } from "@docent/sites/ingest/stores";
import { findPages, type SearchedQuestion } from "./ask.ts";
import { changesOf, namedChanges } from "./changes.ts";
import type { Comparison, GenerationReport, ReadersQuestion } from "./comparison.ts";
import type { GoldenDeps } from "./deps.ts";
import { indexesOf } from "./indexes.ts";
import type { AskedTurn } from "./stores.ts";

/** The newest questions that a report is made from, and how many of either kind are asked again. */
const TURNS_LOOKED_AT = 500;
const ASKED_OF_A_KIND = 30;
/** The longest that they are asked. */
const ASKING_MS = 60 * SECOND_MS;
const PAGES_LOOKED_THROUGH = 20_000;
/** Others came since at the most. */
const CHECKS_LOOKED_AT = 10;

type Reported = Pick<PublishedRun, "source" | "before" | "generation" | "golden" | "signal">;

/** Finds out what a generation is to readers, and keeps it. */
export async function makeReport(deps: GoldenDeps, run: Reported): Promise<void> {
  const { generationReports } = deps.stores;
  const { source, before, generation, golden, signal } = run;
  const { siteId } = source;
  const revisions = await generationReports.revisions(siteId, { generation }, PAGES_LOOKED_THROUGH);
  const comparison = golden && (await comparisonOf(deps, siteId, golden.checkId));
  const questions = before === 0 ? NONE : await askReaders(deps, { siteId, before, signal });
  const report: GenerationReport = {
    before,
    pages: namedChanges(changesOf(revisions)),
    ...(comparison === undefined ? {} : { golden: comparison }),
    questions,
  };
  await generationReports.put(siteId, generation, report, deps.clock());
}

/**
 * Keeps what is known of a generation whose run was ended before it could make its report: its pages, and what golden
 * questions said. What readers asked is not asked again.
 */
export async function makeUpReport(
  deps: Pick<GoldenDeps, "stores" | "clock">,
  siteId: number,
  generation: number,
): Promise<void> {
  const { golden, generationReports } = deps.stores;
  const before = await generationReports.before(siteId, generation);
  if (before === undefined) return;
  const revisions = await generationReports.revisions(siteId, { generation }, PAGES_LOOKED_THROUGH);
  const check = (await golden.checks(siteId, CHECKS_LOOKED_AT)).find(
    (each) => each.generation === generation,
  );
  const report: GenerationReport = {
    before,
    pages: namedChanges(changesOf(revisions)),
    ...(check === undefined ? {} : { golden: check.comparison }),
    questions: NONE,
  };
  await generationReports.put(siteId, generation, report, deps.clock());
}

const NONE: GenerationReport["questions"] = { asked: 0, gained: [], lost: [] };

async function comparisonOf(
  { stores }: GoldenDeps,
  siteId: number,
  checkId: string,
): Promise<Comparison | undefined> {
  return (await stores.golden.checks(siteId, CHECKS_LOOKED_AT)).find(({ id }) => id === checkId)?.comparison;
}

interface AskReaders {
  siteId: number;
  before: number;
  signal: AbortSignal;
}

/** Asks what readers asked, of what they see now and of what they saw before. */
async function askReaders(
  deps: GoldenDeps,
  { siteId, before, signal }: AskReaders,
): Promise<GenerationReport["questions"]> {
  const sample = sampleOf(await deps.stores.generationReports.asked(siteId, TURNS_LOOKED_AT));
  const report: GenerationReport["questions"] = { asked: 0, gained: [], lost: [] };
  if (sample.length === 0) return report;
  const indexes = await indexesOf(deps, siteId, { generation: before }, "now");
  const until = deps.clock() + ASKING_MS;
  for (const { turn, asked } of sample) {
    signal.throwIfAborted();
    if (deps.clock() >= until) break;
    await letOthersRun();
    const question = asSearched(turn);
    const was = await findPages(indexes.before, question);
    const is = await findPages(indexes.after, question);
    report.asked++;
    if (was.isAnswered === is.isAnswered) continue;
    const page = (is.isAnswered ? is : was).pages[0];
    const { turnId, isGap } = turn;
    const noted: ReadersQuestion = { turnId, asked, isGap, ...(page === undefined ? {} : { page }) };
    (is.isAnswered ? report.gained : report.lost).push(noted);
  }
  return report;
}

const asSearched = ({ text, filter, audience }: AskedTurn): SearchedQuestion => ({ text, filter, audience });

interface SampledQuestion {
  turn: AskedTurn;
  asked: number;
}

/** Questions of one meaning or of the same words count as one; those that most ask come first, of either kind so many. */
function sampleOf(turns: readonly AskedTurn[]): SampledQuestion[] {
  const groups = [...Map.groupBy(turns, groupOf).values()].flatMap((same) => {
    const [turn] = same;
    return turn === undefined ? [] : [{ turn, asked: same.length }];
  });
  // The newest come first already, and stay so among those that are asked as often.
  const ordered = groups.toSorted((a, b) => b.asked - a.asked);
  return [true, false].flatMap((isGap) =>
    ordered.filter(({ turn }) => turn.isGap === isGap).slice(0, ASKED_OF_A_KIND),
  );
}

const groupOf = ({ isGap, gapId, text, filter, audience }: AskedTurn): string =>
  JSON.stringify([isGap, gapId ?? wordsOf(text), filter, audience]);

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s?!.]+/g, " ")
    .trim();
