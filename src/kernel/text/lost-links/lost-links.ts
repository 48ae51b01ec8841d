/** How many links lead from one page of some docs to another, or to a place on it. */
export interface LinkCounts {
  links: number;
  /** How many of them lead nowhere. */
  lost: number;
}

// Of seven sites that were read as they are published, authors' own mistakes were 0 to 6 links in a hundred; of three that
// were not, 11 to 80 led nowhere.
const LOST_SHARE = 0.08;
const LOST_MIN = 5;

/** Pages of a source that is published somewhere, and how many of them were found there. */
export interface PublishedCounts {
  pages: number;
  found: number;
}

/** Pages that have the addresses and ids of the published site are like it, wherever their links lead. */
const FOUND_SHARE = 0.9;

export const isAsPublished = ({ pages, found }: PublishedCounts): boolean =>
  found > 0 && found >= FOUND_SHARE * pages;

/** Whether so many links lead nowhere that pages have other addresses, or headings other ids, than the docs have where they are published. */
export const looksUnlike = ({ links, lost }: LinkCounts): boolean =>
  lost >= LOST_MIN && lost >= LOST_SHARE * links;
