import { numberInName } from "./place.ts";

/** A page, a folder, or both: a folder's index page belongs to the folder's node. */
export interface NavigationNode {
  path: string;
  /** The name in the menu. */
  title: string;
  /** Whether a page is at that path. A folder without one only groups what is below it. */
  isPage: boolean;
  /** Where a menu leads out of the site: there is no page then. */
  href?: string;
  position: number | undefined;
  /** In menu order. */
  children: NavigationNode[];
  /** The number of pages in it and below. */
  pages: number;
}

export const emptyNode = (path: string, title: string): NavigationNode => ({
  path,
  title,
  isPage: false,
  position: numberInName(path),
  children: [],
  pages: 0,
});
