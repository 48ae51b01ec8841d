import { readQuestions } from "./answer-file.ts";
import { candidatesOf, linkTargets, pathsOf } from "./answer-links.ts";
import type { LinkedPage, StoredAnswer } from "./curated-store.ts";

/** A curated answer as its owner looks after it. */
export interface ReviewedAnswer {
  name: string;
  /** Where the source is that it came from; undefined where it was added by hand. */
  source: string | undefined;
  version: string;
  language: string;
  questions: string[];
  markdown: string;
  /** What else its file says of it: tags, groups, whether it is a draft. */
  frontMatter: Record<string, unknown>;
  /** What should be looked at, for people; empty where nothing is wrong. */
  concerns: string[];
}

/** The paths of all pages that answers may lead to. */
export function pathsToReview(answers: StoredAnswer[], siteUrl: string | undefined): string[] {
  return pathsOf(answers.flatMap((answer) => [...linkTargets(answer, siteUrl).values()]));
}

/** Looks whether an answer is given at all, and whether the pages that it leads to are still as they were. */
export function reviewAnswer(
  answer: StoredAnswer,
  siteUrl: string | undefined,
  pages: ReadonlyMap<string, LinkedPage[]>,
): ReviewedAnswer {
  const { name, source, version, language, markdown, frontMatter } = answer;
  const { questions, faults } = readQuestions(frontMatter);
  const concerns = new Set(answer.hidden ? ["kept back by its author"] : []);
  for (const fault of faults) concerns.add(fault);
  if (markdown.trim() === "") concerns.add("a curated answer needs words");
  for (const target of linkTargets(answer, siteUrl).values()) {
    if (target.kind !== "page") continue;
    const candidates = candidatesOf(target.path, answer, pages);
    const path = target.path || "/";
    if (candidates.length === 0) concerns.add(`leads to no page: ${path}`);
    else if (candidates.some((page) => page.generation > answer.generation))
      concerns.add(`page changed: ${path}`);
  }
  return { name, source, version, language, questions, markdown, frontMatter, concerns: [...concerns] };
}
