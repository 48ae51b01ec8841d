import type { MenuEntry } from "../../page/menu.ts";
import type { LeftOut } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import { placeTree, type TreeNode } from "../wiki-pages/wiki-pages.ts";
import { isPageFile, type PageFile, readPageFile, type WrittenRight } from "./page-file.ts";
import { HOME, keyOf, namesOf } from "./references.ts";

/** A page of a wiki that is published, without its text. */
export interface WikiPage extends Omit<PageFile, "content"> {
  /** What the page and its translations are known by. */
  key: string;
  path: string;
  /** Where its XML lies. */
  file: string;
  label: string;
}

export interface Wiki {
  /** The language of the pages themselves. */
  language: string;
  pages: WikiPage[];
  /** Pages by what they are known by, without their translations. */
  byKey: ReadonlyMap<string, WikiPage>;
  menu: MenuEntry[];
  leftOut: LeftOut[];
  holdsRestricted: boolean;
}

type Listed = Omit<PageFile, "content"> & { file: string; key: string; label: string; isEmpty: boolean };

const NOT_FOR_ALL = "is not for everyone: the rights of the wiki let only some read it";
/** Spaces whose pages configure the wiki, or are about its users. */
const OF_THE_PROGRAM = new Set([
  "XWiki",
  "Panels",
  "ColorThemes",
  "FlamingoThemes",
  "IconThemes",
  "Scheduler",
  "Stats",
]);
const PREFERENCES = /^(?:WebPreferences|XWikiPreferences|WebSearch|WebRss)$/;
/** What a page with such objects is there for. */
const TECHNICAL =
  /^(?:XWiki\.(?:JavaScriptExtension|StyleSheetExtension|UIExtensionClass|WikiMacroClass|TranslationDocumentClass|ConfigurableClass|TemplateProviderClass|SheetClass|SchedulerJobClass|XWikiUsers|XWikiGroups|XWikiServerClass|XWikiSkins|XWikiPreferences|SearchSuggestConfig|SearchSuggestSourceClass|Mail|ExtensionClass)|Panels\.PanelClass|ColorThemes\.ColorThemeClass|FlamingoThemesCode\.ThemeClass|IconThemesCode\.IconThemeClass)$/;

/** Reads which pages there are below a folder, and where they are published; undefined where none is XWiki's. */
export async function readWiki(
  tree: DocsTree,
  root: string,
  name: (file: string) => string,
): Promise<Wiki | undefined> {
  const found: Listed[] = [];
  const counts = new Map<string, number>();
  const leftOut: LeftOut[] = [];
  const rightsOf: RightsOfPage[] = [];
  let isDamaged = false;
  for (const file of tree.below(root)) {
    const text = file.endsWith(".xml") ? await tree.text(file) : undefined;
    if (text === undefined || !isPageFile(text)) continue;
    const page = await readPageFile(text);
    if (page === undefined)
      leftOut.push({
        location: name(file),
        detail: "is damaged, and left out: who may read it is not known",
      });
    isDamaged ||= page === undefined;
    if (page === undefined) continue;
    const { content, ...rest } = page;
    rightsOf.push(rest);
    const why = whyLeftOut(page);
    if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
    else
      found.push({ ...rest, file, key: keyOf(page), label: labelOf(page), isEmpty: content.trim() === "" });
  }
  if (rightsOf.length === 0 && !isDamaged) return undefined;
  const isForAll = readRights(rightsOf);
  const { readable = [], closed = [] } = Object.groupBy(found, (page) =>
    isForAll(page) ? "readable" : "closed",
  );
  // What a page is to its readers stands on the page itself, and not on its translations.
  const originals = new Set(readable.filter(({ language }) => language === "").map(({ key }) => key));
  const own = readable.filter(({ key }) => originals.has(key));
  if (own.length < readable.length)
    counts.set("are translations of pages that are left out", readable.length - own.length);
  const open = withoutTwice(own, leftOut, name);
  for (const [why, count] of counts)
    leftOut.push({
      location: root === "" ? "." : root,
      detail: `holds pages that ${why}: ${count} left out`,
    });
  for (const { file } of closed)
    leftOut.push({ location: name(file), detail: NOT_FOR_ALL, isRestricted: true });
  return { ...placed(open), leftOut, holdsRestricted: closed.length > 0 || isDamaged };
}

function whyLeftOut(page: PageFile): string | undefined {
  if (page.isHidden) return "are hidden";
  const isOfProgram = OF_THE_PROGRAM.has(page.spaces[0] ?? "") || PREFERENCES.test(page.name);
  const isTechnical = page.definesClass || [...page.classes].some((kind) => TECHNICAL.test(kind));
  if (isOfProgram || isTechnical) return "make the wiki work, and are not for its readers";
  return undefined;
}

