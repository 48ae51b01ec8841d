import type { Audience } from "@docent/sites/pages/audience";
import type { Navigation, NavigationTree, SiteNavigation } from "@docent/sites/pages/navigation/navigation";
import type { Page, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { createReaderAddresses, type ReaderAddresses, type ReaderChoice } from "./addresses.ts";
import { type ReaderLabels, readerLabels } from "./labels.ts";

/** The version and language of a site that one reader sees, with its menu, its addresses and the words around it. */
export interface Edition {
  navigation: SiteNavigation;
  tree: NavigationTree;
  choice: ReaderChoice;
  addresses: ReaderAddresses;
  /** Of the page, else of the site: what the reader's own words are in. */
  language: string;
  labels: ReaderLabels;
}

/** The edition that a page belongs to; without a page, the one that a newcomer would look for. */
export async function editionFor(
  options: { navigation: Navigation; pages: PageStore; basePath: string },
  { site, audience }: { site: Site; audience: Audience },
  page: Page | undefined,
  asked: ReaderChoice,
): Promise<Edition> {
  const { defaultVersion, defaultLanguage, language: siteLanguage } = site.settings;
  const navigation = await navigationOf(options, { site, audience });
  const { versions, languages, mainLanguage } = navigation;
  const choice: ReaderChoice = {
    // The page's own, so that what is around it belongs to it; without one, what a newcomer looks for.
    version: asked.version || page?.version || defaultVersion || versions[0],
    language:
      asked.language ||
      page?.language ||
      defaultLanguage ||
      (mainLanguage ?? likeliest(languages, siteLanguage)),
    theme: asked.theme,
  };
  const language = page?.language || asked.language || siteLanguage;
  return {
    navigation,
    choice,
    language,
    labels: readerLabels(language),
    tree: navigation.tree(choice),
    addresses: createReaderAddresses(
      { basePath: options.basePath, site, usual: usualOf(site, navigation) },
      choice,
    ),
  };
}

/** The menus of the pages that are for them, in the generation that readers see. */
export async function navigationOf(
  { navigation, pages }: { navigation: Navigation; pages: PageStore },
  { site, audience }: { site: Site; audience: Audience },
): Promise<SiteNavigation> {
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const generation = await pages.visibleGeneration(site.id);
  return navigation.of({ siteId: site.id, generation, audience, defaults: { version, language } });
}

/** What is shown where an address names no version and no language. */
const usualOf = ({ settings }: Site, { versions, mainLanguage }: SiteNavigation) => ({
  version: settings.defaultVersion || (versions.length === 1 ? versions[0] : undefined),
  language: settings.defaultLanguage || mainLanguage,
});

const likeliest = (languages: string[], siteLanguage: string) =>
  languages.find((language) => language.toLowerCase() === siteLanguage.toLowerCase()) ?? languages[0];
