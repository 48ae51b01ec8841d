import type { MenuEntry } from "../../page/menu.ts";
import { menuOfTree, pathsIn } from "../wiki-writing/wiki-writing.ts";
import type { DumpPage } from "./dump.ts";
import type { PageContext } from "./page.ts";
import type { Title } from "./titles.ts";

/** A page with its title, apart from its namespace, and its path. */
interface MenuPage {
  page: DumpPage;
  title: Title;
  path: string;
}

/** The menu that the wiki's owners made, and below it all other pages as a tree of their titles. */
export function readMenu(context: PageContext, pages: readonly MenuPage[]): MenuEntry[] {
  const { titles, byKey, pathOf } = context;
  const main = pages.find(({ path }) => path === "");
  return menuOfWiki({
    main: main === undefined ? undefined : { label: main.title.name, path: "" },
    sidebar: byKey.get(titles.read("MediaWiki:Sidebar").key)?.text ?? "",
    pathOf: (title) => pathOf(titles.read(title))?.split("#", 1)[0],
    pages: pages.map(({ title, path }) => {
      const space = title.namespace === 0 ? [] : [titles.nameOf(title.namespace)];
      return { titles: [...space, ...namesIn(title.name)], path };
    }),
  });
}

/** Pages below another one are called after it. */
export const namesIn = (title: string) => title.split("/").filter((part) => part.trim() !== "");

interface WikiMenu {
  main: { label: string; path: string } | undefined;
  /** What the wiki's page MediaWiki:Sidebar says. */
  sidebar: string;
  /** The path of the page with a title. */
  pathOf(title: string): string | undefined;
  pages: readonly { titles: readonly string[]; path: string }[];
}

export function menuOfWiki({ main, sidebar, pathOf, pages }: WikiMenu): MenuEntry[] {
  const first = main === undefined ? [] : [{ ...main, children: [] }];
  const tree = menuOfTree(
    pages
      .filter(({ path }) => path !== main?.path)
      .map(({ titles, path }) => ({ titles, label: titles.at(-1) ?? path, path })),
  );
  const byPath = new Map(tree.map((entry) => [entry.path, entry]));
  const made = sidebarEntries(sidebar, {
    pathOf: (title) => (pathOf(title) === main?.path ? undefined : pathOf(title)),
    childrenOf: (path) => byPath.get(path)?.children ?? [],
  });
  const named = pathsIn(made);
  return [...first, ...made, ...tree.filter(({ path }) => path === undefined || !named.has(path))];
}

const ENTRIES_MAX = 500;

/** `* heading`, and below it `** page|label`. Entries of the program's own lead to no page of the wiki. */
function sidebarEntries(
  text: string,
  { pathOf, childrenOf }: Pick<WikiMenu, "pathOf"> & { childrenOf(path: string): MenuEntry[] },
): MenuEntry[] {
  const groups: MenuEntry[] = [];
  for (const line of text.split("\n").slice(0, ENTRIES_MAX)) {
    const [, signs = "", said = ""] = /^(\*{1,2})\s*(.|.+?(?<!\s))\s*$/.exec(line) ?? [];
    if (signs === "*" && !said.includes("|")) groups.push({ label: said, children: [] });
    if (signs !== "**") continue;
    const [place = "", label = place] = said.split("|");
    const path = /^(?:https?:)?\/\//.test(place) ? undefined : pathOf(place);
    if (path !== undefined)
      groups.at(-1)?.children.push({ label: label.trim(), path, children: childrenOf(path) });
  }
  return groups.filter(({ children }) => children.length > 0);
}
