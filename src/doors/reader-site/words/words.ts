import type { Language } from "@docent/kernel/text/languages";
import { ar, hi, id, ja, ko, tr, vi, zh, zhHant } from "./asia.ts";
import { cs, pl, ru, uk } from "./east-europe.ts";
import { en } from "./english.ts";
import type { ReaderLabels } from "./shape.ts";
import { de, es, fr, it, nl, ptBR, sv } from "./west-europe.ts";

export type { ReaderLabels } from "./shape.ts";

/** The reader's own words in every language. All but English and German were made by a machine. */
export const READER_LABELS: Readonly<Record<Language, ReaderLabels>> = {
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
