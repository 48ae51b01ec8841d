import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { GoldenOutcome, QuestionChange, StagedRun, SwitchWatch } from "@docent/sites/ingest/stores";
import { changesOf, type PageChanges } from "./changes.ts";
import { type Compare, compareQuestions, sayWhy } from "./compare.ts";
import type { Compared, Comparison } from "./comparison.ts";
import type { GoldenDeps } from "./deps.ts";
import { indexesOf, remembering } from "./indexes.ts";
import { GOLDEN_QUESTIONS_MAX } from "./questions.ts";
import { makeReport } from "./report.ts";
import type { GoldenQuestion } from "./stores.ts";

/** The longest that a run waits for its golden questions. */
const ASKING_MS = 120 * SECOND_MS;
/** Another source may be published while they are asked; never so often in a row. */
const ATTEMPTS_MAX = 3;
/** More pages than these are not looked through for what became of one. */
const PAGES_LOOKED_THROUGH = 20_000;

/** Watches runs for the golden questions of their sites. */
export function createSwitchWatch(deps: GoldenDeps): SwitchWatch {
  return {
    beforeSwitch: (run) => checkRun(deps, run),

    async afterSwitch(run) {
      const { source, generation, golden } = run;
      if (golden !== undefined)
        await deps.stores.golden.settleCheck(source.siteId, golden.checkId, generation);
      await makeReport(deps, run);
    },
  };
}

async function checkRun(deps: GoldenDeps, run: StagedRun): Promise<GoldenOutcome | undefined> {
  const { stores, ids, clock } = deps;
  const { source, generation, isRequired } = run;
  if (generation === 0) return undefined;
  const questions = await stores.golden.list(source.siteId, GOLDEN_QUESTIONS_MAX);
  if (questions.length === 0) return undefined;
  const comparison = await compareRun(deps, run, questions);
  if (isRequired && comparison.asked === 0)
    throw new AppError("unavailable", "There was no time to ask the golden questions of this site.", {
      hint: "Run it again when the machine has less to do, or publish it all the same with --accept-worse.",
    });
  const isRefused = isRequired && comparison.worse.length > 0;
  const checkId = ids.ulid();
  // Before the switch: whoever looks sees it no later than readers do.
  await stores.golden.addCheck(source.siteId, {
    id: checkId,
    at: clock(),
    sourceId: source.id,
    before: generation,
    generation: undefined,
    refused: isRefused,
    comparison,
  });
  return { ...describe(comparison, questions), checkId, isRefused };
}

/**
 * Asks again where readers were shown something else meanwhile, as long as there is time for all of it once more: what is
 * compared is what changes by this run.
 */
async function compareRun(
  deps: GoldenDeps,
  { source, runId, redirects, signal }: StagedRun,
  questions: readonly GoldenQuestion[],
): Promise<Comparison> {
  const { stores, clock } = deps;
  const { siteId } = source;
  const changes = remembering<PageChanges>(async () =>
    changesOf(await stores.generationReports.revisions(siteId, { staged: runId }, PAGES_LOOKED_THROUGH)),
  );
  const until = clock() + ASKING_MS;
  for (let attempt = 1; ; attempt++) {
    const startedAt = clock();
    const { before, after } = await indexesOf(deps, siteId, "now", { staged: runId });
    const compared: Compare = await compareQuestions(questions, {
      before,
      after: { ...after, redirects: [...redirects, ...after.redirects] },
      changes,
      clock,
      until,
      signal,
    });
    const now = clock();
    const isTimeOver = now + (now - startedAt) > until;
    if (compared.isSteady || isTimeOver || attempt === ATTEMPTS_MAX) return compared.comparison;
  }
}

/** A comparison with the words of its questions. */
function describe({ asked, unasked, worse, better }: Comparison, questions: readonly GoldenQuestion[]) {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const toChange = ({ id, before, after, why }: Compared): QuestionChange => ({
    question: byId.get(id)?.question ?? "",
    expected: byId.get(id)?.expected ?? [],
    before,
    after,
    why: why && sayWhy(why),
  });
  return { asked, unasked, worse: worse.map(toChange), better: better.map(toChange) };
}
