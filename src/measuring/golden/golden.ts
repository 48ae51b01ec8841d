import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Site } from "@docent/sites/site/sites";
import { ask, type StandingQuestion } from "./ask.ts";
import { sayWhy } from "./compare.ts";
import { type Compared, sayPlace } from "./comparison.ts";
import type { GoldenDeps } from "./deps.ts";
import { indexOf } from "./indexes.ts";
import {
  type CheckJson,
  checkJson,
  type GenerationReportJson,
  type ReportAsJson,
  reportForOthers,
  reportJson,
} from "./json.ts";
import { createQuestions, GOLDEN_QUESTIONS_MAX } from "./questions.ts";
import { makeUpReport } from "./report.ts";
import { isWritten } from "./stores.ts";
import { createSwitchWatch } from "./watch.ts";

export type { GenerationReportJson } from "./json.ts";
export { GOLDEN_QUESTIONS_MAX, IMPORTABLE, type Imported } from "./questions.ts";
export type { ToldGeneration } from "./stores.ts";

const CHECKS_SHOWN = 20;
/** More runs of a site are not published between two looks at them. */
const REPORTS_LOOKED_AT = 20;
/** The longest that questions are asked for somebody who waits. */
const ASKING_MS = 60 * SECOND_MS;

export type Golden = ReturnType<typeof createGolden>;

/** Golden questions: kept by owners, asked of what runs are about to publish; and what each generation is to readers. */
export function createGolden(deps: GoldenDeps) {
  const { stores } = deps;
  const { golden, generationReports } = stores;

  async function shown(id: number, number: number, asJson: ReportAsJson) {
    const kept = await generationReports.get(id, number);
    if (kept === undefined) return undefined;
    const questions = await golden.list(id, GOLDEN_QUESTIONS_MAX);
    const turnIds = [...kept.report.questions.gained, ...kept.report.questions.lost].map(
      ({ turnId }) => turnId,
    );
    const words =
      turnIds.length === 0 ? new Map<string, string>() : await generationReports.words(id, turnIds);
    return asJson({ number, ...kept }, { questions, words });
  }

  async function report(
    { id, domain }: Pick<Site, "id" | "domain">,
    number: number,
  ): Promise<GenerationReportJson> {
    const found = await shown(id, number, reportJson);
    if (found === undefined) throw noReport(domain, number);
    return found;
  }

  return {
    questions: createQuestions({ ...deps, store: golden }),
    /** Looks at what runs change. */
    watch: createSwitchWatch(deps),
    /** Asks all of a site's questions of what readers see now. */
    run: (siteId: number, signal: AbortSignal) => askNow(deps, siteId, signal),
    /** What runs made of the questions, the latest first. */
    async checks(siteId: number): Promise<CheckJson[]> {
      const questions = await golden.list(siteId, GOLDEN_QUESTIONS_MAX);
      return (await golden.checks(siteId, CHECKS_SHOWN)).map((check) => checkJson(check, questions));
    },
    /** What a generation is to readers. Raises `not_found` where that is not kept. */
    report,
    /** The same for whoever is outside, without the words of readers; undefined where it is not kept. */
    reportForOthers: (siteId: number, number: number) => shown(siteId, number, reportForOthers),
    /** The latest generations whose reports are kept, the newest first. */
    latestReports: (siteId: number) => generationReports.latest(siteId, REPORTS_LOOKED_AT),
    /** Makes one, of what is kept, for a generation whose run was ended before it could. */
    makeUpReport: (siteId: number, number: number) => makeUpReport(deps, siteId, number),
    /** Whether it is kept what a generation is to readers: that is made when readers see it already. */
    hasReport: async (siteId: number, number: number): Promise<boolean> =>
      (await generationReports.get(siteId, number)) !== undefined,
    /** The latest generations that answer golden questions worse than the ones before them, the newest first. */
    worsened: (siteId: number) => worsenedGenerations(deps, siteId),
  };
}

const noReport = (domain: string, number: number) =>
  new AppError("not_found", `There is no report of generation ${number} of ${domain}.`, {
    hint: "Reports are kept of the latest fifty generations that runs have published.",
  });

async function askNow(deps: GoldenDeps, siteId: number, signal: AbortSignal): Promise<StandingQuestion[]> {
  const index = await indexOf(deps, siteId, "now");
  const until = deps.clock() + ASKING_MS;
  const asked: StandingQuestion[] = [];
  for (const question of await deps.stores.golden.list(siteId, GOLDEN_QUESTIONS_MAX)) {
    signal.throwIfAborted();
    await letOthersRun();
    const isLate = deps.clock() >= until;
    asked.push({ question, standing: isLate ? undefined : (await ask(index, question)).standing });
  }
  return asked;
}

/** More runs of a site are not published between two looks at them. */
const CHECKS_LOOKED_AT = 20;

/** A generation that readers were given although it answers golden questions worse than the one that they saw before. */
export interface WorsenedGeneration {
  /** The id of the generation's check: numbers of generations are given again after a rollback. */
  id: string;
  at: number;
  number: number;
  before: number;
  asked: number;
  worse: number;
  /** What became of those that owners wrote, in words. What readers asked stays where it can be deleted. */
  said: string[];
}

/** The latest generations that answer golden questions worse than the ones before them, the newest first. */
async function worsenedGenerations(
  { stores: { golden } }: Pick<GoldenDeps, "stores">,
  siteId: number,
): Promise<WorsenedGeneration[]> {
  const checks = await golden.checks(siteId, CHECKS_LOOKED_AT);
  const published = checks.flatMap(({ generation: number, ...check }) =>
    number === undefined || check.comparison.worse.length === 0 ? [] : [{ ...check, number }],
  );
  if (published.length === 0) return [];
  const questions = await golden.list(siteId, GOLDEN_QUESTIONS_MAX);
  const written = new Map(questions.filter(isWritten).map(({ id, question }) => [id, question]));
  return published.map(({ id, at, number, before, comparison: { asked, worse } }) => ({
    id,
    at,
    number,
    before,
    asked,
    worse: worse.length,
    said: worse.flatMap((each) => sayChange(each, written.get(each.id))),
  }));
}

const sayChange = ({ before, after, why }: Compared, question: string | undefined): string[] =>
  question === undefined
    ? []
    : [`${question}: ${sayPlace(before)} → ${sayPlace(after)}${why === undefined ? "" : `, ${sayWhy(why)}`}`];
