import type { MenuEntry } from "../../pages/navigation/menu.ts";
import { folderOf, nameOf } from "../docs-tree.ts";
import type { ZolaContent, ZolaPage } from "./content.ts";

/**
 * The menu of one language, as themes for documentation make it: the pages of a section in the order that it gives them,
 * then its subsections by weight. Sites whose sections have no order have no menu.
 */
export function menuOf({ pages, sections }: ZolaContent, language: string): MenuEntry[] {
  const listed = (all: readonly ZolaPage[]) =>
    Map.groupBy(
      all.filter((page) => page.language === language),
      ({ isSection, folder }) => (isSection ? folderOf(folder) : folder),
    );
  const own = sections.filter((section) => section.language === language);
  if (!own.some(({ data }) => orderOf(data["sort_by"]) !== undefined)) return [];
  const source: MenuSource = {
    pagesIn: listed(pages.filter(({ isSection }) => !isSection)),
    sectionsIn: listed(own.filter(({ folder }) => folder !== "")),
    published: new Set(pages),
  };
  return entriesIn(source, "", own.find(({ folder }) => folder === "")?.data);
}

interface MenuSource {
  /** By the folder of the section that lists them. */
  pagesIn: ReadonlyMap<string, readonly ZolaPage[]>;
  sectionsIn: ReadonlyMap<string, readonly ZolaPage[]>;
  published: ReadonlySet<ZolaPage>;
}

function entriesIn(source: MenuSource, folder: string, data: ZolaPage["data"] | undefined): MenuEntry[] {
  const order = orderOf(data?.["sort_by"]);
  const pages = source.pagesIn.get(folder) ?? [];
  const sections = source.sectionsIn.get(folder) ?? [];
  return [
    ...(order === undefined ? [] : pages.toSorted(order)).map((page) => ({ ...entryOf(page), children: [] })),
    ...sections.toSorted(byWeight).map((section) => ({
      ...(source.published.has(section) ? entryOf(section) : { label: labelOf(section) }),
      children: entriesIn(source, section.folder, section.data),
    })),
  ];
}

const entryOf = (page: ZolaPage) => ({ label: labelOf(page), path: page.path });
const labelOf = ({ title, topic }: ZolaPage) => title ?? nameOf(topic.replace(/\/_?index$/, ""));

type Order = (a: ZolaPage, b: ZolaPage) => number;

const byPath: Order = (a, b) => (a.path < b.path ? -1 : 1);
const byWeight: Order = (a, b) => weightOf(a) - weightOf(b) || byPath(a, b);
const weightOf = ({ data }: ZolaPage) => (typeof data["weight"] === "number" ? data["weight"] : 0);

/** Names are sorted as Zola sorts them, whatever the language: numbers by what they say. */
const names = new Intl.Collator("en", { numeric: true });

function orderOf(sortedBy: unknown): Order | undefined {
  if (sortedBy === "weight") return byWeight;
  if (sortedBy === "title" || sortedBy === "title_bytes")
    return (a, b) => names.compare(a.title ?? "", b.title ?? "") || byPath(a, b);
  return sortedBy === "slug" || sortedBy === "permalink" ? byPath : undefined;
}
