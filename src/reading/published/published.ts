import type { PublishedIds } from "../markdown/published-ids/published-ids.ts";

export type { PublishedHeading, PublishedIds } from "../markdown/published-ids/published-ids.ts";
export { idsIn } from "./ids-in.ts";
export { pairByPath, pairByWords, type UnpairedPage } from "./pair-pages.ts";

/** A page as its site publishes it. */
export interface PublishedPage extends PublishedIds {
  /** As the paths of pages are: below the site's address, with the ending that it is published with. */
  path: string;
  title: string;
}
