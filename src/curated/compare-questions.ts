import { isSameKind } from "./questions/kind.ts";
import type { ReadQuestion } from "./questions/questions.ts";

/**
 * How much of what two questions are about they share, from 0 to 1, counted from the one that shares less. 0 where
 * they ask different things of it: another number, another name, "not", the other direction.
 */
export function compareQuestions(a: ReadQuestion, b: ReadQuestion): number {
  if (a.exact === b.exact) return 1;
  if (a.terms.size === 0 || b.terms.size === 0) return 0;
  const isOther =
    !isSameKind(a.kind, b.kind) ||
    !areEqual(a.strict, b.strict) ||
    !mentions(b, a.names) ||
    !mentions(a, b.names) ||
    isTurnedAround(a, b) ||
    (a.kind === "quantity" && firstTerm(a) !== firstTerm(b));
  if (isOther) return 0;
  // Squared: one word of ten that the other does not have is a different question more often than not.
  return Math.min(coverage(a, b), coverage(b, a)) ** 2;
}

/** The share of a's words, by their weight, that b has. */
function coverage(a: ReadQuestion, b: ReadQuestion): number {
  let all = 0;
  let shared = 0;
  for (const [term, weight] of a.terms) {
    all += weight;
    if (b.terms.has(term)) shared += weight;
  }
  return shared / all;
}

function mentions({ terms }: ReadQuestion, names: ReadonlySet<string>): boolean {
  return names.isSubsetOf(terms);
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

/** From A to B is not from B to A. */
function isTurnedAround(a: ReadQuestion, b: ReadQuestion): boolean {
  if (!a.from.isDisjointFrom(b.to) || !a.to.isDisjointFrom(b.from)) return true;
  const [ownTo, otherTo] = [shared(a.to, b), shared(b.to, a)];
  return ownTo.size > 0 && otherTo.size > 0 && ownTo.isDisjointFrom(otherTo);
}

/** Of "how many users can a team have": what is counted. */
const firstTerm = ({ terms }: ReadQuestion) => terms.keys().next().value;

const shared = (terms: ReadonlySet<string>, other: ReadQuestion) =>
  new Set([...terms].filter((term) => other.terms.has(term)));
