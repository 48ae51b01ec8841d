import type { ImageStore } from "../../pages/images.ts";
import { audienceValue, isForAudience } from "../audience.ts";
import { type ImageRow, toPageImages } from "../rows/images.ts";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import { generationOf } from "../visible-generation.ts";
import { visibleJoins, visibleWhere } from "../visible-rows.ts";

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
