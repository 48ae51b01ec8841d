import { analyze, analyzeQuestion } from "@docent/finding/search/analyze";
import type { Asked } from "@docent/finding/search/search";
import type { NumberedPassage } from "../responder.ts";
import type { Quote } from "./build-quote.ts";

// Measured on questions with known answers, asked with and without the pages that answer them: of the answers that hold
// what was asked for, at most 1.4 in a hundred are taken for a mere touch. Of those from other pages it is seven in ten where
// pages have little in common, and hardly any where all of them are one product's.
/** From this share of the question's words on that no passage has, the passages are about something else... */
const ABSENT_SHARE = 0.5;
/** ...unless the best quote is this near in meaning. */
const NEARNESS_MIN = 0.4;
/** What a quote must have of the question's words where it is not near in meaning either. */
const COVERED_MIN = 0.2;
const FAR_NEARNESS = 0.3;

/** What quotes are to a question: its answer, something near to it, or nothing that a reader would want to see. */
type Worth = "answer" | "touch" | "nothing";

/** What the best of some quotes is worth to a question. */
export function worthOf(
  { near }: Pick<Asked, "near">,
  quotes: readonly Quote[],
  passages: readonly NumberedPassage[],
): Worth {
  const [best] = quotes;
  if (best === undefined) return "nothing";
  const { covered, nearness } = best.core;
  // Nearness is not known in every language.
  if (nearness === undefined) return "answer";
  if (covered < COVERED_MIN && nearness < FAR_NEARNESS) return "nothing";
  const isTouch = nearness < NEARNESS_MIN && absentShare(near, passages) >= ABSENT_SHARE;
  return isTouch ? "touch" : "answer";
}

/** The share of the words that are asked about that stand in no passage. */
function absentShare(asked: string, passages: readonly NumberedPassage[]): number {
  const wanted = analyzeQuestion(asked);
  const there = new Set(
    passages.flatMap(({ title, headings, text }) => analyze([title, ...headings, text].join("\n"))),
  );
  return wanted.filter((term) => !there.has(term)).length / Math.max(1, wanted.length);
}
