import type { StandingQuestion } from "./ask.ts";
import { sayWhy } from "./compare.ts";
import type { Compared, Comparison, GenerationReport, ReadersQuestion, Standing } from "./comparison.ts";
import { type GoldenCheck, type GoldenQuestion, isWritten } from "./stores.ts";

/** A golden question as the CLI and the admin API show it. */
export function goldenJson({ turnId, groups, at, ...question }: GoldenQuestion) {
  return {
    ...question,
    groups: groups ?? null,
    messageId: turnId ?? null,
    addedAt: new Date(at).toISOString(),
  };
}

const standingJson = ({ rank, page, first, relevance, isAnswered }: Standing) => ({
  rank: rank ?? null,
  page: page ?? null,
  first: first ?? null,
  relevance,
  isAnswered,
});

/** A golden question with where it finds its page. */
export const standingQuestionJson = ({ question, standing }: StandingQuestion) => ({
  ...goldenJson(question),
  standing: standing === undefined ? null : standingJson(standing),
});

function comparedJson({ id, before, after, why }: Compared, byId: ReadonlyMap<string, GoldenQuestion>) {
  const kept = byId.get(id);
  return {
    id,
    // One that is not kept any more.
    question: kept?.question ?? null,
    expected: kept?.expected ?? [],
    before: standingJson(before),
    after: standingJson(after),
    why: why === undefined ? null : { reason: why.reason, page: why.page ?? null, text: sayWhy(why) },
  };
}

function comparisonJson(comparison: Comparison, questions: readonly GoldenQuestion[]) {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const { asked, unasked, worse, better } = comparison;
  return {
    asked,
    unasked,
    worse: worse.map((each) => comparedJson(each, byId)),
    better: better.map((each) => comparedJson(each, byId)),
  };
}

/** What golden questions found in what a run had staged. */
export function checkJson(check: GoldenCheck, questions: readonly GoldenQuestion[]) {
  const { id, at, source, before, generation, refused, comparison } = check;
  return {
    id,
    at: new Date(at).toISOString(),
    source: source ?? null,
    before,
    generation: generation ?? null,
    refused,
    ...comparisonJson(comparison, questions),
  };
}
export type CheckJson = ReturnType<typeof checkJson>;

interface KeptReport {
  number: number;
  report: GenerationReport;
  at: number;
}

/** The words of questions: those that are kept still. */
interface Words {
  questions: readonly GoldenQuestion[];
  words: ReadonlyMap<string, string>;
}

/** What a generation is to readers. A question whose reader has had it deleted is not named any more. */
export function reportJson({ number, report, at }: KeptReport, { questions, words }: Words) {
  const readersJson = ({ turnId, asked, isGap, page }: ReadersQuestion) => {
    const question = words.get(turnId);
    return question === undefined ? [] : [{ messageId: turnId, question, asked, isGap, page: page ?? null }];
  };
  const [gained, lost] = [
    report.questions.gained.flatMap(readersJson),
    report.questions.lost.flatMap(readersJson),
  ];
  return {
    number,
    before: report.before === 0 ? null : report.before,
    at: new Date(at).toISOString(),
    pages: report.pages,
    golden: report.golden === undefined ? null : comparisonJson(report.golden, questions),
    questions: {
      asked: report.questions.asked,
      counts: { gained: gained.length, lost: lost.length },
      gained,
      lost,
    },
  };
}
export type GenerationReportJson = ReturnType<typeof reportJson>;
export type ReportAsJson = typeof reportJson;

/** So many pages are named of each kind where a report is kept once for each of those who are told of it. */
const PAGES_TOLD = 100;

/**
 * The same for whoever is outside, where nothing can be deleted any more: without what readers asked, of which the number
 * stays.
 */
export function reportForOthers(kept: KeptReport, { questions, words }: Words): GenerationReportJson {
  const report = reportJson(kept, { questions: questions.filter(isWritten), words });
  const { counts, added, changed, removed, moved } = report.pages;
  return {
    ...report,
    pages: {
      counts,
      added: added.slice(0, PAGES_TOLD),
      changed: changed.slice(0, PAGES_TOLD),
      removed: removed.slice(0, PAGES_TOLD),
      moved: moved.slice(0, PAGES_TOLD),
    },
    questions: { ...report.questions, gained: [], lost: [] },
  };
}
