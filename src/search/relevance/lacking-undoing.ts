import { analyze } from "../analyze.ts";

/** Verbs that undo something: what they undo is what is left of them. */
const UNDOING =
  /(?<![\p{L}\p{N}_-])(?:un(?=install|deploy|subscrib|publish|lock|mount|link|pin|paus|regist|archiv|ban|block|freez|load|hid|mut|shar|assign|bind|encrypt)|dis(?=able|connect|associat|allow)|de(?=activat|regist|commission|crypt|mot|tach|provision|authoriz|compress|serializ))(?<base>\p{L}{3,20})/giu;

/**
 * Whether an English question asks to undo something of which the docs only say how it is done: they are near to it in words
 * and in meaning, and say the opposite.
 */
export async function lacksItsUndoing(
  question: string,
  passagesWith: (term: string) => Promise<number>,
): Promise<boolean> {
  for (const { 0: word, groups } of question.matchAll(UNDOING)) {
    const [term = ""] = analyze(word);
    const [base = ""] = analyze(groups?.["base"] ?? "");
    if ((await passagesWith(term)) === 0 && (await passagesWith(base)) > 0) return true;
  }
  return false;
}
