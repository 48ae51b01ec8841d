import { asRecord, asText } from "@docent/kernel/text/json";
import { createSlugger } from "../../markdown/anchors.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { knownIn } from "../config/config.ts";
import type { DocsPage, ReadDocsPage } from "../docs-site.ts";
import { joinLocation } from "../docs-tree.ts";

/** What a configuration says of an entry, besides what is in the menu. */
export interface CategorySaid {
  description: string | undefined;
  /** The page that is made of the category; undefined where none is. */
  generated: GeneratedLink | undefined;
}

/** A page that lists what is in a category. */
interface GeneratedLink {
  /** The file that asks for it. */
  location: string;
  /** What its address is made from: its label in the main language. */
  label: string;
  slug: string | undefined;
  title: string | undefined;
  description: string | undefined;
}

/** A page that Docusaurus makes of a category. */
export interface GeneratedIndex extends DocsPage {
  read: ReadDocsPage;
}

/** What a category says of itself: in a list of entries, or in the file of its folder. */
export function categorySaid(
  category: Readonly<Record<string, unknown>>,
  { label, location }: { label: string; location: string },
): CategorySaid {
  const link = asRecord(knownIn(category["link"]));
  const text = (name: string) => asText(knownIn(link[name]));
  const generated =
    link["type"] === "generated-index"
      ? { location, label, slug: text("slug"), title: text("title"), description: text("description") }
      : undefined;
  return { description: asText(knownIn(category["description"])), generated };
}

interface Menu {
  name: string;
  entries: MenuEntry[];
}

interface Publishing {
  /** What addresses begin with. */
  base: string;
  /** Whether they are in the main language. */
  isMain: boolean;
  said: ReadonlyMap<MenuEntry, CategorySaid>;
  /** What pages say of themselves, by their paths. */
  descriptions: ReadonlyMap<string, string | undefined>;
}

/** Gives categories the addresses of the pages that are made of them. Those in which nothing is are left out. */
export function publishCategories(
  menus: readonly Menu[],
  { base, isMain, said, descriptions }: Publishing,
): { menus: Menu[]; indexes: GeneratedIndex[] } {
  const slugger = createSlugger("github");
  const byPath = new Map<string, GeneratedIndex>();
  const locations = new Set<string>();
  const descriptionOf = new Map<MenuEntry, string>();

  const entryOf = (entry: MenuEntry): MenuEntry[] => {
    const link = said.get(entry)?.generated;
    // The address of a category comes before those of what is in it.
    const slug = link && (link.slug ?? `/category/${slugger.unique(link.label)}`);
    const children = entry.children.flatMap(entryOf);
    if (said.has(entry) && children.length === 0 && entry.path === undefined) return [];
    const path = slug === undefined ? entry.path : joinLocation(base, slug.replace(/^\/+|\/+$/g, ""));
    const made = { ...entry, ...(path === undefined ? {} : { path }), children };
    const description =
      said.get(entry)?.description ?? (path === undefined ? undefined : descriptions.get(path));
    if (description !== undefined) descriptionOf.set(made, description);
    if (link !== undefined && path !== undefined && !byPath.has(path)) {
      const isFirst = isMain && !locations.has(link.location);
      const location = isFirst ? link.location : `${link.location}#/${path}`;
      locations.add(location);
      byPath.set(path, {
        location,
        path,
        read: pageOf({ ...link, title: link.title ?? entry.label }, children),
      });
    }
    return [made];
  };
  const pageOf = (link: GeneratedLink & { title: string }, children: readonly MenuEntry[]): ReadDocsPage => ({
    data: { title: link.title, ...(link.description === undefined ? {} : { description: link.description }) },
    markdown: [
      `# ${escaped(link.title)} {#}`,
      escaped(link.description ?? ""),
      children.flatMap(cardOf).join("\n"),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    faults: [],
  });
  const cardOf = (entry: MenuEntry): string[] => {
    const href = hrefOf(entry);
    if (href === undefined) return [];
    const description = descriptionOf.get(entry);
    return [
      `- [${escaped(entry.label)}](<${href}>)${description === undefined ? "" : `: ${escaped(description)}`}`,
    ];
  };
  return {
    menus: menus.map(({ name, entries }) => ({ name, entries: entries.flatMap(entryOf) })),
    indexes: [...byPath.values()],
  };
}

const escaped = (words: string) => words.replace(/[\\`*_[\]<>]/g, "\\$&");

/** Where an entry leads: a category without a page, to the first one in it. */
function hrefOf({ path, href, children }: MenuEntry): string | undefined {
  if (path !== undefined) return `/${path}`;
  if (href !== undefined) return href;
  for (const child of children) {
    const found = hrefOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
