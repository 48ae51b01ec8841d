import type { DocsPage, DocsSite, PageEdition } from "./docs-site.ts";

/** As BCP 47 has nearly all of them, and as folders are called for them: `pt_BR`. A longer word is another name. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,4}$/i;
const VERSION_CHARACTERS_MAX = 100;
const NO_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * A site whose pages have the marks that their editions come to. A page in the main language names its translations. Docs
 * in one language have no marks of it: nobody has to choose.
 */
export function withMarks(site: DocsSite): DocsSite {
  const languages = new Set(site.pages.flatMap(({ edition }) => languageOf(edition) ?? []));
  const hasLanguages = site.language !== undefined && languages.has(site.language) && languages.size > 1;
  const byTopic = Map.groupBy(site.pages, ({ edition }) => topicKey(edition));
  return {
    ...site,
    pages: site.pages.map((page): DocsPage => {
      const version = versionOf(page);
      const language = hasLanguages ? languageOf(page.edition) : undefined;
      if (version === undefined && language === undefined) return page;
      const translations =
        language !== undefined && language === site.language
          ? translationsOf(page, byTopic.get(topicKey(page.edition)) ?? [])
          : undefined;
      const marks = {
        ...(version === undefined ? {} : { version }),
        ...(language === undefined ? {} : { language }),
        ...(translations === undefined ? {} : { translations }),
      };
      return { ...page, marks };
    }),
  };
}

const languageOf = ({ language }: PageEdition = {}): string | undefined =>
  language !== undefined && LANGUAGE.test(language) ? language : undefined;

const topicKey = ({ topic, version }: PageEdition = {}) =>
  topic === undefined ? undefined : JSON.stringify([topic, version]);

function versionOf({ edition }: DocsPage): string | undefined {
  const version = edition?.version?.trim() ?? "";
  const isMark = version !== "" && version.length <= VERSION_CHARACTERS_MAX && !NO_LINE.test(version);
  return isMark ? version : undefined;
}

function translationsOf({ edition }: DocsPage, alike: readonly DocsPage[]): Record<string, string> {
  const found = edition?.topic === undefined ? [] : alike;
  const paths = found.flatMap(({ edition: other, path }): [string, string][] => {
    const language = languageOf(other);
    return language === undefined || language === edition?.language ? [] : [[language, path]];
  });
  // In an order of their own: that of the files is no change of the page.
  return Object.fromEntries(paths.sort(([a], [b]) => (a < b ? -1 : 1)));
}
