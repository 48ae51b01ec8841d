import type { KnownImage } from "@docent/sites/ingest/stores";
import type { PageImage } from "@docent/sites/pages/images";

/** An image, as a page calls it. */
export interface ImageRow {
  reference: string;
  hash: string;
  type: string;
  width: number | null;
  height: number | null;
}

/** The images of a page, by what it calls them. */
export const toPageImages = (rows: readonly ImageRow[]): Map<string, PageImage> =>
  new Map(
    rows.map(({ reference, hash, type, width, height }) => [
      reference,
      { hash, type, width: width ?? undefined, height: height ?? undefined },
    ]),
  );

/** An image that a run knows, with its page. */
export interface KnownImageRow {
  pageId: number;
  reference: string;
  hash: string | null;
}

/** The images that a run knows, by page. */
export function toKnownImages(rows: readonly KnownImageRow[]): Map<number, KnownImage[]> {
  const known = new Map<number, KnownImage[]>();
  for (const { pageId, reference, hash } of rows) {
    const images = known.get(pageId) ?? [];
    images.push({ reference, hash: hash ?? undefined });
    known.set(pageId, images);
  }
  return known;
}
