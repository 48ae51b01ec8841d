import type { QuestionKind, ReadQuestion } from "../../curated/questions/questions.ts";
import { areRivals, FAINT } from "./words.ts";

/** What asks for the cause of a fault, or for a person or a moment, wants another page than what asks how it is done. */
const APART: ReadonlySet<QuestionKind> = new Set(["why", "when", "who"]);

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
  const isOther =
    APART.has(a.kind) !== APART.has(b.kind) ||
    !hardOf(a).isSubsetOf(hardOf(b)) ||
    !hardOf(b).isSubsetOf(hardOf(a)) ||
    !mentions(b, a.names) ||
    !mentions(a, b.names) ||
    isTurnedAround(a, b) ||
    areRivals(a.terms, b.terms);
  return isOther ? 0 : Math.min(coverage(a, b), coverage(b, a));
}

/** The share of a's words, by their weight, that b has. */
function coverage(a: ReadQuestion, b: ReadQuestion): number {
  let all = 0;
  let shared = 0;
  for (const [term, given] of a.terms) {
    const weight = FAINT.has(term) ? Math.min(given, FAINT_WEIGHT) : given;
    all += weight;
    if (b.terms.has(term)) shared += weight;
  }
  return shared / all;
}

const hardOf = ({ strict }: ReadQuestion) => strict.difference(SOFT_QUALIFIERS);

const mentions = ({ terms }: ReadQuestion, names: ReadonlySet<string>) => names.isSubsetOf(terms);

/** From A to B is not from B to A. */
const isTurnedAround = (a: ReadQuestion, b: ReadQuestion) =>
  !a.from.isDisjointFrom(b.to) || !a.to.isDisjointFrom(b.from);
