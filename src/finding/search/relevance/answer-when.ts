/** When questions are answered, in words: from the surest docs only to docs that may cover the question. */
export const ANSWER_WHEN = ["cautious", "balanced", "eager"] as const;
export type AnswerWhen = (typeof ANSWER_WHEN)[number];

/** The relevance from which the best passage covers a question. */
export const RELEVANCE_OF: Readonly<Record<AnswerWhen, number>> = {
  cautious: 0.7,
  balanced: 0.5,
  eager: 0.3,
};

/** When the server answers, for sites that do not say it themselves. */
export interface RelevanceSettings {
  answer_when: AnswerWhen;
  /** An exact number in place of the word. */
  relevance_min: number | null;
}

/** When a site's questions are answered; null: as the server says. */
export interface SiteRelevance {
  answerWhen: AnswerWhen | null;
  /** An exact number in place of the word. */
  relevanceMin: number | null;
}

/** The server's own measure. */
export const relevanceMinOfServer = ({ answer_when, relevance_min }: RelevanceSettings) =>
  relevance_min ?? RELEVANCE_OF[answer_when];

/** The relevance from which a site's best passage covers a question: its own, or else the server's. */
export function relevanceMinOf(
  { settings: { answerWhen, relevanceMin } }: { settings: SiteRelevance },
  ofServer: RelevanceSettings,
): number {
  const own = answerWhen === null ? undefined : RELEVANCE_OF[answerWhen];
  return relevanceMin ?? own ?? relevanceMinOfServer(ofServer);
}

/** What passages say of a question: its answer, something near to it, or nothing. */
export type Grade = "answers" | "touches" | "none";

/** The share of the relevance that an answer needs from which on a passage touches on a question. */
export const TOUCHES_SHARE = 1 / 3;

/** The grade of a question whose best passage is so relevant, where an answer needs `relevanceMin`. */
export function gradeOf(relevance: number, relevanceMin: number): Grade {
  if (relevance >= relevanceMin) return "answers";
  return relevance > 0 && relevance >= relevanceMin * TOUCHES_SHARE ? "touches" : "none";
}