/** A title may be a program; then a page is called as its address. */
function labelOf({ title, spaces, name }: PageFile): string {
  if (title !== "" && !/[$#]\{?!?\w|\{\{/.test(title)) return title;
  return name === HOME ? (spaces.at(-1) ?? name) : name;
}

function withoutTwice(
  pages: readonly Listed[],
  leftOut: LeftOut[],
  name: (file: string) => string,
): Listed[] {
  const taken = new Map<string, string>();
  return pages.filter(({ key, language, file }) => {
    const own = `${language} ${key}`;
    const other = taken.get(own);
    if (other !== undefined)
      leftOut.push({ location: name(file), detail: `is the same page as ${name(other)}` });
    else taken.set(own, file);
    return other === undefined;
  });
}

const MAIN = JSON.stringify(["Main"]);

/** Places pages by the spaces that they are in. Translations are below their language. */
function placed(pages: readonly Listed[]): Pick<Wiki, "language" | "pages" | "byKey" | "menu"> {
  const originals = pages.filter(({ language }) => language === "");
  const language =
    commonest(originals.map(({ defaultLanguage }) => defaultLanguage).filter((each) => each !== "")) ?? "en";
  const nodes = new Map<string, TreeNode>();
  for (const page of originals) addNode(nodes, namesOf(page), page);
  const hasBelow = new Set([...nodes.values()].map(({ parent }) => parent));
  for (const { key, isEmpty, files } of originals) {
    const node = nodes.get(key);
    // A page without a word is only a place, where there is nothing below it to list.
    if (node !== undefined && isEmpty && files.length === 0 && !hasBelow.has(key)) nodes.delete(key);
  }
  const home = nodes.get(MAIN)?.isPage === true ? MAIN : undefined;
  const { paths, menu } = placeTree([...nodes.values()], home);
  const placedPages = pages.flatMap((page): WikiPage[] => {
    const path = nodes.get(page.key)?.isPage === true ? paths.get(page.key) : undefined;
    if (path === undefined) return [];
    const own = page.language === "" ? path : `${page.language}/${path}`.replace(/\/$/, "");
    return [{ ...page, path: own }];
  });
  const main = placedPages.filter((page) => page.language === "");
  return { language, pages: placedPages, byKey: new Map(main.map((page) => [page.key, page])), menu };
}

/** A page in the tree, and the spaces above it, which may have no page of their own. */
function addNode(nodes: Map<string, TreeNode>, names: readonly string[], page: Listed | undefined): void {
  const id = JSON.stringify(names);
  const known = nodes.get(id);
  const above = names.slice(0, -1);
  const node = {
    id,
    title: page?.label ?? names.at(-1) ?? "",
    parent: above.length === 0 ? undefined : JSON.stringify(above),
  };
  if (known === undefined || page !== undefined) nodes.set(id, { ...node, isPage: page !== undefined });
  if (known === undefined && above.length > 0) addNode(nodes, above, undefined);
}

function commonest(words: readonly string[]): string | undefined {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** What of a page says who may read it. */
type RightsOfPage = Pick<PageFile, "spaces" | "name" | "rights">;

/** Groups that have everyone in them, or everyone who has signed in: a page for one of them is for all. */
const EVERYONE = /(?:^|[.:])(?:XWikiAllGroup|XWikiGuest)$/;

/**
 * Says which pages everyone may read. A right to read that is given to some is taken from all others; one on the
 * preferences of a space holds for all that is in it.
 */
function readRights(pages: readonly RightsOfPage[]): (page: RightsOfPage) => boolean {
  const closed = new Set<string>();
  for (const page of pages) {
    const isPreferences = page.name === "WebPreferences";
    const isWiki = page.name === "XWikiPreferences";
    if (isClosed(page.rights.filter(({ isForSpace }) => isForSpace)) && (isPreferences || isWiki))
      closed.add(isWiki ? "" : spacesKey(page.spaces));
  }
  return ({ spaces, rights }) =>
    !closed.has("") &&
    !isClosed(rights.filter(({ isForSpace }) => !isForSpace)) &&
    !spaces.some((_, index) => closed.has(spacesKey(spaces.slice(0, index + 1))));
}

const spacesKey = (spaces: readonly string[]) => JSON.stringify(spaces);

function isClosed(rights: readonly WrittenRight[]): boolean {
  const reading = rights.filter(({ levels }) => levels.includes("view"));
  const isDenied = reading.some(({ isAllowed }) => !isAllowed);
  const isOpen = reading.some(({ isAllowed, whom }) => isAllowed && whom.some((name) => EVERYONE.test(name)));
  return reading.length > 0 && (isDenied || !isOpen);
}
