import type { KnownImage, StagedPage } from "../../../ingest/stores.ts";
import { type KnownImageRow, toKnownImages } from "../../rows/images.ts";
import type { Database, Queries } from "../database/database.ts";

const PRUNED_AT_ONCE = 20;

const KEEP = `
  INSERT INTO images (site_id, hash, type, width, height, content)
  VALUES ($siteId, $hash, $type, $width, $height, $content) ON CONFLICT DO NOTHING`;
/** Locks the image: nobody prunes it meanwhile. Names that differ in what cannot be stored are one. */
const NAME = `
  INSERT INTO page_images (page_id, reference, image_id)
  VALUES ($pageId, $reference, (SELECT id FROM images WHERE site_id = $siteId AND hash = $hash FOR KEY SHARE))
  ON CONFLICT DO NOTHING`;
const KNOWN = `
  SELECT page_images.page_id, reference, hash
  FROM pages JOIN page_images ON page_images.page_id = pages.id LEFT JOIN images ON images.id = page_images.image_id
  WHERE pages.source_id = $sourceId ORDER BY page_images.page_id, reference`;
const IS_UNNAMED = "NOT EXISTS (SELECT 1 FROM page_images WHERE image_id = images.id)";
const UNNAMED = `
  SELECT id FROM images WHERE site_id = $siteId AND ${IS_UNNAMED}
  ORDER BY id LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED`;
/** Looked at again once nobody can name them any more: a run may have done so before they were locked. */
const PRUNE = `DELETE FROM images WHERE id = ANY($ids::int[]) AND ${IS_UNNAMED}`;

/** Writes the images of a page, and what it calls them. */
export async function stageImages(
  write: Queries,
  { pageId, siteId, page: { images = [] } }: { pageId: number; siteId: number; page: StagedPage },
): Promise<void> {
  for (const { reference, image } of images) {
    if (image?.content !== undefined) {
      const { hash, type, width = null, height = null, content } = image;
      await write.run(KEEP, { siteId, hash, type, width, height, content });
    }
    await write.run(NAME, { pageId, reference, siteId, hash: image?.hash ?? null });
  }
}

/** The images of a source's pages that have not been pruned, by page. */
export async function knownImages(queries: Queries, sourceId: number): Promise<Map<number, KnownImage[]>> {
  return toKnownImages(await queries.all<KnownImageRow>(KNOWN, { sourceId }));
}

/** Removes some images of a site that no page shows any more; returns how many it has looked at. */
export const pruneImages = (database: Database, siteId: number): Promise<number> =>
  database.inOneWrite(async (write) => {
    const ids = (await write.all<{ id: number }>(UNNAMED, { siteId })).map(({ id }) => id);
    await write.run(PRUNE, { ids });
    return ids.length;
  });
