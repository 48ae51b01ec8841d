import { exactForm } from "@docent/answering/curated/questions/questions";
import {
  type AskedAgain,
  GAP_REASONS,
  type GapQuestion,
  type GapReason,
  type GapRecord,
  type GapState,
} from "./stores.ts";

/** Questions of one meaning that the docs did not answer. */
export interface Gap {
  id: string;
  /** The wording that was used most often. */
  question: string;
  /** Other wordings, those used most often first. */
  examples: string[];
  count: number;
  /** How many of them came after its state was set. */
  countSince: number;
  firstAskedAt: number;
  lastAskedAt: number;
  /** The most frequent reason. */
  reason: GapReason;
  reasons: Record<GapReason, number>;
  /** The pages that came nearest, the nearest first. */
  nearest: { path: string; relevance: number }[];
  state: GapState;
  stateAt: number;
  askedAgain: AskedAgain | undefined;
}

const EXAMPLES_MAX = 5;
const NEAREST_MAX = 5;
const EXAMPLE_CHARACTERS_MAX = 500;

/** What there is to say of each gap, the one that was asked most often first. */
export function reportGaps(questions: GapQuestion[], records: GapRecord[]): Gap[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return [...Map.groupBy(questions, ({ gapId }) => gapId)]
    .flatMap(([id, own]) => {
      const record = byId.get(id);
      return record === undefined ? [] : [reportGap(own, record)];
    })
    .sort(compareGaps);
}

/** The order of a list of gaps. */
export function compareGaps(a: GapPosition, b: GapPosition): number {
  return b.count - a.count || b.lastAskedAt - a.lastAskedAt || (a.id < b.id ? -1 : Number(a.id > b.id));
}

export type GapPosition = Pick<Gap, "count" | "lastAskedAt" | "id">;

function reportGap(questions: GapQuestion[], { id, state, stateAt, askedAgain }: GapRecord): Gap {
  const [question = "", ...examples] = wordingsOf(questions).map(([newest]) => shorten(newest?.text ?? ""));
  const reasons = countReasons(questions);
  return {
    id,
    question,
    examples: examples.slice(0, EXAMPLES_MAX),
    count: questions.length,
    countSince: questions.filter(({ askedAt }) => askedAt > stateAt).length,
    firstAskedAt: Math.min(...questions.map(({ askedAt }) => askedAt)),
    lastAskedAt: Math.max(...questions.map(({ askedAt }) => askedAt)),
    reason: GAP_REASONS.toSorted((a, b) => reasons[b] - reasons[a])[0] ?? "nothing_near",
    reasons,
    nearest: nearestOf(questions),
    state,
    stateAt,
    askedAgain,
  };
}

/** The question that stands for all of a gap: the newest in the wording that was used most often. */
export function representativeOf(questions: GapQuestion[]): GapQuestion | undefined {
  return wordingsOf(questions)[0]?.[0];
}

/** The questions by wording, the most frequent first; of each the newest first. */
function wordingsOf(questions: GapQuestion[]): GapQuestion[][] {
  const newestFirst = questions.toSorted((a, b) => b.askedAt - a.askedAt || (a.turnId < b.turnId ? 1 : -1));
  return [...Map.groupBy(newestFirst, ({ text }) => exactForm(text)).values()].toSorted(
    (a, b) => b.length - a.length,
  );
}

function countReasons(questions: GapQuestion[]): Record<GapReason, number> {
  const reasons = { nothing_near: 0, below_gate: 0, declined: 0, disliked: 0 };
  for (const { reason } of questions) reasons[reason]++;
  return reasons;
}

function nearestOf(questions: GapQuestion[]): Gap["nearest"] {
  const byPath = new Map<string, number>();
  for (const { nearest } of questions)
    if (nearest) byPath.set(nearest.path, Math.max(nearest.relevance, byPath.get(nearest.path) ?? 0));
  return [...byPath]
    .map(([path, relevance]) => ({ path, relevance }))
    .sort((a, b) => b.relevance - a.relevance || (a.path < b.path ? -1 : 1))
    .slice(0, NEAREST_MAX);
}

const shorten = (text: string) =>
  text.length <= EXAMPLE_CHARACTERS_MAX ? text : `${text.slice(0, EXAMPLE_CHARACTERS_MAX).toWellFormed()}…`;
