import { sayWhy } from "./compare.ts";
import { type Compared, sayPlace } from "./comparison.ts";
import type { GoldenDeps } from "./deps.ts";
import { GOLDEN_QUESTIONS_MAX } from "./questions.ts";
import { isWritten } from "./stores.ts";

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
export async function worsenedGenerations(
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
