import type { Skipped } from "@docent/reading/source-reader";
import type { ImageFacts } from "../images/images.ts";

/** What an image is, and what it is called. */
export type Shown = ImageFacts & { hash: string };

/** What a run knows of the images that its source's pages show. */
export interface ImageShelf {
  /** How many bytes all of them may have; 0: none are kept. */
  bytesMax: number;
  bytes: number;
  byLocation: Map<string, Shown | undefined>;
  /** Images that are not shown, until that is noted. */
  unshown: Skipped[];
  /** Hashes of those that are counted, and of those whose content was handed over to be stored. */
  counted: Set<string>;
  staged: Set<string>;
}

export const emptyShelf = (bytesMax: number): ImageShelf => ({
  bytesMax,
  bytes: 0,
  byLocation: new Map(),
  unshown: [],
  counted: new Set(),
  staged: new Set(),
});
