import type { Database } from "bun:sqlite";
import type { KnownImage, StagedPage } from "../../../ingest/stores.ts";
import type { ImageStore } from "../../../pages/images.ts";
import { type ImageRow, type KnownImageRow, toKnownImages, toPageImages } from "../../rows/images.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { audienceParameter, isForAudience } from "../audience.ts";
import { inOneWrite } from "../one-write.ts";
import { prepareGeneration } from "../visible-generation.ts";

const PRUNED_AT_ONCE = 20;

const OF_PAGE = `
  SELECT reference, hash, type, width, height
  FROM page_images JOIN images ON images.id = page_images.image_id
  WHERE page_images.page_id = $pageId`;

const FIND = `
  SELECT type, content FROM images
  WHERE images.site_id = $siteId AND images.hash = $hash AND EXISTS (
    SELECT 1 FROM page_images JOIN pages ON pages.id = page_images.page_id ${visibleJoins("pages")}
    WHERE page_images.image_id = images.id AND pages.kind = 'page' AND pages.hidden = 0 AND ${visibleWhere("pages")}
      AND ${isForAudience("pages")})`;

export function createImageStore(database: Database): ImageStore {
  const ofPage = database.query<ImageRow, { pageId: number }>(OF_PAGE);
  const find = database.query<
    { type: string; content: Uint8Array },
    { siteId: number; hash: string; generation: number; audience: string | null }
  >(FIND);
  const visible = prepareGeneration(database);
  return {
    async ofPage(pageId) {
      return toPageImages(ofPage.all({ pageId }));
    },
    async find(siteId, hash, audience) {
      const asked = { siteId, hash, generation: visible(siteId), audience: audienceParameter(audience) };
      return find.get(asked) ?? undefined;
    },
  };
}

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
