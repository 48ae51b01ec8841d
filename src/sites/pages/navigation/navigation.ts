import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { keepLatest } from "@docent/kernel/lib/remember";
import { isInLanguage } from "@docent/kernel/text/language-tags";
import { type SourceMenu, withoutPages } from "@docent/reading/page/menu";
import { normalizePath } from "@docent/reading/page/page-path";
import { type PageRedirect, type RedirectTarget, redirectTargetOf } from "@docent/reading/page/redirects";
import { type Audience, audienceAmong, audienceKey, maySee } from "../audience.ts";
import {
  answeredOn,
  choosePage,
  type NavigationEntry,
  type PageFilter,
  type PageStore,
  spellingsOf,
} from "../pages.ts";
import { createTranslations, mainLanguageOf, menuFor, standIns } from "./editions.ts";
import { type NavigationPlace, navigationPlace } from "./place.ts";
import { buildNavigationTree, type NavigationTree } from "./tree.ts";

export { type NavigationNode, type NavigationTree, pagesBelow } from "./tree.ts";

/** The menus of a site in one state of its index. */
export interface SiteNavigation {
  /** The versions that pages have, newest first. */
  versions: string[];
  languages: string[];
  /** The one in which its docs are written, where generators say so of docs in several. */
  mainLanguage: string | undefined;
  /** Whether the generator of its docs makes a menu. */
  hasMenu: boolean;
  /** The tree of the pages that `asked` allows; of several with one path, the one that a reader would see. */
  tree(asked: PageFilter): NavigationTree;
  /** Whether a reader with this filter would see a page at the path. */
  shows(path: string, asked: PageFilter): boolean;
  /** The version and language of the page at a path, whoever asks; undefined where none is shown there. */
  editionOf(path: string): Pick<PageFilter, "version" | "language"> | undefined;
  /** The path of the page that a link means, in whatever form it writes it: for this reader, or else for anyone. */
  linked(written: string, asked: PageFilter): string | undefined;
  /** The path at which such a reader would see what is at this one: another for a translation. Undefined: at none. */
  pathFor(path: string, asked: PageFilter): string | undefined;
  /** Where an old address leads that a reader with this filter may follow. */
  redirect(address: string, asked: PageFilter): RedirectTarget | undefined;
  /** The path of the one page whose address differs from this one in capital letters alone. Some hosts know no difference. */
  inOtherCase(address: string, asked: PageFilter): string | undefined;
}

/** The site and state of a navigation. */
interface NavigationOf {
  siteId: number;
  generation: number;
  /** Who reads: a page that is not for them is not there, and nothing is called by its name. */
  audience: Audience;
  defaults: { version: string; language: string };
}

export interface Navigation {
  of(site: NavigationOf): Promise<SiteNavigation>;
}

/** What is kept of a page: not all of its front matter. */
interface Entry extends Omit<NavigationEntry, "frontMatter"> {
  place: NavigationPlace;
  /** It is a question out of a tracker. */
  isQuestion: boolean;
}

interface Kept {
  key: string;
  pages: number;
  read: Promise<SiteEntries>;
  /** One for each audience among the site's groups. */
  seen: Map<string, SiteNavigation>;
}

/** What is read of a site once for everyone. */
interface SiteEntries {
  entries: Entry[];
  groups: string[];
  menus: readonly SourceMenu[];
  redirects: readonly PageRedirect[];
}

const PAGES_AT_ONCE = 1000;
/**
 * The number of pages, over all sites and each audience of them, whose navigation is kept in memory; the site asked least
 * recently goes first.
 */
const PAGES_KEPT_MAX = 300_000;
/** The audiences kept for one site: each has a menu of its own. */
const AUDIENCES_KEPT_MAX = 64;
/** The trees kept for one audience, one for each version and language. */
const TREES_KEPT_MAX = 64;
/** Stands for every version or language that no page has: names that readers invent share one entry. */
const UNKNOWN = "\0";

