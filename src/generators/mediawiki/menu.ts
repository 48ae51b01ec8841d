import type { MenuEntry } from "../docs-site.ts";
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
  const { titles, byKey } = context;
  const main = pages.find(({ path }) => path === "");
  const first = main === undefined ? [] : [{ label: main.title.name, path: "", children: [] }];
  const sidebar = byKey.get(titles.read("MediaWiki:Sidebar").key)?.text ?? "";
  const tree = menuOfTree(
    pages
      .filter(({ path }) => path !== "")
      .map(({ title, path }) => {
        const space = title.namespace === 0 ? [] : [titles.nameOf(title.namespace)];
        const names = title.name.split("/").filter((part) => part.trim() !== "");
        return { titles: [...space, ...names], label: names.at(-1) ?? title.name, path };
      }),
  );
  const byPath = new Map(tree.map((entry) => [entry.path, entry]));
  const made = sidebarEntries(context, sidebar, (path) => byPath.get(path)?.children ?? []);
  const named = pathsIn(made);
  return [...first, ...made, ...tree.filter(({ path }) => path === undefined || !named.has(path))];
}

const ENTRIES_MAX = 500;

/** `* heading`, and below it `** page|label`. Entries of the program's own lead to no page of the dump. */
function sidebarEntries(
  { titles, pathOf }: PageContext,
  text: string,
  childrenOf: (path: string) => MenuEntry[],
): MenuEntry[] {
  const groups: MenuEntry[] = [];
  for (const line of text.split("\n").slice(0, ENTRIES_MAX)) {
    const [, signs = "", said = ""] = /^(\*{1,2})\s*(.+?)\s*$/.exec(line) ?? [];
    if (signs === "*" && !said.includes("|")) groups.push({ label: said, children: [] });
    if (signs !== "**") continue;
    const [place = "", label = place] = said.split("|");
    const path = /^(?:https?:)?\/\//.test(place) ? undefined : pathOf(titles.read(place))?.split("#", 1)[0];
    if (path !== undefined && path !== "")
      groups.at(-1)?.children.push({ label: label.trim(), path, children: childrenOf(path) });
  }
  return groups.filter(({ children }) => children.length > 0);
}
