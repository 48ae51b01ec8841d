import { analyzeQuestion } from "@docent/finding/search/analyze";
import type { Hit } from "@docent/finding/search/search";
import { questionOfHeading } from "@docent/kernel/text/heading-question";

type Found = Pick<Hit, "passageId" | "pageId" | "headings" | "innerHeadings" | "language" | "relevance">;

interface FollowUpOptions {
  question: string;
  /** The passages that the answer leads to. */
  cited: readonly Pick<Hit, "passageId" | "pageId" | "headings">[];
  relevanceMin: number;
  /** Of pages that belong to every language. */
  language: string;
}

const FOLLOW_UPS_MAX = 3;
/** From this share of common words on, two questions ask the same. */
const SAME_SHARE = 0.6;

/**
 * Questions that sections answer which were found for a question, on the pages that its answer leads to: what was found
 * elsewhere is seldom what its reader asks next.
 */
export function followUpQuestions(
  found: readonly Found[],
  { question, cited, relevanceMin, language }: FollowUpOptions,
): string[] {
  const used = new Set(cited.map(({ passageId }) => passageId));
  const asked = [question, ...cited.map(({ headings }) => headings.at(-1) ?? "")].map(termsOf);
  const questions: string[] = [];
  const pages = new Set(cited.map(({ pageId }) => pageId));
  const near = found.filter(({ relevance, pageId }) => relevance >= relevanceMin && pages.has(pageId));
  for (const passage of near) {
    const sections = used.has(passage.passageId)
      ? sectionsInside(passage)
      : [passage, ...sectionsInside(passage)];
    for (const { headings } of sections) {
      const next = questionOfHeading(headings.at(-1) ?? "", passage.language || language);
      if (next === undefined || asked.some((other) => isSame(other, termsOf(next)))) continue;
      asked.push(termsOf(next));
      questions.push(next);
      if (questions.length === FOLLOW_UPS_MAX) return questions;
    }
  }
  return questions;
}

/** Short sections are one passage together. */
const sectionsInside = ({ innerHeadings }: Found) =>
  innerHeadings.map(({ headingPath }) => ({ headings: headingPath }));

const termsOf = (text: string): ReadonlySet<string> => new Set(analyzeQuestion(text));

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.intersection(other).size >= SAME_SHARE * Math.max(1, Math.min(one.size, other.size));
