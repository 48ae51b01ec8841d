import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { isComputed, knownIn } from "../config/config.ts";
import { joinLocation } from "../docs-tree.ts";
import { folderOfLocale, type StarlightPage } from "./pages.ts";
import type { StarlightLocale, StarlightSettings } from "./settings.ts";

/** What the menu of one language is made from. */
interface MenuSource {
  locale: StarlightLocale;
  /** Its pages, and those of the main language that nobody has translated, where the translations would stand. */
  pages: readonly StarlightPage[];
  byId: ReadonlyMap<string, StarlightPage>;
  /** What may still go into it: a few lines of a script can repeat an entry without end. */
  left: { entries: number };
}

const ENTRIES_MAX = 50_000;

const DEEP_MAX = 20;

/** The menu; of several languages one below each one's name. */
export function readMenus(settings: StarlightSettings, pages: readonly StarlightPage[]): MenuEntry[] {
  const byFolder = Map.groupBy(pages, ({ id }) => folderOfLocale(settings, id));
  const main = settings.locales[0]?.folder ?? "";
  const sidebar = settings.sidebar?.map((item) => knownIn(item)).filter((item) => isKnown(item));
  askForRest(settings, sidebar);
  const menus = settings.locales.flatMap((locale) => {
    const own = byFolder.get(locale.folder) ?? [];
    if (own.length === 0) return [];
    const shown = withUntranslated(own, byFolder.get(main) ?? [], main, locale.folder);
    const source = {
      locale,
      pages: shown,
      byId: new Map(shown.map((page) => [page.id, page])),
      left: { entries: ENTRIES_MAX },
    };
    const children =
      sidebar === undefined || sidebar.length === 0
        ? entriesOfFolder(source, "")
        : sidebar.flatMap((item) => entriesOf(source, item, 0));
    const { label, language } = locale;
    return children.length === 0 ? [] : [{ label, language, children }];
  });
  const [only] = menus;
  return menus.length === 1 && only !== undefined ? only.children : menus;
}

const isKnown = (item: unknown) =>
  typeof item === "string" || (isRecord(item) && !isComputed(item) && !("call" in item));

function askForRest({ sidebar, unknowns }: StarlightSettings, known: readonly unknown[] | undefined): void {
  if (sidebar === undefined || known === undefined || known.length === sidebar.length) return;
  const other = sidebar.find((item) => !isKnown(knownIn(item)));
  const code = isComputed(other) ? other.source : `${asText(asRecord(other)["call"]) ?? "code"}(…)`;
  unknowns.push({
    question: `What else is in the menu? The configuration computes it: ${code}`,
    guess: known.length === 0 ? "the order of the folders" : "nothing",
  });
}

/** Pages of a language, and those of the main one in the places of such as are missing. */
function withUntranslated(
  own: readonly StarlightPage[],
  main: readonly StarlightPage[],
  mainFolder: string,
  folder: string,
): StarlightPage[] {
  if (folder === mainFolder) return [...own];
  const known = new Set(own.map(({ id }) => id));
  const moved = (place: string) =>
    joinLocation(folder, mainFolder === "" ? place : place.slice(mainFolder.length + 1));
  const missing = main.flatMap((page) => {
    const id = moved(page.id);
    return known.has(id) ? [] : [{ ...page, id, below: moved(page.below) }];
  });
  return [...own, ...missing];
}

function entriesOf(source: MenuSource, given: unknown, depth: number): MenuEntry[] {
  if (depth > DEEP_MAX || source.left.entries-- <= 0) return [];
  const item = knownIn(given);
  if (typeof item === "string") return entryOfPage(source, item, {});
  const record = asRecord(item);
  const slug = asText(knownIn(record["slug"]));
  const generated = asRecord(knownIn(record["autogenerate"]));
  const folder = asText(generated["directory"]);
  const items = knownIn(record["items"]);
  const label = labelIn(source, record);
  if (slug !== undefined) return entryOfPage(source, slug, record);
  const children =
    folder !== undefined
      ? entriesOfFolder(source, folder.replace(/^\/+|\/+$/g, ""))
      : asList(items).flatMap((each) => entriesOf(source, each, depth + 1));
  if (label === undefined) return children;
  if (folder !== undefined || Array.isArray(items)) return children.length > 0 ? [{ label, children }] : [];
  return entryOfLink(source, label, asText(knownIn(record["link"])) ?? "");
}

