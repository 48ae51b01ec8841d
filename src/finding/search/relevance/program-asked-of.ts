import { analyze, isStopWord } from "../analyze.ts";
import { SYMPTOM } from "./lacking-names.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";

/** A word that is no part of a path, an address or code. */
const NAME = String.raw`(?<name>\p{L}[\p{L}\p{N}+#]+)(?![\p{L}\p{N}/_(@-]|\.\p{L})`;
/** "In git", where no article says that it is a thing, with the rest of a name, a version, and the word that follows. */
const IN = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])[Ii]n ${NAME}(?: (?:\p{Lu}\p{L}*|\d[\d.]*)){0,2}(?: (?<next>\p{L}+))?`,
  "gu",
);
/** Readers say so of what the docs are of: what "it" is run in is not what they ask about. */
const IT = /(?<![\p{L}\p{N}])it(?![\p{L}\p{N}])/iu;
/** "Kubectl: how do I …"; what a program said of a fault begins like this as well, and so does its code, as E12. */
const BEFORE_COLON = /^\s*(?<name>\p{L}[\p{L}+#]+)(?: \p{L}[\p{L}\p{N}]*)?: (?=\p{L})/gu;

/**
 * The term of the program in which something is to be done, as an English question says it. Docs may name it on many pages,
 * and still say only what they need of it.
 */
export function programAskedOf(
  question: string,
  asked: ReadonlySet<string>,
  ordinary: Pick<OrdinaryWords, "has">,
): string | undefined {
  const itAt = question.search(IT);
  for (const { groups, index } of [...question.matchAll(BEFORE_COLON), ...question.matchAll(IN)]) {
    if (itAt >= 0 && itAt < index) continue;
    const { name = "", next } = groups ?? {};
    const [term = ""] = analyze(name);
    const isName = asked.has(term) && !isStopWord(term) && !ordinary.has(term) && !SYMPTOM.test(name);
    // Of "in JSON format", the name is not the thing.
    const isThing = next === undefined || analyze(next).every((word) => isStopWord(word));
    if (isName && isThing) return term;
  }
  return undefined;
}
