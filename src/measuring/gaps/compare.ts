import {
  areOpposite,
  haveSameNames,
  type QuestionKind,
  type ReadQuestion,
  sharedPart,
} from "@docent/answering/curated/questions/questions";
import { areRivals, FAINT } from "./words.ts";

/** What asks for the cause of a fault, or for a person or a moment, wants another page than what asks how it is done. */
const NOT_HOW_TO: ReadonlySet<QuestionKind> = new Set(["why", "when", "who"]);

/** Words that tell questions apart where an answer is given to them, and not where a page is to be written. */
const SOFT_QUALIFIERS: ReadonlySet<string> = new Set(["=all", "=only", "=again", "=same", "=first", "=out"]);

const FAINT_WEIGHT = 0.25;

/**
 * How much of what two questions are about they share, from 0 to 1. 0 where they cannot be of one meaning: another
 * number, version, name or direction. Looser than what decides whether a curated answer fits, because no reader sees
 * it: "is it possible", "how do I" and the bare words want the same page.
 */
export function compareForGaps(a: ReadQuestion, b: ReadQuestion): number {
  if (a.exact === b.exact) return 1;
  if (a.terms.size === 0 || b.terms.size === 0) return 0;
  const cannotMatch =
    NOT_HOW_TO.has(a.kind) !== NOT_HOW_TO.has(b.kind) ||
    !hardQualifiers(a).isSubsetOf(hardQualifiers(b)) ||
    !hardQualifiers(b).isSubsetOf(hardQualifiers(a)) ||
    !haveSameNames(a, b) ||
    areOpposite(a, b) ||
    areRivals(a.terms, b.terms);
  return cannotMatch ? 0 : sharedPart(a, b, weighFaint);
}

const weighFaint = (term: string, weight: number) =>
  FAINT.has(term) ? Math.min(weight, FAINT_WEIGHT) : weight;

const hardQualifiers = ({ strict }: ReadQuestion) => strict.difference(SOFT_QUALIFIERS);
