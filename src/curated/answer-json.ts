import type { ReviewedAnswer } from "./review.ts";

/** A curated answer as the CLI and the admin API show it. */
export function answerJson({ source, ...answer }: ReviewedAnswer) {
  return { ...answer, source: source ?? null };
}
