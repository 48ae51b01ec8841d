import type { Language } from "@docent/kernel/text/languages";
import { ar, hi, id, ja, ko, tr, vi, zh, zhHant } from "./asia.ts";
import { cs, pl, ru, uk } from "./east-europe.ts";
import { en } from "./english.ts";
import type { OwnWords } from "./shape.ts";
import { de, es, fr, it, nl, ptBR, sv } from "./west-europe.ts";

export { type Courtesies, PHRASE_NAMES, type PhraseName, type Phrases } from "./shape.ts";

/** Docent's own sentences in every language. All but English and German were made by a machine. */
export const OWN_WORDS: Readonly<Record<Language, OwnWords>> = {
  en,
  ar,
  cs,
  de,
  es,
  fr,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  "pt-BR": ptBR,
  ru,
  sv,
  tr,
  uk,
  vi,
  zh,
  "zh-Hant": zhHant,
};
