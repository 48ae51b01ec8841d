import type { Language } from "@docent/kernel/text/languages";
import type { Labels } from "../labels.ts";
import { ar } from "./asia/ar.ts";
import { hi } from "./asia/hi.ts";
import { id } from "./asia/id.ts";
import { ja } from "./asia/ja.ts";
import { ko } from "./asia/ko.ts";
import { tr } from "./asia/tr.ts";
import { vi } from "./asia/vi.ts";
import { zh } from "./asia/zh.ts";
import { zhHant } from "./asia/zh-hant.ts";
import { cs } from "./europe/cs.ts";
import { de } from "./europe/de.ts";
import { es } from "./europe/es.ts";
import { fr } from "./europe/fr.ts";
import { it } from "./europe/it.ts";
import { nl } from "./europe/nl.ts";
import { pl } from "./europe/pl.ts";
import { ptBR } from "./europe/pt-br.ts";
import { ru } from "./europe/ru.ts";
import { sv } from "./europe/sv.ts";
import { uk } from "./europe/uk.ts";

/** The labels in every language but English. Of each, the build makes a file that the widget loads when it is needed. */
export const TRANSLATED_LABELS: Readonly<Record<Exclude<Language, "en">, Labels>> = {
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
