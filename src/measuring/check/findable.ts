import { pageOfLink } from "@docent/sites/ingest/fidelity/fidelity";
import { canonicalPath, type System, sampleOf } from "../eval/question.ts";
import { type CheckedDocs, type CheckedPage, createMenuPaths } from "./checked-docs.ts";
import type { Found } from "./finding.ts";
import { addressOf, unmentioned } from "./mentions.ts";

/** Where most pages are linked to, one that is not was forgotten. Where few are, readers come to them another way. */
const LINKED_SHARE_MIN = 0.8;
const LINKED_PAGES_MIN = 4;

/** A repository's own words about itself, and a page of a template that a program fills in. */
const NO_PAGE_OF_A_MENU = /(?:^|\/)(?:readme|changelog|contributing|license)\.\w+$|\[[^\]]+\]/i;

/** The pages that no menu, no other page and no other file of the folder leads to. */
export async function findOrphans(docs: CheckedDocs, signal: AbortSignal): Promise<Found[]> {
  const { pages, menus, folder } = docs;
  const linked = linkedPaths(docs);
  const isLinked = ({ path, file }: CheckedPage) =>
    path === "" || linked.has(path) || NO_PAGE_OF_A_MENU.test(file);
  if (!menus.hasMenu) {
    const share = pages.filter(isLinked).length / Math.max(1, pages.length);
    if (pages.length < LINKED_PAGES_MIN || share < LINKED_SHARE_MIN) return [];
  }
  const menuPaths = createMenuPaths(menus);
  const isAlone = (page: CheckedPage) =>
    !isLinked(page) && !(menus.hasMenu && menuPaths(page).has(page.path));
  // Of a page that nothing leads to, its translations say nothing more.
  const editions = Map.groupBy(pages, (page) => JSON.stringify([addressOf(page), page.version]));
  const alone = [...editions.values()].flatMap((same) => (same.every(isAlone) ? same.slice(0, 1) : []));
  return (await unmentioned(folder, alone, signal)).map(({ file }) => ({
    rule: "orphan-page",
    file,
    key: "",
    line: 1,
    message: menus.hasMenu
      ? "The page is not in the menu, and no other page links to it. Add it to the menu, link to it, or remove it."
      : "No other page links to the page. Link to it where readers look for it, or remove it.",
  }));
}

/** The paths that links of other pages lead to. */
function linkedPaths({ pages, menus }: Pick<CheckedDocs, "pages" | "menus">): Set<string> {
  const linked = new Set<string>();
  for (const page of pages)
    for (const link of page.links) {
      const target = pageOfLink(link, page, menus);
      if (target !== undefined && target !== page.path) linked.add(target);
    }
  return linked;
}

/** More titles than these are not asked: those that are, are spread evenly over the docs. */
const TITLES_MAX = 500;
/** A title of fewer words, such as "Overview", is no question that one page answers. */
const TITLE_WORDS_MIN = 2;

interface Asking {
  system: System;
  /** Among so many pages the page must be. */
  results: number;
  signal: AbortSignal;
  onProgress(done: number, all: number): void;
}

/** The first page of a folder lists others, which its title finds as well. */
const LIST = /(?:^|\/)_?(?:index|readme)\.\w+$/i;

/** The pages that their own title does not find. A title that another page has too says nothing of either. */
export async function findUnfindable(
  { pages }: CheckedDocs,
  { system, results, signal, onProgress }: Asking,
): Promise<Found[]> {
  const titles = Map.groupBy(pages, ({ title }) => title.toLowerCase());
  const asked = pages.filter(
    ({ title, path, file }) =>
      path !== "" &&
      !LIST.test(file) &&
      titles.get(title.toLowerCase())?.length === 1 &&
      (title.match(/[\p{L}\p{N}]+/gu) ?? []).length >= TITLE_WORDS_MIN,
  );
  const found: Found[] = [];
  const sample = sampleOf(asked, TITLES_MAX);
  for (const [index, { path, title, file, version, language }] of sample.entries()) {
    signal.throwIfAborted();
    onProgress(index, sample.length);
    const first = await pagesFor(system, { text: title, filter: { version, language } });
    if (first.paths.slice(0, results).includes(canonicalPath(path))) continue;
    found.push({
      rule: "title-not-found",
      file,
      key: "",
      line: 1,
      message: `Who asks "${title}" does not find this page among the first ${results}; first comes ${pathShown(first.paths[0])}. Use the words of the title in the page's text, or give it a title that says more.`,
    });
  }
  return found;
}

/** The pages that a question finds, best first, and how relevant the best passage is. */
export async function pagesFor(
  system: System,
  { text, filter }: { text: string; filter: { version?: string | undefined; language?: string | undefined } },
): Promise<{ paths: string[]; relevance: number }> {
  const nothingElse = { id: "", subset: "", pages: new Map(), sections: new Map(), spans: undefined };
  const ranked = await system.rank({ ...nothingElse, text, filter });
  return {
    paths: [...new Set(ranked.map(({ path }) => path))],
    relevance: Math.max(0, ...ranked.map(({ relevance = 0 }) => relevance)),
  };
}

export const pathShown = (path: string | undefined): string => (path === undefined ? "nothing" : `/${path}`);
