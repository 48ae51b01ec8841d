import { spokenLanguage } from "@docent/kernel/text/languages";
import { READER_LABELS, type ReaderLabels } from "./words/words.ts";

export type { ReaderLabels } from "./words/words.ts";

/** The words in a language; `de-AT` is `de`, and one that is not here is English. */
export const readerLabels = (language: string): ReaderLabels =>
  READER_LABELS[spokenLanguage(language) ?? "en"];

/** Fills `{name}` in a text. */
export const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** What a language is called in itself; its tag where nobody knows. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}
