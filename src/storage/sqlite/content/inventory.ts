import type { Database } from "bun:sqlite";
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

type Parameters = Record<string, string | number | null>;

const COLUMNS = `
  pages.id, pages.path, pages.title, pages.version, pages.language, pages.source_id AS source, pages.location,
  pages.hidden, (SELECT count(*) FROM passages WHERE passages.page_id = pages.id) AS passages,
  coalesce(changed.finished_at, changed.started_at) AS updatedAt`;
const FROM = `
  FROM pages ${visibleJoins("pages", "sites.generation")}
  JOIN sites ON sites.id = pages.site_id
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)
  WHERE pages.site_id = $siteId`;
/** Stands last in a query: these columns lie behind the page's whole text, which is read to reach them. */
const SEEN = `AND pages.kind = 'page' AND ${visibleWhere("pages", "sites.generation")}`;

export function createPageInventory(database: Database): PageInventory {
  const list = database.query<InventoryRow, Parameters>(`
    SELECT ${COLUMNS} ${FROM}
      AND ($source IS NULL OR pages.source_id = $source)
      AND ($query IS NULL OR EXISTS (SELECT 1 FROM json_each($query) AS form
        WHERE pages.path LIKE form.value ESCAPE '\\' OR pages.title LIKE form.value ESCAPE '\\'))
      AND (pages.path > $afterPath OR (pages.path = $afterPath AND pages.id > $afterId))
      ${SEEN}
    ORDER BY pages.path, pages.id LIMIT $limit`);
  const at = database.query<InventoryPageRow, Parameters>(`
    SELECT ${COLUMNS}, pages.description, pages.tags_json AS tagsJson, pages.groups_json AS groupsJson ${FROM}
      AND pages.path = $path ${SEEN} ORDER BY pages.version DESC, pages.language, pages.id`);
  const passages = database.query<InventoryPassageRow, { pageId: number }>(`
    SELECT passages.id, headings_json AS headingsJson, anchor, markdown, text, tokens, EXISTS (
      SELECT 1 FROM passage_vectors
      WHERE passage_id = passages.id AND embedder_id = sites.embedder_id AND bits IS NOT NULL) AS hasVector
    FROM passages JOIN sites ON sites.id = passages.site_id WHERE page_id = $pageId ORDER BY position`);
  const places = database.query<InventoryPlaceRow, Parameters>(`
    SELECT pages.location, pages.path, pages.title, pages.front_matter_json AS frontMatterJson ${FROM}
      AND pages.path IN (SELECT value FROM json_each($paths)) AND pages.source_id = $source ${SEEN}`);

  return {
    async list({ siteId, query, source, after, limit }) {
      const rows = list.all({
        siteId,
        limit,
        source: source ?? null,
        query: query === "" ? null : JSON.stringify(substringPatterns(query)),
        afterPath: after?.path ?? "",
        afterId: after?.id ?? 0,
      });
      return rows.map(toInventoryEntry);
    },

    async at(siteId, path) {
      const rows = at.all({ siteId, path });
      return rows.map((row) => toInventoryPage(row, passages.all({ pageId: row.id })));
    },

    async ofPlaces(siteId, source, paths) {
      return places.all({ siteId, source, paths: JSON.stringify(paths) }).map(toInventoryPlace);
    },
  };
}