/** What menus are read from. */
export type NavigationStore = Pick<PageStore, "listNavigation" | "listMenus" | "listRedirects">;

/** Reads a site's pages once for each state of its index, and builds trees on demand. */
export function createNavigation(store: NavigationStore, { pagesKeptMax = PAGES_KEPT_MAX } = {}): Navigation {
  const sites = new Map<number, Kept>();

  function makeRoom(siteId: number): void {
    let total = [...sites.values()].reduce((sum, { pages }) => sum + pages, 0);
    for (const [other, { pages }] of sites) {
      if (total <= pagesKeptMax) return;
      if (other === siteId) continue;
      sites.delete(other);
      total -= pages;
    }
  }

  function entriesOf(site: NavigationOf): Kept {
    const { siteId, generation, defaults } = site;
    const key = JSON.stringify([generation, defaults.version, defaults.language]);
    const known = sites.get(siteId);
    const kept = known?.key === key ? known : { key, pages: 0, read: read(store, site), seen: new Map() };
    sites.delete(siteId);
    sites.set(siteId, kept);
    // A failed read is tried again by the next reader.
    kept.read.catch(() => sites.get(siteId) === kept && sites.delete(siteId));
    return kept;
  }

  return {
    async of(site) {
      const kept = entriesOf(site);
      const all = await kept.read;
      const { seen } = kept;
      const audience = audienceAmong(site.audience, all.groups);
      const key = audienceKey(audience);
      const navigation = seen.get(key) ?? navigationOf(all, audience, site.defaults);
      const fitting = Math.floor(pagesKeptMax / Math.max(1, all.entries.length));
      keepLatest(seen, key, navigation, Math.max(1, Math.min(AUDIENCES_KEPT_MAX, fitting)));
      kept.pages = all.entries.length * seen.size;
      makeRoom(site.siteId);
      return navigation;
    },
  };
}

async function read(store: NavigationStore, site: NavigationOf): Promise<SiteEntries> {
  const { siteId, generation } = site;
  const entries = await readEntries(store, site);
  const menus = await store.listMenus(siteId, generation);
  const redirects = await store.listRedirects(siteId, generation);
  return { entries, groups: [...new Set(entries.flatMap(({ groups }) => groups))], menus, redirects };
}

async function readEntries(store: NavigationStore, { siteId, generation }: NavigationOf): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const some = await store.listNavigation(siteId, generation, entries.at(-1)?.id ?? 0, PAGES_AT_ONCE);
    for (const { frontMatter, ...entry } of some)
      entries.push({
        ...entry,
        place: navigationPlace(entry.path, frontMatter),
        isQuestion: answeredOn(frontMatter) !== undefined,
      });
    if (some.length < PAGES_AT_ONCE) return entries;
    await letOthersRun();
  }
}

