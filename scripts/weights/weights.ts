import type { CandidateLister } from "../../src/finding/search/search.ts";
import type { Baselines } from "../../src/measuring/eval/baseline.ts";
import type { EvalQuestion, System } from "../../src/measuring/eval/question.ts";
import {
  type Comparison,
  compare,
  type Golds,
  meanScores,
  type Scores,
  scoreIds,
} from "../../src/measuring/eval/scores.ts";
import { chooseWeights, ndcgOf, PARTS, type WeighedSet } from "./choose-weights.ts";
import { rankedAnew, SHIPPED_WEIGHTS, scoreWith, type Weights } from "./rerank.ts";

export { weightsTables } from "./tables.ts";

/** A set that ranking is measured on, with what plain searches find. */
export interface MeasuredSet extends WeighedSet {
  /** Of the better of two plain searches, for each question. */
  keywords: Rival;
  /** Of LanceDB's hybrid search, or why there is none; undefined where it was not asked for. */
  hybrid?: Rival | string | undefined;
}

/** Another search engine's scores, for each question. */
export interface Rival {
  name: string;
  scores: Scores[];
}

/** A search engine's mean, and Docent's difference from it. */
export interface Against {
  name: string;
  scores: Scores;
  shipped: Comparison;
  leftOut: Comparison;
}

/** A set ranked by the shipped weights, and by those that were chosen without it. */
export interface SetFigures {
  name: string;
  questions: number;
  shipped: Scores;
  chosen: Weights;
  leftOut: Scores;
  keywords: Against;
  hybrid: Against | string | undefined;
}

/** What each set loses, in nDCG@10, where one weight is a third larger or smaller: the worse of both. */
export interface Fragility {
  part: keyof Weights;
  /** In the order of the sets; negative where both are better. */
  losses: number[];
}

export interface WeightsReport {
  sets: SetFigures[];
  fragility: Fragility[];
}

interface Searches {
  search: CandidateLister;
  siteId: number;
  baselines: Baselines;
}

/** As many as `docent eval` asks for: a page ranks by its best passage, and one page may have many. */
const PASSAGES_MAX = 50;
const CHANGES = [2 / 3, 4 / 3];

/** Asks every question once, and keeps all that ranking needs. */
export async function weighSet(
  name: string,
  questions: readonly EvalQuestion[],
  { search, siteId, baselines }: Searches,
): Promise<MeasuredSet> {
  const weighed: WeighedSet["questions"] = [];
  for (const question of questions) {
    const { text, filter } = question;
    const asked = { siteId, audience: "everything" as const, text, filter, pageSize: PASSAGES_MAX };
    weighed.push(rankedAnew(question, await search.candidates(asked)));
  }
  const plain = [
    await scoreSystem(baselines.baseline, questions),
    await scoreSystem(baselines.allWords, questions),
  ];
  const keywords = plain.reduce((best, each) => (ndcgMean(each) > ndcgMean(best) ? each : best));
  return { name, questions: weighed, keywords };
}

const ndcgMean = ({ scores }: Rival) => meanScores(scores).ndcg10;

async function scoreSystem(system: System, questions: readonly EvalQuestion[]): Promise<Rival> {
  const scores: Scores[] = [];
  for (const question of questions) {
    const ranked = await system.rank(question);
    scores.push(
      scorePaths(
        ranked.map(({ path }) => path),
        question.pages,
      ),
    );
  }
  return { name: system.name, scores };
}

/** Scores pages by their best passage. */
const scorePaths = (paths: readonly string[], golds: Golds): Scores => scoreIds([...new Set(paths)], golds);

/** Ranks each set by the shipped weights, and by those that all other sets choose. */
export function measureWeights(sets: readonly MeasuredSet[]): WeightsReport {
  return {
    sets: sets.map((set) => figuresOf(set, chooseWeights(sets.filter((each) => each !== set)))),
    fragility: fragilityOf(sets),
  };
}

function figuresOf(set: MeasuredSet, chosen: Weights): SetFigures {
  const shipped = scoresWith(set, SHIPPED_WEIGHTS);
  const leftOut = scoresWith(set, chosen);
  const against = ({ name, scores }: Rival): Against => ({
    name,
    scores: meanScores(scores),
    shipped: compare(gains(shipped), gains(scores)),
    leftOut: compare(gains(leftOut), gains(scores)),
  });
  const { hybrid } = set;
  return {
    name: set.name,
    questions: set.questions.length,
    shipped: meanScores(shipped),
    chosen,
    leftOut: meanScores(leftOut),
    keywords: against(set.keywords),
    hybrid: typeof hybrid === "object" ? against(hybrid) : hybrid,
  };
}

const scoresWith = ({ questions }: WeighedSet, weights: Weights): Scores[] =>
  questions.map((question) => scoreWith(question, weights));

const gains = (scores: readonly Scores[]) => scores.map(({ ndcg10 }) => ndcg10);

function fragilityOf(sets: readonly MeasuredSet[]): Fragility[] {
  const own = sets.map((set) => ndcgOf(set, SHIPPED_WEIGHTS));
  return PARTS.filter((part) => isAsked(sets, part)).map((part) => ({
    part,
    losses: sets.map((set, index) => {
      const changed = CHANGES.map((by) =>
        ndcgOf(set, { ...SHIPPED_WEIGHTS, [part]: SHIPPED_WEIGHTS[part] * by }),
      );
      return (own[index] ?? Number.NaN) - Math.min(...changed);
    }),
  }));
}

const isAsked = (sets: readonly WeighedSet[], part: keyof Weights) =>
  sets.some(({ questions }) =>
    questions.some(({ candidates }) => candidates.some(({ parts }) => parts[part] !== 0)),
  );
