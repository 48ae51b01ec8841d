/** An entry of the menu that a docs generator makes: a page, an address elsewhere, or a group of others with a label. */
export interface MenuEntry {
  label: string;
  /** The page that it leads to. */
  path?: string;
  /** Where it leads outside of the site. */
  href?: string;
  children: MenuEntry[];
}

/** The menu of one source's pages. */
export interface SourceMenu {
  sourceId: number;
  entries: MenuEntry[];
}
