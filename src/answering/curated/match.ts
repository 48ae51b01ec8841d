import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { isInLanguage } from "@docent/kernel/text/language-tags";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import type { ResolvedLink } from "./answer-links.ts";
import {
  areOpposite,
  exactForm,
  haveSameNames,
  ignoredWords,
  isSameKind,
  type MeasureQuestions,
  type ReadQuestion,
  readQuestion,
  sharedPart,
} from "./questions/questions.ts";
import type { AskedSite, SiteAnswers, UsableAnswer } from "./site-answers.ts";

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

/** A question that is asked of a site. */
export interface AskedQuestion {
  site: AskedSite;
  /** Who asks: an answer that is not for them is not there. */
  audience: Audience;
  question: string;
  filter: PageFilter;
}

/**
 * How much a vector decides. Little: those of "install on Linux" and "install on Windows" are nearly the same, so words
 * must agree, and vectors only part those where nearly all of them do.
 */
const BY_MEANING = 0.1;
const MEASURED_MAX = 8;
/** A longer question asks for more than an answer's question does, and reading it would hold up all others. */
const ASKED_CHARACTERS_MAX = 1000;

/** Finds the answer whose question is nearest to the one that is asked, where it is near enough. */
export async function matchAnswer(
  { answers, index, generation }: SiteAnswers,
  { site, audience, question, filter }: AskedQuestion,
  { strengthMin, measure, signal }: { strengthMin: number; measure: MeasureQuestions; signal: AbortSignal },
): Promise<CuratedMatch | undefined> {
  if (answers.length === 0 || question.length > ASKED_CHARACTERS_MAX) return undefined;
  const alike = index(question, strengthMin, (answer) => answer.isFor(audience) && isAllowed(answer, filter));
  const strong = await withStrength(alike.slice(0, MEASURED_MAX), question, { strengthMin, measure, signal });
  const { defaultVersion, defaultLanguage } = site.settings;
  const scope = { version: filter.version || defaultVersion, language: filter.language || defaultLanguage };
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
    links: links(
      { version: stored.version || scope.version, language: stored.language || scope.language },
      audience,
    ),
    question: best.question,
    strength: best.strength,
    generation,
  };
}

/** Adds how near the meanings are. Vectors are asked for only where they decide. */
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

/** Whether an answer may be given to a question that was narrowed so; as with pages. */
function isAllowed({ stored, tags, groups }: UsableAnswer, filter: PageFilter): boolean {
  const fits = (own: string, asked: string | undefined) => !asked || own === "" || own === asked;
  const asked = filter.groups ?? [];
  return (
    fits(stored.version, filter.version) &&
    isInLanguage(stored.language, filter.language) &&
    (!filter.tag || tags.includes(filter.tag)) &&
    (asked.length === 0 || groups.length === 0 || groups.some((group) => asked.includes(group)))
  );
}

/** A question that an answer is for. */
interface Variant<Answer> {
  answer: Answer;
  question: ReadQuestion;
}

/** A variant that has much of a question's words, and how much: 1 where they are the same. */
interface Likeness<Answer> {
  answer: Answer;
  /** The variant, as its author wrote it. */
  question: string;
  words: number;
  isExact: boolean;
}

const ANSWERS_AT_ONCE = 20;

/** Finds among all variants those that share most words with a question. */
export type QuestionIndex<Answer> = (
  question: string,
  wordsMin: number,
  isAllowed: (answer: Answer) => boolean,
) => Likeness<Answer>[];

/** Reads the questions of answers once, so that each that is asked looks only at those that have its words. */
export async function createQuestionIndex<Answer extends { questions: string[] }>(
  answers: Answer[],
  siteName: string,
): Promise<QuestionIndex<Answer>> {
  const ignored = ignoredWords(siteName);
  const variants: Variant<Answer>[] = [];
  for (const [index, answer] of answers.entries()) {
    // Thousands of questions take a while to read: what is streamed meanwhile goes on.
    if (index % ANSWERS_AT_ONCE === ANSWERS_AT_ONCE - 1) await letOthersRun();
    for (const text of answer.questions) variants.push({ answer, question: readQuestion(text, ignored) });
  }
  const exact = Map.groupBy(variants, ({ question }) => question.exact);
  const having = new Map<string, Variant<Answer>[]>();
  for (const variant of variants)
    for (const term of variant.question.terms.keys()) {
      const others = having.get(term);
      if (others) others.push(variant);
      else having.set(term, [variant]);
    }

  /**
   * The variants worth comparing: one that has too few of a question's rarest words cannot have enough of all of them.
   */
  function candidates({ terms }: ReadQuestion, wordsMin: number): Set<Variant<Answer>> {
    const all = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
    const spare = all * (1 - Math.sqrt(wordsMin));
    const rarestFirst = [...terms].toSorted(
      ([a], [b]) => (having.get(a)?.length ?? 0) - (having.get(b)?.length ?? 0),
    );
    const found = new Set<Variant<Answer>>();
    let missed = 0;
    for (const [term, weight] of rarestFirst) {
      for (const variant of having.get(term) ?? []) found.add(variant);
      missed += weight;
      if (missed > spare) break;
    }
    return found;
  }

  return (text, wordsMin, isAllowed) => {
    if (variants.length === 0) return [];
    const same = (exact.get(exactForm(text)) ?? []).filter(({ answer }) => isAllowed(answer));
    if (same.length > 0) return same.map((variant) => toLikeness(variant, 1, true));
    const asked = readQuestion(text, ignored);
    return [...candidates(asked, wordsMin)]
      .filter(({ answer }) => isAllowed(answer))
      .map((variant) => toLikeness(variant, compareQuestions(asked, variant.question), false))
      .filter(({ words }) => words > 0 && words >= wordsMin)
      .sort((a, b) => b.words - a.words);
  };
}

function toLikeness<Answer>(
  { answer, question }: Variant<Answer>,
  words: number,
  isExact: boolean,
): Likeness<Answer> {
  return { answer, question: question.text, words, isExact };
}

/**
 * How much of what two questions are about they share, from 0 to 1, counted from the one that shares less. 0 where
 * they ask different things of it: another number, another name, "not", the other direction.
 */
function compareQuestions(a: ReadQuestion, b: ReadQuestion): number {
  if (a.exact === b.exact) return 1;
  if (a.terms.size === 0 || b.terms.size === 0) return 0;
  const isOther =
    !isSameKind(a.kind, b.kind) ||
    !areEqual(a.strict, b.strict) ||
    !haveSameNames(a, b) ||
    areOpposite(a, b) ||
    leadElsewhere(a, b) ||
    (a.kind === "quantity" && firstTerm(a) !== firstTerm(b));
  if (isOther) return 0;
  // Squared: one word of ten that the other does not have is a different question more often than not.
  return sharedPart(a, b) ** 2;
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

/** Whether both lead to something that the other has too, and not to the same. */
function leadElsewhere(a: ReadQuestion, b: ReadQuestion): boolean {
  const [ownTo, otherTo] = [a.to.intersection(b.terms), b.to.intersection(a.terms)];
  return ownTo.size > 0 && otherTo.size > 0 && ownTo.isDisjointFrom(otherTo);
}

/** Of "how many users can a team have": what is counted. */
const firstTerm = ({ terms }: ReadQuestion) => terms.keys().next().value;
