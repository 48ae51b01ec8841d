/** What a generator published, recorded from its HTML: what the adapter for it is held against. */
export interface PublishedSite {
  /** With its version: "MkDocs 1.6.1, Material 9.8.1". */
  generator: string;
  pages: PublishedPage[];
  menu: PublishedEntry[];
}

export interface PublishedPage {
  /** Its address below the site's, without slashes around it. */
  path: string;
  title: string;
  /** Those with an id, in order. */
  headings: { id: string; words: string }[];
  /** To pages of the site: the path with its anchor. Distinct and sorted. */
  links: string[];
  /** Places that links of the site lead to and that are no headings: a cell, a term, a parameter. Sorted. */
  places?: string[];
  /** What it says, a line for each block: kept in a file of its own. */
  lines?: string[];
}

export interface PublishedEntry {
  label: string;
  path?: string;
  children: PublishedEntry[];
}
