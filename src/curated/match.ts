import type { PageFilter } from "../pages/pages.ts";
import type { ResolvedLink } from "./answer-links.ts";
import type { Likeness } from "./question-index.ts";
import type { MeasureQuestions } from "./questions/vectors.ts";
import { type AskedSite, isAllowed, type SiteAnswers, type UsableAnswer } from "./site-answers.ts";

/** A curated answer that fits a question. */
export interface CuratedMatch {
  name: string;
  /** The answer as its author wrote it, without the front matter. */
  markdown: string;
  /** Where its links lead, by what is written. One that is not here leads nowhere. */
  links: ReadonlyMap<string, ResolvedLink>;
  /** Which of its questions was near enough, and how near, from 0 to 1. */
  question: string;
  strength: number;
  /** The generation that was looked into. */
  generation: number;
}

/** What is asked of whom. */
export interface AskedQuestion {
  site: AskedSite;
  question: string;
  filter: PageFilter;
}

/**
 * How much a vector decides. Little: those of "install on Linux" and "install on Windows" are nearly the same, so words
 * must agree, and vectors only part those where nearly all of them do.
 */
const BY_MEANING = 0.1;
const MEASURED_MAX = 8;
/** Whoever writes more asks for more than an answer's question does, and reading it would hold up all others. */
const ASKED_CHARACTERS_MAX = 1000;

/** Finds the answer whose question is nearest to the one that is asked, where it is near enough. */
export async function matchAnswer(
  { answers, index, generation }: SiteAnswers,
  { site, question, filter }: AskedQuestion,
  { strengthMin, measure, signal }: { strengthMin: number; measure: MeasureQuestions; signal: AbortSignal },
): Promise<CuratedMatch | undefined> {
  if (answers.length === 0 || question.length > ASKED_CHARACTERS_MAX) return undefined;
  const alike = index(question, strengthMin).filter(({ answer }) => isAllowed(answer, filter));
  const strong = await withStrength(alike.slice(0, MEASURED_MAX), question, { strengthMin, measure, signal });
  const { defaultVersion, defaultLanguage } = site.settings;
  const scope = {
    version: filter.version || defaultVersion,
    language: filter.language || defaultLanguage,
  };
  const rank = ({ answer: { stored } }: Likeness<UsableAnswer>) =>
    Number(stored.version === scope.version) * 2 + Number(stored.language === scope.language);
  const [best] = strong
    .filter(({ strength }) => strength >= strengthMin)
    .sort((a, b) => b.strength - a.strength || rank(b) - rank(a));
  if (best === undefined) return undefined;
  const { stored, links } = best.answer;
  return {
    name: stored.name,
    markdown: stored.markdown,
    links: links({ version: stored.version || scope.version, language: stored.language || scope.language }),
    question: best.question,
    strength: best.strength,
    generation,
  };
}

/** Vectors are asked for only where they decide. */
async function withStrength(
  alike: Likeness<UsableAnswer>[],
  question: string,
  options: { strengthMin: number; measure: MeasureQuestions; signal: AbortSignal },
) {
  const isOpen = ({ words, isExact }: Likeness<UsableAnswer>) =>
    !isExact && words * (1 - BY_MEANING) < options.strengthMin;
  const open = alike.filter(isOpen).map((each) => each.question);
  const nearness =
    open.length === 0 ? undefined : await options.measure(question, [...new Set(open)], options.signal);
  return alike.map((each) => {
    const meaning = nearness?.get(each.question) ?? 0;
    const strength = each.isExact ? 1 : each.words * (1 - BY_MEANING + BY_MEANING * meaning);
    return { ...each, strength };
  });
}
