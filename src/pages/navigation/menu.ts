/** An entry of the menu that a docs generator makes: a page, an address elsewhere, or a group of others with a label. */
export interface MenuEntry {
  label: string;
  /** The page that it leads to. */
  path?: string;
  /** Where it leads outside of the site. */
  href?: string;
  /** The language or the version of what is in it, where that is one of several: readers of another see the other's menu. */
  language?: string;
  version?: string;
  children: MenuEntry[];
}

/** The menu of one source's pages. */
export interface SourceMenu {
  sourceId: number;
  entries: MenuEntry[];
}
