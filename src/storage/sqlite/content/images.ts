import type { Database } from "bun:sqlite";
import type { KnownImage, StagedPage } from "../../../ingest/stores.ts";
import { type KnownImageRow, toKnownImages } from "../../rows/images.ts";
import { inOneWrite } from "../one-write.ts";

const PRUNED_AT_ONCE = 20;

/** Writes the images of a page, and what it calls them. */
export function createImageStager(database: Database) {
  const keep = database.query(
    "INSERT OR IGNORE INTO images (site_id, hash, type, width, height, content) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const name = database.query(
    `INSERT INTO page_images (page_id, reference, image_id)
     VALUES (?1, ?2, (SELECT id FROM images WHERE site_id = ?3 AND hash = ?4))`,
  );
  return (pageId: number, siteId: number, { images = [] }: StagedPage): void => {
    for (const { reference, image } of images) {
      if (image?.content !== undefined)
        keep.run(siteId, image.hash, image.type, image.width ?? null, image.height ?? null, image.content);
      name.run(pageId, reference, siteId, image?.hash ?? null);
    }
  };
}

/** The images of a source's pages that have not been pruned, by page. */
export function knownImages(database: Database, sourceId: number): Map<number, KnownImage[]> {
  const rows = database
    .query<KnownImageRow, [number]>(
      `SELECT page_images.page_id AS pageId, reference, hash
       FROM pages JOIN page_images ON page_images.page_id = pages.id
       LEFT JOIN images ON images.id = page_images.image_id
       WHERE pages.source_id = ? ORDER BY page_images.page_id, reference`,
    )
    .all(sourceId);
  return toKnownImages(rows);
}

/** Removes some images of a site that no page shows any more; returns how many. */
export function pruneImages(database: Database, siteId: number): number {
  const remove = database.query(
    `DELETE FROM images WHERE id IN (
       SELECT id FROM images WHERE site_id = ? AND NOT EXISTS (SELECT 1 FROM page_images WHERE image_id = images.id)
       LIMIT ?)`,
  );
  return inOneWrite(database, () => remove.run(siteId, PRUNED_AT_ONCE).changes);
}
