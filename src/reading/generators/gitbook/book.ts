import type { MenuEntry } from "../../page/menu.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { type LinkListEntry, readLinkList } from "../writing/writing.ts";
import type { BookSettings } from "./settings.ts";

/** A page that a book lists. */
export interface BookPage {
  location: string;
  path: string;
  /** Its label in the menu, which is its title. */
  label: string;
}

export interface Book {
  settings: BookSettings;
  /** By their locations. */
  pages: ReadonlyMap<string, BookPage>;
  menu: MenuEntry[];
  leftOut: LeftOut[];
}

interface Listing {
  tree: DocsTree;
  settings: BookSettings;
  pages: Map<string, BookPage>;
  byPath: Map<string, BookPage>;
  /** By their locations. */
  leftOut: Map<string, LeftOut>;
}

const PAGE = /\.(?:md|markdown|mdown)$/i;

/** The pages that a book's list names; undefined where it has none. */
export async function readBook(tree: DocsTree, settings: BookSettings): Promise<Book | undefined> {
  const listing: Listing = { tree, settings, pages: new Map(), byPath: new Map(), leftOut: new Map() };
  const place = joinLocation(settings.folder, settings.summary);
  const summary = await tree.text(place);
  if (summary === undefined) return undefined;
  const menu = inParts(readLinkList(summary, { hasRules: true }), listing);
  const home = joinLocation(settings.folder, settings.readme);
  if (tree.has(home) && !listing.pages.has(home)) {
    const first = menu[0];
    const entry = entryOf(
      { kind: "item", label: "Introduction", href: settings.readme, children: [] },
      listing,
    );
    const part = first !== undefined && first.path === undefined && summary.trimStart().startsWith("## ");
    (part ? first.children : menu).unshift(entry);
  }
  if (settings.isHonKit) await addGlossary(listing);
  const others = tree.below(settings.folder).filter((location) => PAGE.test(location));
  return {
    settings,
    pages: listing.pages,
    menu,
    leftOut: [...listing.leftOut.values(), ...unlisted(others, listing, place)],
  };
}

/** A title begins a group of what follows it, as far as the next title or line. */
function inParts(list: readonly LinkListEntry[], listing: Listing): MenuEntry[] {
  const menu: MenuEntry[] = [];
  let part = menu;
  for (const [index, entry] of list.entries()) {
    if (entry.kind === "rule") part = menu;
    else if (entry.kind === "item") part.push(entryOf(entry, listing));
    else if (index > 0) {
      part = [];
      menu.push({ label: entry.label, children: part });
    }
  }
  return menu;
}

function entryOf({ label, href = "", children }: LinkListEntry, listing: Listing): MenuEntry {
  const isElsewhere = /^[a-z][a-z+.-]*:/i.test(href);
  const page = isElsewhere || href === "" ? undefined : pageOf(label, href, listing);
  return {
    label,
    ...(page === undefined ? {} : { path: page.path }),
    ...(isElsewhere ? { href } : {}),
    children: children.map((child) => entryOf(child, listing)),
  };
}

function pageOf(label: string, href: string, listing: Listing): BookPage | undefined {
  const { tree, settings, pages, byPath } = listing;
  const leaveOut = (location: string, detail: string) => {
    listing.leftOut.set(location, { location, detail });
    return undefined;
  };
  const location = resolveLocation(settings.folder, `./${href.replace(/#.*$/, "")}`);
  if (location === undefined) return undefined;
  const known = pages.get(location);
  if (known !== undefined) return known;
  if (!tree.has(location))
    return leaveOut(location, `is listed in ${settings.summary}, and is not in this source`);
  if (!PAGE.test(location)) return leaveOut(location, "is no Markdown");
  const path = addressOf(below(settings, location), settings);
  const taken = byPath.get(path);
  if (taken !== undefined) return leaveOut(location, `has the address of ${taken.location}`);
  const page = { location, path, label };
  pages.set(location, page);
  byPath.set(path, page);
  return page;
}

/** A location from the folder of the pages. */
export const below = ({ folder }: BookSettings, location: string) =>
  folder === "" ? location : location.slice(folder.length + 1);

/** The published address of a file below the folder of the pages. GitBook's host writes it in small letters. */
export function addressOf(file: string, { isHonKit, readme }: BookSettings): string {
  const stem = stemOf(nameOf(file));
  const isIndex = stem === "README" || file === readme;
  if (isHonKit) return isIndex ? folderOf(file) : joinLocation(folderOf(file), `${stem}.html`);
  const path = isIndex ? folderOf(file) : joinLocation(folderOf(file), stem);
  return path.toLowerCase().replace(/\s+/g, "-");
}

async function addGlossary({ tree, settings, pages }: Listing): Promise<void> {
  const location = joinLocation(settings.folder, "GLOSSARY.md");
  if (tree.has(location) && !pages.has(location))
    pages.set(location, { location, path: "GLOSSARY.html", label: "Glossary" });
}

function unlisted(files: readonly string[], { pages, settings }: Listing, summary: string): LeftOut[] {
  return files.flatMap((location) => {
    if (pages.has(location)) return [];
    if (location === summary) return [{ location, detail: "is the menu" }];
    const isPart = /(?:^|\/)\.gitbook\//.test(location);
    const detail = isPart ? "is part of other pages" : `is not listed in ${settings.summary}`;
    return [{ location, detail }];
  });
}
