import type { Task } from "./datasets/datasets.ts";
import { type EvalQuestion, type Placed, type Ranked, type System, sectionId } from "./question.ts";
import {
  type Comparison,
  compare,
  mean,
  meanScores,
  percentile,
  type Scores,
  scoreIds,
  standardError,
} from "./scores.ts";
import { type SpanShares, scoreSpans, spanShares } from "./spans.ts";

/** What is scored: the expected page, its section, or the passages with the answer's words. */
type Unit = "page" | "section" | "passage";

/** The results of one system. */
export interface SystemReport {
  name: string;
  scores: Scores;
  /** Of nDCG@10. */
  standardError: number;
  /** nDCG@10 compared question by question with the first system; undefined for the first. */
  against: Comparison | undefined;
  /** By kind of question; empty where the set has one kind. */
  subsets: Record<string, Scores & { questions: number }>;
  /** Shares of characters in the first 5 and 10 passages; undefined where the set has no spans. */
  shares: { at5: SpanShares; at10: SpanShares } | undefined;
  p50Ms: number;
  p99Ms: number;
}

/** One task, scored in one unit. */
export interface EvalReport {
  task: string;
  unit: Unit;
  questions: number;
  systems: SystemReport[];
}

/** A question whose page was not among the first ten. */
export interface Miss {
  question: string;
  expected: string[];
  /** The page's rank; undefined where it was not found at all. */
  rank: number | undefined;
  /** What was found first instead. */
  first: string | undefined;
}

/** A question whose page ranks lower in the last system than in the first. */
export interface Loss {
  question: string;
  subset: string;
  expected: string[];
  /** Its rank in the last and in the first system; undefined where it was not found. */
  rank: number | undefined;
  rankBefore: number | undefined;
  /** What the last system found first instead. */
  first: string | undefined;
}

export interface TaskResult {
  reports: EvalReport[];
  losses: Loss[];
  /** Misses of the last system. */
  misses: Miss[];
  /** Systems that found nothing for any question: they have nothing to search. */
  silent: string[];
}

interface EvaluateOptions {
  nowMs: () => number;
  signal: AbortSignal;
  onProgress?: (done: number) => void;
}

/** One system's results for every question. */
interface Run {
  name: string;
  scores: Record<Unit, (Scores | undefined)[]>;
  shares: { at5: SpanShares; at10: SpanShares }[];
  tookMs: number[];
  misses: Miss[];
  /** For each question the rank of its page, and what came first. */
  places: { rank: number | undefined; first: string | undefined }[];
  found: number;
}

const RANK_MAX = 10;

/**
 * Asks every system every question of a task, and scores the results. The others are compared with the first
 * system.
 */
export async function evaluate(
  task: Task,
  systems: readonly System[],
  options: EvaluateOptions,
): Promise<TaskResult> {
  const runs: Run[] = [];
  for (const [index, system] of systems.entries()) {
    const onProgress = (done: number) => options.onProgress?.(index * task.questions.length + done);
    runs.push(await runSystem(system, task.questions, { ...options, onProgress }));
  }
  const speaking = runs.filter((run) => run.found > 0);
  const units: Unit[] = ["page", "section", "passage"];
  return {
    reports: units.flatMap((unit) => reportOf(task, unit, speaking)),
    losses: lossesOf(task.questions, runs[0], runs.at(-1)),
    misses: speaking.at(-1)?.misses ?? [],
    silent: runs.filter((run) => run.found === 0).map(({ name }) => name),
  };
}

async function runSystem(
  system: System,
  questions: readonly EvalQuestion[],
  { nowMs, signal, onProgress }: EvaluateOptions,
): Promise<Run> {
  const run: Run = {
    name: system.name,
    scores: { page: [], section: [], passage: [] },
    shares: [],
    tookMs: [],
    misses: [],
    places: [],
    found: 0,
  };
  for (const [index, question] of questions.entries()) {
    signal.throwIfAborted();
    const startedAt = nowMs();
    const ranked = await system.rank(question);
    run.tookMs.push(nowMs() - startedAt);
    if (ranked.length > 0) run.found++;
    take(run, question, ranked, system.passages);
    onProgress?.(index + 1);
  }
  return run;
}