function navigationOf(
  { entries: all, menus: written, redirects }: Omit<SiteEntries, "groups">,
  audience: Audience,
  defaults: NavigationOf["defaults"],
): SiteNavigation {
  const entries = all.filter(({ groups }) => maySee(audience, groups));
  const menus = menusFor(written, all, entries);
  const versions = labelsOf(entries, "version").toReversed();
  const languages = labelsOf(entries, "language");
  const byPath = Map.groupBy(entries, ({ path }) => path);
  const translations = createTranslations(entries);
  const targets = new Map(redirects.map(({ from, to }) => [from, to]));
  const trees = new Map<string, NavigationTree>();
  let byLowerCase: ReadonlyMap<string, string[]> | undefined;
  const shownAt = (path: string, asked: PageFilter) => {
    const chosen = choosePage(byPath.get(path) ?? [], asked, defaults);
    return chosen === undefined || chosen.hidden ? undefined : chosen;
  };
  const shows = (path: string, asked: PageFilter) => shownAt(path, asked) !== undefined;
  return {
    versions,
    languages,
    mainLanguage: mainLanguageOf(entries),
    hasMenu: menus.length > 0,
    tree(asked) {
      const version = knownAmong(versions, asked.version);
      const language = languageAmong(languages, asked.language);
      const key = JSON.stringify([version, language]);
      const tree = trees.get(key) ?? treeOf(byPath, menus, { version, language }, defaults);
      trees.delete(key);
      trees.set(key, tree);
      for (const oldest of trees.keys()) if (trees.size > TREES_KEPT_MAX) trees.delete(oldest);
      return tree;
    },
    shows,
    editionOf(path) {
      const { version, language } = shownAt(path, {}) ?? {};
      return version === undefined ? undefined : { version, language };
    },
    linked(written, asked) {
      const spellings = spellingsOf(written);
      return spellings.find((each) => shows(each, asked)) ?? spellings.find((each) => shows(each, {}));
    },
    pathFor: (path, asked) => translations.pathsFor(path, asked.language).find((each) => shows(each, asked)),
    redirect(address, asked) {
      const to = targets.get(normalizePath(address));
      const target = to === undefined ? undefined : redirectTargetOf(to);
      return target !== undefined && shows(target.path, asked) ? target : undefined;
    },
    inOtherCase(address, asked) {
      byLowerCase ??= Map.groupBy(byPath.keys(), lowerCased);
      const [path, ...others] = (byLowerCase.get(lowerCased(address)) ?? []).filter((each) =>
        shows(each, asked),
      );
      return others.length === 0 ? path : undefined;
    },
  };
}

const lowerCased = (path: string) => normalizePath(path).toLowerCase();

function treeOf(
  byPath: ReadonlyMap<string, Entry[]>,
  menus: readonly SourceMenu[],
  asked: PageFilter,
  defaults: NavigationOf["defaults"],
): NavigationTree {
  const chosen = [...byPath.values()].flatMap((candidates) => choosePage(candidates, asked, defaults) ?? []);
  const shown = new Map(chosen.filter(({ hidden }) => !hidden).map((page) => [page.path, page]));
  return buildNavigationTree(
    [...shown.values()],
    menus.map(({ sourceId, entries }) => ({ sourceId, entries: menuFor(entries, asked) })),
    asked.language ?? defaults.language,
    standIns([...byPath.values()].flat(), shown, asked.language),
  );
}

/** The versions or languages of visible pages, in natural order: 2 before 10. */
function labelsOf(entries: Entry[], kind: "version" | "language"): string[] {
  const names = new Set(entries.filter(({ hidden }) => !hidden).map((entry) => entry[kind]));
  names.delete("");
  const order = new Intl.Collator("en", { numeric: true });
  return [...names].sort(order.compare);
}

const knownAmong = (names: string[], asked: string | undefined) =>
  asked === undefined || asked === "" ? undefined : names.includes(asked) ? asked : UNKNOWN;

/** The language of the site that is meant: each other name of it would be a tree of its own. */
const languageAmong = (languages: string[], asked: string | undefined) =>
  asked === undefined || asked === "" || languages.includes(asked)
    ? knownAmong(languages, asked)
    : (languages.find((language) => isInLanguage(language, asked)) ?? UNKNOWN);

/**
 * The menus without what stands for pages that others read. What is below such an entry takes its place: the entry would
 * tell the name of its page.
 */
function menusFor(
  menus: readonly SourceMenu[],
  all: readonly Entry[],
  seen: readonly Entry[],
): readonly SourceMenu[] {
  if (all.length === seen.length) return menus;
  const shown = new Set(seen.map(({ path }) => path));
  const kept = new Set(all.flatMap(({ path }) => (shown.has(path) ? [] : [path])));
  // A source of which they see nothing has no menu: it may lead elsewhere, too.
  const sources = new Set(seen.map(({ sourceId }) => sourceId));
  return menus
    .filter(({ sourceId }) => sources.has(sourceId))
    .map(({ sourceId, entries }) => ({ sourceId, entries: withoutPages(entries, kept) }));
}
