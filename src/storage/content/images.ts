import type { KnownImage, StagedPage } from "@docent/sites/ingest/stores";
import type { ImageStore, PageImage } from "@docent/sites/pages/images";
import { audienceValue, isForAudience } from "../audience.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import { all, run, type Sql, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import { generationOf } from "../visible-generation.ts";

const OF_PAGE = statement<ImageRow>(`
  SELECT reference, hash, type, width, height FROM page_images JOIN images ON images.id = page_images.image_id
  WHERE page_images.page_id = $pageId ORDER BY reference`);
const FIND = statement<{ type: string; content: Uint8Array }>(
  (d) => `
  SELECT type, content FROM images
  WHERE images.site_id = $siteId AND images.hash = $hash AND EXISTS (
    SELECT 1 FROM page_images JOIN pages ON pages.id = page_images.page_id ${visibleJoins("pages")}
    WHERE page_images.image_id = images.id AND pages.kind = 'page' AND NOT pages.hidden AND ${visibleWhere("pages")}
      AND ${isForAudience(d, "pages")})`,
);

const PRUNED_AT_ONCE = 20;
const KEEP = statement(`
  INSERT INTO images (site_id, hash, type, width, height, content)
  VALUES ($siteId, $hash, $type, $width, $height, $content) ON CONFLICT DO NOTHING`);
/** Locks the image: nobody prunes it meanwhile. Names that differ in what cannot be stored are one. */
const NAME = statement(
  ({ onPostgres }) => `
  INSERT INTO page_images (page_id, reference, image_id)
  VALUES ($pageId, $reference, (SELECT id FROM images WHERE site_id = $siteId AND hash = $hash ${onPostgres("FOR KEY SHARE")}))
  ON CONFLICT DO NOTHING`,
);
const KNOWN = statement<KnownImageRow>(`
  SELECT page_images.page_id AS "pageId", reference, hash
  FROM pages JOIN page_images ON page_images.page_id = pages.id LEFT JOIN images ON images.id = page_images.image_id
  WHERE pages.source_id = $sourceId ORDER BY page_images.page_id, reference`);
const IS_UNNAMED = "NOT EXISTS (SELECT 1 FROM page_images WHERE image_id = images.id)";
const UNNAMED = statement<{ id: number }>(
  ({ onPostgres }) => `
  SELECT id FROM images WHERE site_id = $siteId AND ${IS_UNNAMED}
  ORDER BY id LIMIT ${PRUNED_AT_ONCE} ${onPostgres("FOR UPDATE SKIP LOCKED")}`,
);
/** Looked at again once nobody can name them any more: a run may have done so before they were locked. */
const PRUNE = statement((d) => `DELETE FROM images WHERE ${d.isOneOf("id", "ids", "int")} AND ${IS_UNNAMED}`);

export function createImageStore(sql: Sql): ImageStore {
  return {
    async ofPage(pageId) {
      return toPageImages(await sql.all(OF_PAGE, { pageId }));
    },
    async find(siteId, hash, audience) {
      const generation = await generationOf(sql, siteId);
      return sql.get(FIND, { siteId, hash, generation, audience: audienceValue(audience) });
    },
  };
}

/** Writes the images of a page, and what it calls them. */
export function* stageImages(pageId: number, siteId: number, { images = [] }: StagedPage): Steps<void> {
  for (const { reference, image } of images) {
    if (image?.content !== undefined) {
      const { hash, type, width, height, content } = image;
      yield* run(KEEP, { siteId, hash, type, width, height, content });
    }
    yield* run(NAME, { pageId, reference, siteId, hash: image?.hash });
  }
}

/** The images of a source's pages that have not been pruned, by page. */
export const knownImages = async (sql: Sql, sourceId: number): Promise<Map<number, KnownImage[]>> =>
  toKnownImages(await sql.all(KNOWN, { sourceId }));

/** Removes some images of a site that no page shows any more; returns how many it has looked at. */
export const pruneImages = (sql: Sql, siteId: number): Promise<number> =>
  sql.inOneWrite(function* () {
    const ids = (yield* all(UNNAMED, { siteId })).map(({ id }) => id);
    yield* run(PRUNE, { ids });
    return ids.length;
  });

/** An image, as a page calls it. */
interface ImageRow {
  reference: string;
  hash: string;
  type: string;
  width: number | null;
  height: number | null;
}

/** The images of a page, by what it calls them. */
const toPageImages = (rows: readonly ImageRow[]): Map<string, PageImage> =>
  new Map(
    rows.map(({ reference, hash, type, width, height }) => [
      reference,
      { hash, type, width: width ?? undefined, height: height ?? undefined },
    ]),
  );

/** An image that a run knows, with its page. */
interface KnownImageRow {
  pageId: number;
  reference: string;
  hash: string | null;
}

/** The images that a run knows, by page. */
function toKnownImages(rows: readonly KnownImageRow[]): Map<number, KnownImage[]> {
  const known = new Map<number, KnownImage[]>();
  for (const { pageId, reference, hash } of rows) {
    const images = known.get(pageId) ?? [];
    images.push({ reference, hash: hash ?? undefined });
    known.set(pageId, images);
  }
  return known;
}
