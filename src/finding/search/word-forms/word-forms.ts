import { languageOf } from "@docent/kernel/text/language-of";
import { formTerm, languageTerm, type Word, wordsOf } from "../analyze.ts";
import type { KeywordQuery } from "../read-query.ts";
import { INFLECTED_LANGUAGES } from "../stems/stems.ts";

/** For terms of a question, those that stand for all forms of their words. */
export type WordForms = ReadonlyMap<string, string>;

type Count = (terms: readonly string[]) => Promise<ReadonlyMap<string, number>>;

const WORDS_MAX = 32;

/**
 * Which words of a question are looked for in all their forms: those that more passages have so. Only passages in the
 * language have forms; a name that pages in others have too is looked for as it is written. Where the question does not tell
 * its language, it is the one in which the most of its words are such.
 */
export async function findForms(question: string, count: Count): Promise<WordForms> {
  const words = wordsOf(question).filter(isPlain).slice(0, WORDS_MAX);
  const told = languageOf(question);
  const languages = told === undefined ? await languagesOfDocs(count) : [told];
  const asked = languages.flatMap((language) => words.flatMap((word) => formOf(language, word) ?? []));
  if (asked.length === 0) return new Map();
  const counts = await count([...words.map(termOf), ...asked]);
  const passages = (term: string) => counts.get(term) ?? 0;
  const found = languages.map((language) => {
    const forms = new Map<string, string>();
    let more = 0;
    for (const word of words) {
      const form = formOf(language, word) ?? "";
      const gained = passages(form) - passages(termOf(word));
      if (gained <= 0) continue;
      forms.set(termOf(word), form);
      more += gained;
    }
    return { forms, more };
  });
  const [best] = found.toSorted((a, b) => b.forms.size - a.forms.size || b.more - a.more);
  return best?.forms ?? new Map();
}

async function languagesOfDocs(count: Count): Promise<string[]> {
  const counts = await count(INFLECTED_LANGUAGES.map(languageTerm));
  return INFLECTED_LANGUAGES.filter((language) => counts.has(languageTerm(language)));
}

/** A word of letters alone, and of one part. */
const isPlain = ({ words, terms }: Word) => words.length === 1 && terms.length === 1;
const termOf = ({ terms }: Word) => terms[0] ?? "";
const formOf = (language: string, { words }: Word) => formTerm(language, words[0] ?? "");

/** A query that asks for all forms of these words. What is to be found as it is written stays so. */
export function inAllForms(query: KeywordQuery, forms: WordForms): KeywordQuery {
  if (forms.size === 0) return query;
  const formed = (term: string) => forms.get(term) ?? term;
  return {
    ...query,
    terms: [...new Set(query.terms.map(formed))],
    neighbours: query.neighbours.map(([first, second]) => [formed(first), formed(second)]),
    shares: query.shares && new Map([...query.shares].map(([term, share]) => [formed(term), share])),
  };
}
