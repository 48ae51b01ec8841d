import { isoTime } from "@docent/kernel/lib/iso-time";

/** A page as its owners see it: hidden ones, too. */
export interface InventoryEntry {
  id: number;
  path: string;
  title: string;
  version: string;
  language: string;
  /** The number of the source that it came from. */
  source: number;
  location: string;
  hidden: boolean;
  passages: number;
  /** When its content last changed. */
  updatedAt: number;
}

/** A passage of a page, in order. */
export interface InventoryPassage {
  id: number;
  headings: string[];
  anchor: string;
  markdown: string;
  text: string;
  tokens: number;
  hasVector: boolean;
}

/** A page with everything the index has of it. */
export interface InventoryPage extends InventoryEntry {
  description: string | undefined;
  tags: string[];
  groups: string[];
  content: InventoryPassage[];
}

/** What became of a place of a source. */
export interface InventoryPlace {
  location: string;
  path: string;
  title: string;
  /** Pages or slides of the document that it was made of. */
  documentPages: number | undefined;
}

/** Which pages are listed. */
interface InventoryPart {
  siteId: number;
  /** Only pages with this in their path or title. Empty: all. */
  query: string;
  /** Only pages of this source. */
  source?: number | undefined;
  /** Only pages after this one. */
  after?: { path: string; id: number } | undefined;
  limit: number;
}

/** The content of a site's index, for the people who maintain it. */
export interface PageInventory {
  /** By path, in the generation that readers see. */
  list(part: InventoryPart): Promise<InventoryEntry[]>;
  /** Every page of a path: its versions and languages. */
  at(siteId: number, path: string): Promise<InventoryPage[]>;
  /** What a source's places are in the generation that readers see; nothing of those that are no pages there. */
  ofPlaces(siteId: number, source: number, paths: readonly string[]): Promise<InventoryPlace[]>;
}

/** A page as the admin API lists it. */
export function inventoryEntryJson(entry: InventoryEntry) {
  const { path, title, version, language, source, location, hidden, passages, updatedAt } = entry;
  return {
    path,
    title,
    version,
    language,
    source,
    location,
    hidden,
    passages,
    updatedAt: isoTime(updatedAt),
  };
}

/** A page with its passages. */
export function inventoryPageJson(page: InventoryPage) {
  const { description, tags, groups, content } = page;
  return {
    ...inventoryEntryJson(page),
    description: description ?? null,
    tags,
    groups,
    content: content.map(({ headings, anchor, markdown, tokens, hasVector }) => ({
      headings,
      anchor,
      markdown,
      tokens,
      hasVector,
    })),
  };
}
