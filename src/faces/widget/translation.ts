import { spokenLanguage } from "@docent/kernel/text/languages";
import { createSay, type Say } from "./labels.ts";
import type { LaterParts } from "./later.ts";

/** The language that the widget speaks. */
export interface Translation {
  /** The language of the labels that are there. */
  language(): string;
  /** Says them, with the owner's own in their place. */
  say(own: Partial<Record<string, string>>): Say;
  /** Looks what language the page has now. Resolves to whether other labels have come; undefined where none are wanted. */
  follow(): Promise<boolean> | undefined;
}

const ENGLISH = "en";

/** `told` is what the script's tag says. After it, the page's own word counts, and then what the reader's browser prefers. */
export function createTranslation(told: string | undefined, parts: Pick<LaterParts, "labels">): Translation {
  let language = ENGLISH;
  let labels: Partial<Record<string, string>> = {};
  let wanted = ENGLISH;
  /** What the page said when it was asked last: it is asked at every change of the page. */
  let said: string | undefined;
  const load = async (next: string) => {
    try {
      const found = next === ENGLISH ? {} : (await parts.labels(next)).labels;
      // The page may have gone on to another language meanwhile.
      if (next !== wanted) return false;
      language = next;
      labels = found;
      return true;
    } catch {
      // Offline, or forbidden by the page's policy: English goes without.
      return false;
    }
  };
  return {
    language: () => language,
    // The browser knows how its reader's country writes times and numbers.
    say: (own) =>
      createSay(
        { ...labels, ...withoutEmpty(own) },
        navigator.languages.find((tag) => spokenLanguage(tag) === language) ?? language,
      ),
    follow() {
      const { lang } = document.documentElement;
      if (lang === said) return undefined;
      said = lang;
      const next = chooseLanguage([told, lang, ...navigator.languages]);
      if (next === wanted) return undefined;
      wanted = next;
      return load(next);
    },
  };
}

/** The first language that there are labels in. */
export function chooseLanguage(tags: readonly (string | undefined)[]): string {
  for (const tag of tags) {
    const language = spokenLanguage(tag ?? "");
    if (language) return language;
  }
  return ENGLISH;
}

const withoutEmpty = (own: Partial<Record<string, string>>) =>
  Object.fromEntries(Object.entries(own).filter(([, text]) => text));
