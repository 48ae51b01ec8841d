import type { Audience } from "./audience.ts";

/** An image that a page shows. */
export interface PageImage {
  /** SHA-256 of its content, by which it is asked for. */
  hash: string;
  /** Its media type: `image/png`. */
  type: string;
  /** In pixels, where it says so. */
  width: number | undefined;
  height: number | undefined;
}

/**
 * What a page calls the document that it was made of, which is kept with its images: as they do, it comes and goes with the
 * page. No image is called so.
 */
export const ORIGINAL = "original:";

/** Reads the images of the pages that readers see. */
export interface ImageStore {
  /** The images of a page, by what its Markdown calls them. */
  ofPage(pageId: number): Promise<Map<string, PageImage>>;
  /** What an image holds; undefined where no page that is for whoever asks shows it. */
  find(
    siteId: number,
    hash: string,
    audience: Audience,
  ): Promise<{ type: string; content: Uint8Array } | undefined>;
}
