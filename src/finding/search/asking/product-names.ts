import { analyze, isStopWord } from "../analyze.ts";
import type { Frequencies } from "../search-store.ts";

/** The share of the passages from which on a name is of all of them. In few passages, other words reach it by chance. */
const SHARE_MIN = 0.5;
const SHARE_MIN_IN_FEW = 0.8;
const FEW = 100;
const HAS_LETTERS = /\p{L}{2}/u;
const WORD = /(?<![\p{L}\p{N}@/._-])\p{L}[\p{L}\p{N}]*(?:['’]s)?(?![\p{L}\p{N}@/_-]|\.\p{L})/gu;

/**
 * Those of a question's terms that docs have wherever one looks and other texts have not: the name of what they are about.
 * Any question may name it, whether the docs answer it or not.
 */
export function productNames(
  terms: readonly string[],
  { passages, of }: Frequencies,
  ordinary: { has(term: string): boolean },
): ReadonlySet<string> {
  const least = passages * (passages < FEW ? SHARE_MIN_IN_FEW : SHARE_MIN);
  return new Set(
    terms.filter((term) => (of.get(term) ?? 0) >= least && HAS_LETTERS.test(term) && !ordinary.has(term)),
  );
}

/** The docs' passages, by how many of them have a term. */
interface Known {
  passages: number;
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Of a few passages, so many have a name that half of all have. */
const SAMPLED_SHARE_MIN = 0.25;

/** Whether docs are those of one product, by some of their passages: none of a collection's names is everywhere. */
export async function areOfOneProduct(
  some: readonly string[],
  { passages, frequencies }: Known,
  ordinary: { has(term: string): boolean },
): Promise<boolean> {
  const counts = new Map<string, number>();
  for (const term of some.flatMap((text) => [...new Set(analyze(text))]))
    if (!ordinary.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const least = some.length * SAMPLED_SHARE_MIN;
  const terms = [...counts].flatMap(([term, count]) => (count >= least ? [term] : []));
  return productNames(terms, { passages, of: await frequencies(terms) }, ordinary).size > 0;
}

/** A question without the names that stand in it as words of their own; as it is where nothing else is asked about. */
export function withoutNames(question: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return question;
  const rest = question.replace(WORD, (word) =>
    analyze(word.replace(/['’]s$/, "")).every((term) => names.has(term)) ? " " : word,
  );
  return analyze(rest).every((term) => isStopWord(term))
    ? question
    : rest.replace(/[^\S\n]{2,}/g, " ").trim();
}
