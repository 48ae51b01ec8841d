import { spokenLanguage } from "@docent/kernel/text/languages";
import { type Courtesies, OWN_WORDS, type PhraseName, type Phrases } from "./words/words.ts";

export { PHRASE_NAMES, type Phrases } from "./words/words.ts";

/** All of them, by the language's tag. */
export const phrasesByLanguage = (): Record<string, Phrases> =>
  Object.fromEntries(Object.entries(OWN_WORDS).map(([language, { phrases }]) => [language, phrases]));

const wordsIn = (tag: string) => OWN_WORDS[spokenLanguage(tag) ?? "en"];

/** The sentences of a language (`de-AT` is `de`; one that is not here is English), with an owner's own in their place. */
export function phrasesFor(
  language: string,
  own: Readonly<Partial<Record<PhraseName, string>>> = {},
): Phrases {
  const replaced = Object.entries(own).filter(([, text]) => text !== "");
  return { ...wordsIn(language).phrases, ...Object.fromEntries(replaced) };
}

/** The courtesies of a language; English where there are none in it. */
export const courtesiesFor = (language: string): Courtesies => wordsIn(language).courtesies;
