import { analyze, isStopWord } from "../analyze.ts";
import type { Frequencies } from "../search-store.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";

/** Letters of scripts in which names of programs are foreign. */
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u;
/** A name in Latin letters, whatever touches it: `Djangoのモデル`. */
const NAME = /(?<![A-Za-z\d@/._-])[A-Za-z][A-Za-z\d+#]{2,60}(?:[.-][A-Za-z\d]{1,60})*/g;

/**
 * Whether a question in another script names something in Latin letters that no passage has, and nothing that one has: it
 * is about that, and the pieces of its other words, of which any docs have some, say little.
 */
export function lacksItsNames(
  question: string,
  { of }: Pick<Frequencies, "of">,
  asked: ReadonlySet<string>,
  ordinary: Pick<OrdinaryWords, "has">,
): boolean {
  if (!OTHER_SCRIPT.test(question)) return false;
  let isLacking = false;
  for (const [name] of question.matchAll(NAME)) {
    const terms = analyze(name);
    // A word that was corrected, or stands for a whole text, was not looked up.
    if (terms.some((term) => (of.get(term) ?? 0) > 0) || !terms.every((term) => asked.has(term)))
      return false;
    if (!terms.every((term) => ordinary.has(term) || isStopWord(term))) isLacking = true;
  }
  return isLacking;
}
