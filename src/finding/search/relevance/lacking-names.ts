import { languageOf } from "@docent/kernel/text/language-of";
import { analyze, isStopWord } from "../analyze.ts";
import type { Frequencies } from "../search-store.ts";
import { isMostlyEnglish } from "./language.ts";
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

const WORD =
  /(?<![\p{L}\p{N}@/._-])\p{L}[\p{L}\p{N}+#]{1,40}(?:-[\p{L}\p{N}]{1,40}){0,5}(?![\p{L}\p{N}@/_(]|\.\p{L})/gu;
/** Such as LDAP, PagerDuty, iOS, fail2ban: no sentence begins with a word written like this. */
const WRITTEN_AS_NAME = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|\p{Ll}\d\p{Ll}/u;
const CAPITALIZED = /^\p{Lu}/u;
/** What a program says of what went wrong is a symptom, and the docs may name another one of the same fault. */
export const SYMPTOM = /(?:error|exception|warning|fault)$/i;
const ENDS_SENTENCE = /(?:^|[.?!:;\n"“(\]–—])\s*$/u;
/** So far back it is looked whether a sentence ends before a word. */
const BEFORE_CHARACTERS = 20;
/** Where most words are capitalized, that is a way of writing, as in titles. */
const NAMES_SHARE_MAX = 0.5;

/**
 * The names in an English question that no passage has: of a product, a protocol, a service. What is asked is to be done
 * with them, so that passages with all of its other words say nothing of it. None in other languages, some of which
 * capitalize more.
 */
export function namesLackedBy(
  question: string,
  { of }: Pick<Frequencies, "of">,
  asked: ReadonlySet<string>,
  ordinary: OrdinaryWords,
): string[] {
  const words = [...question.matchAll(WORD)].map(({ 0: word, index }) => {
    const before = question.slice(Math.max(0, index - BEFORE_CHARACTERS), index);
    return { word, isName: isWrittenAsName(word, before) };
  });
  const names = words.filter(({ isName }) => isName);
  if (names.length === 0 || names.length > words.length * NAMES_SHARE_MAX) return [];
  const others = words.filter(({ isName }) => !isName).map(({ word }) => word);
  const language = languageOf(question);
  const isEnglish = language === undefined ? isMostlyEnglish(others.join(" "), ordinary) : language === "en";
  if (!isEnglish) return [];
  const isThere = (word: string) =>
    analyze(word)
      .slice(0, 1)
      .some((term) => (of.get(term) ?? 0) > 0);
  return names.flatMap(({ word }) => {
    const [whole = ""] = analyze(word);
    const isKnown = [word, ...word.split("-").filter((part) => CAPITALIZED.test(part))].some(isThere);
    return asked.has(whole) && !isStopWord(whole) && !isKnown ? word : [];
  });
}

const isWrittenAsName = (word: string, before: string): boolean =>
  !SYMPTOM.test(word) &&
  (WRITTEN_AS_NAME.test(word) || (CAPITALIZED.test(word) && !ENDS_SENTENCE.test(before)));