function take(
  run: Run,
  question: EvalQuestion,
  ranked: readonly Ranked[],
  passages: readonly Placed[],
): void {
  const { pages, sections, spans } = question;
  // Where the answering words are known, the page says little: such sets have few, long pages.
  const paths = [...new Set(ranked.map(({ path }) => path))];
  run.scores.page.push(spans ? undefined : scoreIds(paths, pages));
  run.scores.section.push(
    sections.size > 0
      ? scoreIds(
          ranked.map((each) => sectionOf(each, sections)),
          sections,
        )
      : undefined,
  );
  const placed = spans
    ? ranked.slice(0, RANK_MAX).map(({ path, ranges }) => ({ path, ranges: ranges() }))
    : [];
  run.scores.passage.push(spans ? scoreSpans(placed, spans, passages) : undefined);
  if (spans) run.shares.push({ at5: spanShares(placed, spans, 5), at10: spanShares(placed, spans, 10) });
  const rank = paths.findIndex((path) => pages.has(path)) + 1;
  run.places.push({ rank: rank || undefined, first: paths[0] });
  if (rank === 0 || rank > RANK_MAX) {
    const expected = sections.size > 0 ? [...sections.keys()] : [...pages.keys()];
    run.misses.push({ question: question.text, expected, rank: rank || undefined, first: paths[0] });
  }
}

function lossesOf(questions: readonly EvalQuestion[], first: Run | undefined, last: Run | undefined): Loss[] {
  return questions.flatMap(({ text, subset, pages }, index): Loss[] => {
    const [before, after] = [first?.places[index], last?.places[index]];
    const lost = (after?.rank ?? Infinity) > (before?.rank ?? Infinity);
    if (!lost) return [];
    const found = { rank: after?.rank, rankBefore: before?.rank, first: after?.first };
    return [{ question: text, subset, expected: [...pages.keys()], ...found }];
  });
}

/** The section that a passage counts as: an expected one, where it holds one. */
function sectionOf({ path, anchors }: Ranked, sections: EvalQuestion["sections"]): string {
  const ids = anchors().map((anchor) => sectionId(path, anchor));
  return ids.find((id) => sections.has(id)) ?? ids[0] ?? sectionId(path, "");
}

function reportOf({ name, questions }: Task, unit: Unit, runs: readonly Run[]): EvalReport[] {
  const asked = questions.filter((_, index) => runs[0]?.scores[unit][index] !== undefined);
  if (asked.length === 0) return [];
  const scoresOf = (run: Run) => run.scores[unit].filter((scores) => scores !== undefined);
  const first = runs[0] && scoresOf(runs[0]);
  const systems = runs.map((run): SystemReport => {
    const scores = scoresOf(run);
    const gains = scores.map(({ ndcg10 }) => ndcg10);
    return {
      name: run.name,
      scores: meanScores(scores),
      standardError: standardError(gains),
      against:
        first === undefined || run === runs[0]
          ? undefined
          : compare(
              gains,
              first.map(({ ndcg10 }) => ndcg10),
            ),
      subsets: bySubset(asked, scores),
      shares: unit === "passage" ? meanShares(run.shares) : undefined,
      p50Ms: percentile(run.tookMs, 50),
      p99Ms: percentile(run.tookMs, 99),
    };
  });
  return [{ task: name, unit, questions: asked.length, systems }];
}

function bySubset(asked: readonly EvalQuestion[], scores: readonly Scores[]): SystemReport["subsets"] {
  const groups = Map.groupBy(scores, (_, index) => asked[index]?.subset ?? "");
  if (groups.size < 2) return {};
  return Object.fromEntries(
    [...groups].map(([subset, group]) => [subset, { ...meanScores(group), questions: group.length }]),
  );
}

function meanShares(shares: Run["shares"]): SystemReport["shares"] {
  if (shares.length === 0) return undefined;
  const at = (k: "at5" | "at10"): SpanShares => ({
    recall: mean(shares.map((each) => each[k].recall)),
    precision: mean(shares.map((each) => each[k].precision)),
    iou: mean(shares.map((each) => each[k].iou)),
  });
  return { at5: at("at5"), at10: at("at10") };
}
