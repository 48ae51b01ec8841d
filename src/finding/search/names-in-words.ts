import { firstTerm, type Word, wordsOf } from "./analyze.ts";
import type { KeywordView } from "./keyword-index/keyword-index.ts";
import { withoutQuotes } from "./read-query.ts";
import { rarityOf, type TermWeights } from "./term-weights.ts";

// Docs write `Get-ChildItem`, `maxRetries` and `math.pi`, and readers ask for "get child item", "max retries" and "math pi".

/** A name of the docs that a question has in words. */
export interface NameInWords {
  term: string;
  /** From 0 to 1: how likely it is meant, and how much of the question it is. */
  worth: number;
  /** Whether nothing else is asked, not even with words such as "how" and "the". */
  isAll: boolean;
}

interface NamesDeps {
  view: Pick<KeywordView, "passages" | "frequencies" | "phraseFrequency">;
  /** The weights of the question's terms, without stop words. */
  weights: TermWeights;
}

/** What stands between the words of a name. Those joined by a hyphen or an underscore are indexed as one word, too. */
const JOINTS = ["", ".", "::"];
const NAME_WORDS_MAX = 5;
/** A name that is less of the question is not what it is about. */
const MASS_MIN = 0.5;
const PLAIN = /^[\p{L}\p{N}]+$/u;
/** Of a long text, not every word is looked up. */
const LOOKED_UP_MAX = 24;

/** Finds names of the docs that a question has in words. */
export async function namesInWords(text: string, { view, weights }: NamesDeps): Promise<NameInWords[]> {
  const words = wordsOf(withoutQuotes(text)).slice(0, LOOKED_UP_MAX);
  const possible = runsIn(words, weights).flatMap(({ run, mass }) =>
    JOINTS.map((joint) => ({ run, mass, term: termOf(run, joint) })),
  );
  const of = await view.frequencies([...new Set(possible.map(({ term }) => term))]);
  const names: NameInWords[] = [];
  for (const { run, mass, term } of possible) {
    const passages = of.get(term);
    if (passages === undefined || weights.has(term)) continue;
    // Where the same words stand side by side far more often, they are meant, and not the name. Its own parts count, too.
    const apart = await view.phraseFrequency(run.flatMap(({ terms }) => terms));
    const likelihood = Math.min(1, passages / Math.max(1, apart));
    const worth = likelihood * rarityOf(term, { passages: view.passages, of }) * mass ** 2;
    names.push({ term, worth, isAll: run.length === words.length });
  }
  return names;
}

/** The words that stand side by side and are enough of the question, with their share of its weight. */
function runsIn(words: readonly Word[], weights: TermWeights): { run: Word[]; mass: number }[] {
  const all = weights.values().reduce((sum, weight) => sum + weight, 0);
  const runs: { run: Word[]; mass: number }[] = [];
  for (const [start, first] of words.entries()) {
    if (!isPlain(first)) continue;
    const run = [first];
    for (const next of words.slice(start + 1, start + NAME_WORDS_MAX)) {
      if (!isPlain(next)) break;
      run.push(next);
      const terms = new Set(run.flatMap((word) => word.terms));
      const mass = [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / all;
      if (mass >= MASS_MIN) runs.push({ run: [...run], mass });
    }
  }
  return runs;
}

const isPlain = ({ written, terms, isName }: Word) => !isName && terms.length === 1 && PLAIN.test(written);

const termOf = (run: readonly Word[], joint: string) =>
  firstTerm(run.map(({ written }) => written.toLowerCase()).join(joint)) ?? "";
