import type { MenuEntry } from "../../page/menu.ts";
import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { type LocalizedSite, readLocale } from "./localized-site.ts";
import { addressIn, readPage, type Surroundings } from "./page.ts";
import { type DocusaurusSettings, readSettings } from "./settings.ts";

/** Docusaurus 2 and 3: docs in versions and languages, blogs, and pages of their own. */
export const docusaurus: GeneratorAdapter = {
  name: "Docusaurus",
  roots: (tree) => rootsIn(SITE_FILES.docusaurus, tree.files),
  async open(tree, root, { version, answers }) {
    const settings = await readSettings(tree, root, { answers });
    return settings === undefined ? undefined : openSite(tree, root, settings, version);
  },
};

/** Addresses of other languages at which pages of the main one are shown. */
const SHOWN_MAX = 50_000;

async function openSite(
  tree: DocsTree,
  root: string,
  settings: DocusaurusSettings,
  wanted: string | undefined,
): Promise<DocsSite> {
  const read: LocalizedSite[] = [];
  for (const locale of settings.locales) {
    const made = await readLocale({ tree, settings, wanted, locale });
    // A language without pages of its own shows those of the main one.
    if (read.length === 0 || made.pages.some(({ isOwn }) => isOwn)) read.push(made);
  }
  const own = read.flatMap(({ pages }) => pages.filter(({ isOwn }) => isOwn));
  const written = new Set(own.map(({ path }) => path));
  const indexes = read.flatMap((each) => each.indexes).filter(({ path }) => !written.has(path));
  const made = new Map(indexes.map((index) => [index.path, index]));
  const shown = new Map(
    read.flatMap(({ pages }) => pages.flatMap((page) => (page.isOwn ? [] : [[page.shownAt, page.path]]))),
  );
  const byLocation = new Map(own.map((page) => [page.location, page]));
  const { base, trailingSlash } = settings;
  const surroundings = { tree, root, base, trailingSlash, byLocation, shown };
  return {
    generator: "Docusaurus",
    root,
    language: settings.locales[0]?.language,
    pages: [...own, ...made.values()].map(({ location, path, edition }) => ({ location, path, edition })),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    menu: joinLanguages(read, surroundings, new Set([...written, ...made.keys()])),
    redirects: [...settings.redirects, ...[...shown].slice(0, SHOWN_MAX).map(([from, to]) => ({ from, to }))],
    unknowns: settings.unknowns,
    read: async (page) => made.get(page.path)?.read ?? readPage(surroundings, page),
  };
}

/** The menus of all languages, with links to addresses of the site that lead to its pages. */
function joinLanguages(
  sites: readonly LocalizedSite[],
  surroundings: Surroundings,
  paths: ReadonlySet<string>,
): MenuEntry[] {
  const menus = sites.flatMap(({ locale, menu }) => {
    const children = withOwnPages(menu, (href) => addressIn(surroundings, locale, href), paths);
    return children.length === 0 ? [] : [{ label: locale.label, language: locale.language, children }];
  });
  const [only] = menus;
  return menus.length === 1 && only !== undefined ? only.children : menus;
}

/** A menu whose links to addresses of the site lead to its pages. */
function withOwnPages(
  menu: readonly MenuEntry[],
  addressOf: (href: string) => string,
  paths: ReadonlySet<string>,
): MenuEntry[] {
  return menu.map(({ href, ...entry }) => {
    const children = withOwnPages(entry.children, addressOf, paths);
    if (href === undefined) return { ...entry, children };
    const path = href.startsWith("/") ? addressOf(href) : undefined;
    return path === undefined || !paths.has(path)
      ? { ...entry, href, children }
      : { ...entry, path, children };
  });
}
