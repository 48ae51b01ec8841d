import { isoTime } from "@docent/kernel/lib/iso-time";
import type { ShownGap, ShownQuestion } from "./gaps.ts";

const rounded = (relevance: number) => Math.round(relevance * 1000) / 1000;

/** A gap as the CLI and the API show it. */
export function gapJson({ nearest, askedAgain, ...gap }: ShownGap) {
  return {
    ...gap,
    firstAskedAt: isoTime(gap.firstAskedAt),
    lastAskedAt: isoTime(gap.lastAskedAt),
    nearest: nearest ? { ...nearest, relevance: rounded(nearest.relevance) } : null,
    stateAt: isoTime(gap.stateAt),
    askedAgain: askedAgain
      ? {
          answered: askedAgain.answered,
          at: isoTime(askedAgain.at),
          generation: askedAgain.generation,
          relevance: rounded(askedAgain.relevance),
          path: askedAgain.path ?? null,
          curated: askedAgain.curated ?? null,
        }
      : null,
  };
}

/** A question of a gap, by the id of the message that answers it. */
export function gapQuestionJson({ turnId, text, askedAt, reason, nearest }: ShownQuestion) {
  return {
    messageId: turnId,
    question: text,
    askedAt: isoTime(askedAt),
    reason,
    nearest: nearest ? { path: nearest.path, relevance: rounded(nearest.relevance) } : null,
  };
}
