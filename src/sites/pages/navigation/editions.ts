import { isInLanguage } from "@docent/kernel/text/language-tags";
import type { MenuEntry } from "@docent/reading/page/menu";
import type { PageMarks } from "@docent/reading/page/page-marks";
import { isForLanguage, type PageFilter, translatedPaths } from "../pages.ts";

/** A page of a site in several languages. */
interface MarkedPage extends PageMarks {
  path: string;
  hidden: boolean;
}

/** The main language of a site's docs: the one in which most pages are that may be translated. */
export function mainLanguageOf(pages: readonly MarkedPage[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { language, translations, hidden } of pages)
    if (translations !== undefined && !hidden) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Finds the page that says in another language what one says. */
interface Translations {
  /** The paths at which a page may be read by who asks for a language, the most likely one first. */
  pathsFor(path: string, language: string | undefined): string[];
}

export function createTranslations(pages: readonly MarkedPage[]): Translations {
  const originals = new Map<string, MarkedPage>();
  for (const page of pages)
    for (const path of [page.path, ...Object.values(page.translations ?? {})])
      if (page.translations !== undefined && !page.hidden) originals.set(path, page);
  return {
    pathsFor(path, language) {
      const original = originals.get(path);
      return original === undefined ? [path] : [...translatedPaths(original, language), path, original.path];
    },
  };
}

/** The translations that stand in the places of pages for who asks for a language, by the paths of these. */
export function standIns<Entry extends MarkedPage>(
  pages: readonly Entry[],
  shown: ReadonlyMap<string, Entry>,
  language: string | undefined,
): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const page of pages) {
    if (page.translations === undefined || isForLanguage(page, language)) continue;
    const translated = translatedPaths(page, language).flatMap((path) => shown.get(path) ?? [])[0];
    if (translated !== undefined) found.set(page.path, translated);
  }
  return found;
}

/** Nobody reads a menu that is deeper, and the stack is finite. */
const DEPTH_MAX = 30;

/**
 * A menu for a version and a language: of the parts that are for one of several, only those for these, and without its name
 * where that is one part; where none is, those of the first, which is the main language.
 */
export function menuFor(entries: readonly MenuEntry[], asked: PageFilter, depth = 0): MenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  const language = chosenAmong(
    entries,
    "language",
    (own) => isInLanguage(own, asked.language),
    asked.language,
  );
  const version = chosenAmong(entries, "version", (own) => own === asked.version, asked.version);
  return entries.flatMap((entry): MenuEntry[] => {
    if (isOther(entry.language, language) || isOther(entry.version, version)) return [];
    const children = menuFor(entry.children, asked, depth + 1);
    if (entry !== language?.only && entry !== version?.only) return [{ ...entry, children }];
    return entry.path === undefined ? children : [{ ...entry, children: [] }, ...children];
  });
}

/** The language or version that is shown of several, with the part that is for it, where that is one. */
interface ChosenPart {
  name: string;
  only: MenuEntry | undefined;
}

function chosenAmong(
  entries: readonly MenuEntry[],
  kind: "language" | "version",
  fits: (name: string) => boolean,
  asked: string | undefined,
): ChosenPart | undefined {
  const names = entries.flatMap((entry) => entry[kind] ?? []);
  const name = asked ? (names.find(fits) ?? names[0]) : undefined;
  if (name === undefined) return undefined;
  const [first, second] = entries.filter((entry) => entry[kind] === name);
  return { name, only: second === undefined ? first : undefined };
}

const isOther = (own: string | undefined, chosen: ChosenPart | undefined) =>
  chosen !== undefined && own !== undefined && own !== chosen.name;