function labelIn({ locale }: MenuSource, record: Readonly<Record<string, unknown>>): string | undefined {
  const translations = asRecord(knownIn(record["translations"]));
  return asText(knownIn(translations[locale.language])) ?? asText(knownIn(record["label"]));
}

function entryOfPage(
  source: MenuSource,
  slug: string,
  record: Readonly<Record<string, unknown>>,
): MenuEntry[] {
  const own = slug === "index" ? "" : slug.replace(/^\/+|\/+$/g, "");
  const page = source.byId.get(joinLocation(source.locale.folder, own));
  return page === undefined ? [] : [entryOf(page, labelIn(source, record))];
}

const entryOf = (page: StarlightPage, label?: string): MenuEntry => ({
  label: label ?? page.menuLabel ?? page.title,
  path: page.path,
  children: [],
});

function entryOfLink({ byId, locale }: MenuSource, label: string, link: string): MenuEntry[] {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(link)) return [{ label, href: link, children: [] }];
  const id = link
    .replace(/[?#].*$/, "")
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.html$/, "");
  const page = byId.get(joinLocation(locale.folder, id));
  return [{ label, ...(page === undefined ? {} : { path: page.path }), children: [] }];
}

/** A folder of a menu that is made of the folders. */
interface Folder {
  /** Where it is below the pages' folder. */
  place: string;
  inside: Map<string, Folder | StarlightPage>;
}

const isFolder = (node: Folder | StarlightPage): node is Folder => "inside" in node;

/** The pages of a folder by their order, and then by their ids. */
function entriesOfFolder({ pages, locale, left }: MenuSource, folder: string): MenuEntry[] {
  const place = joinLocation(locale.folder, folder);
  const tree: Folder = { place, inside: new Map() };
  const inside = pages
    .filter(({ below, isHiddenInMenu }) => {
      const stem = stemOf(below);
      return !isHiddenInMenu && (place === "" || stem === place || stem.startsWith(`${place}/`));
    })
    .toSorted((a, b) => b.below.split("/").length - a.below.split("/").length);
  left.entries -= inside.length;
  if (left.entries < 0) return [];
  for (const page of inside) put(tree, page, stemOf(page.below));
  return entriesIn(tree);
}

const stemOf = (below: string) => below.replace(/\.[^./]+$/, "");

function put(tree: Folder, page: StarlightPage, stem: string): void {
  const names =
    stem === tree.place ? [] : stem.slice(tree.place === "" ? 0 : tree.place.length + 1).split("/");
  let folder = tree;
  for (const name of names.slice(0, -1)) {
    const known = folder.inside.get(name);
    const next: Folder =
      known !== undefined && isFolder(known)
        ? known
        : { place: joinLocation(folder.place, name), inside: new Map() };
    folder.inside.set(name, next);
    folder = next;
  }
  const last = names.at(-1);
  if (last === undefined) return;
  const same = folder.inside.get(last);
  // A page that is called like a folder beside it stands in that.
  if (same !== undefined && isFolder(same)) same.inside.set("index", page);
  else folder.inside.set(last, page);
}

function entriesIn({ inside }: Folder): MenuEntry[] {
  const collator = new Intl.Collator("en");
  const idOf = (node: Folder | StarlightPage) => (isFolder(node) ? node.place : node.id);
  return [...inside]
    .toSorted(([, a], [, b]) => {
      const [first, second] = [orderOf(a), orderOf(b)];
      return first === second ? collator.compare(idOf(a), idOf(b)) : first < second ? -1 : 1;
    })
    .map(([name, node]) => (isFolder(node) ? { label: name, children: entriesIn(node) } : entryOf(node)));
}

function orderOf(node: Folder | StarlightPage): number {
  if (!isFolder(node)) return node.menuOrder ?? Number.MAX_VALUE;
  return Math.min(...[...node.inside.values()].map(orderOf));
}
