import type { PageInventory } from "../../../pages/inventory.ts";
import {
  type InventoryPageRow,
  type InventoryPassageRow,
  type InventoryPlaceRow,
  type InventoryRow,
  toInventoryEntry,
  toInventoryPage,
  toInventoryPlace,
} from "../../rows/inventory.ts";
import { substringPatterns } from "../../substring-patterns.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import type { Database } from "../database/database.ts";
import { isBehind, isPath, ordered } from "../page-paths.ts";

const COLUMNS = `
  pages.id, pages.path, pages.title, pages.version, pages.language, pages.source_id AS source, pages.location,
  pages.hidden, (SELECT count(*) FROM passages WHERE passages.page_id = pages.id) AS passages,
  coalesce(changed.finished_at, changed.started_at) AS updated_at`;
const FROM = `
  FROM pages JOIN sites ON sites.id = pages.site_id
  ${visibleJoins("pages", "sites.generation")}
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND ${visibleWhere("pages", "sites.generation")}`;
const LIST = `
  SELECT ${COLUMNS} ${FROM}
    AND ($source::int IS NULL OR pages.source_id = $source)
    AND ($forms::text[] IS NULL OR pages.path ILIKE ANY ($forms::text[]) OR pages.title ILIKE ANY ($forms::text[]))
    AND (${isBehind("pages.path", "$afterPath")} OR (${isPath("pages.path", "$afterPath")} AND pages.id > $afterId))
  ORDER BY ${ordered("pages.path")}, pages.id LIMIT $limit`;
const AT = `
  SELECT ${COLUMNS}, pages.description, pages.tags_json, pages.groups_json ${FROM} AND ${isPath("pages.path", "$path")}
  ORDER BY pages.version DESC, pages.language, pages.id`;
const PLACES = `
  SELECT pages.location, pages.path, pages.title, pages.front_matter_json ${FROM}
    AND pages.path = ANY ($paths::text[]) AND pages.source_id = $source`;
const PASSAGES = `
  SELECT passages.id, headings_json, anchor, markdown, text, tokens, EXISTS (
    SELECT 1 FROM passage_vectors
    WHERE passage_id = passages.id AND embedder_id = sites.embedder_id AND bits IS NOT NULL) AS has_vector
  FROM passages JOIN sites ON sites.id = passages.site_id WHERE page_id = $pageId ORDER BY position`;

export function createPageInventory(database: Database): PageInventory {
  const pageOf = async (row: InventoryPageRow) =>
    toInventoryPage(row, await database.all<InventoryPassageRow>(PASSAGES, { pageId: row.id }));
  return {
    async list({ siteId, query, source, after, limit }) {
      const rows = await database.all<InventoryRow>(LIST, {
        siteId,
        limit,
        source: source ?? null,
        forms: query === "" ? null : substringPatterns(query),
        afterPath: after?.path ?? "",
        afterId: after?.id ?? 0,
      });
      return rows.map(toInventoryEntry);
    },

    async at(siteId, path) {
      const rows = await database.all<InventoryPageRow>(AT, { siteId, path });
      return Promise.all(rows.map(pageOf));
    },

    async ofPlaces(siteId, source, paths) {
      const rows = await database.all<InventoryPlaceRow>(PLACES, { siteId, source, paths: [...paths] });
      return rows.map(toInventoryPlace);
    },
  };
}
