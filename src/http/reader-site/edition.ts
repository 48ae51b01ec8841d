import type { Navigation, NavigationTree, SiteNavigation } from "../../pages/navigation/navigation.ts";
import type { Page, PageStore } from "../../pages/pages.ts";
import type { Site } from "../../sites/sites.ts";
import { createReaderAddresses, type ReaderAddresses, type ReaderChoice } from "./addresses.ts";
import { type ReaderLabels, readerLabels } from "./labels.ts";

/** A site as one reader sees it: of one version and language where it has several. */
export interface ReaderView {
  navigation: SiteNavigation;
  tree: NavigationTree;
  choice: ReaderChoice;
  addresses: ReaderAddresses;
  /** Of the page, else of the site: what the reader's own words are in. */
  language: string;
  labels: ReaderLabels;
}

/** What to show around a page; around what is no page where there is none. */
export async function viewOf(
  options: { navigation: Navigation; pages: PageStore; basePath: string },
  site: Site,
  page: Page | undefined,
  asked: ReaderChoice,
): Promise<ReaderView> {
  const { defaultVersion, defaultLanguage, language: siteLanguage } = site.settings;
  const navigation = await options.navigation.of({
    siteId: site.id,
    generation: await options.pages.visibleGeneration(site.id),
    defaults: { version: defaultVersion, language: defaultLanguage },
  });
  const { versions, languages } = navigation;
  const choice: ReaderChoice = {
    // The page's own, so that what is around it belongs to it; without one, what a newcomer looks for.
    version: asked.version || page?.version || defaultVersion || versions[0],
    language: asked.language || page?.language || defaultLanguage || likeliest(languages, siteLanguage),
    theme: asked.theme,
  };
  const language = page?.language || asked.language || siteLanguage;
  return {
    navigation,
    choice,
    language,
    labels: readerLabels(language),
    tree: navigation.tree(choice),
    addresses: createReaderAddresses({ basePath: options.basePath, site }, choice),
  };
}

const likeliest = (languages: string[], siteLanguage: string) =>
  languages.find((language) => language.toLowerCase() === siteLanguage.toLowerCase()) ?? languages[0];
