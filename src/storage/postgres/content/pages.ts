import type { Page, PageStore } from "../../../pages/pages.ts";
import { readMenu, readRedirects } from "../../rows/json.ts";
import {
  type EntryRow,
  type MarkedRow,
  type NavigationRow,
  type PageSourceRow,
  toNavigationEntry,
  toPage,
  toPageEntry,
  toPageSource,
} from "../../rows/pages.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { audienceValue, isForAudience } from "../audience.ts";
import type { Database } from "../database/database.ts";
import { isBehind, isPath, ordered } from "../page-paths.ts";
import { generationOf } from "../visible-generation.ts";

const IN_SITE = `
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND ${visibleWhere("pages")}`;
const COUNT = `
  SELECT count(*) AS pages,
    coalesce(sum((SELECT count(*) FROM passages WHERE passages.page_id = pages.id)), 0) AS passages ${IN_SITE}`;
const NAVIGATION = `
  SELECT pages.id, pages.path, pages.version, pages.language, pages.title, pages.hidden, pages.translations_json,
    pages.source_id, pages.groups_json, pages.front_matter_json
  ${IN_SITE} AND pages.id > $afterId ORDER BY pages.id LIMIT $limit`;
const scopes = (column: "version" | "language") => `
  SELECT DISTINCT pages.${column} AS name ${IN_SITE} AND NOT pages.hidden AND pages.${column} <> '' AND ${isForAudience("pages")}
  ORDER BY name LIMIT $limit`;
const VERSIONS = scopes("version");
const LANGUAGES = scopes("language");

/** What the latest generation of each source says, of those up to one. */
const lastSaid = (column: "menu_json" | "redirects_json") => `
  SELECT DISTINCT ON (source_id) source_id, ${column} AS json FROM generations
  WHERE site_id = $siteId AND number <= $generation AND undone_at IS NULL AND ${column} IS NOT NULL
  ORDER BY source_id, number DESC`;
const MENUS = lastSaid("menu_json");
const REDIRECTS = lastSaid("redirects_json");

const BY_PATH = `
  SELECT pages.id, pages.site_id, pages.path, pages.location, pages.version, pages.language, pages.title,
    pages.description, pages.hidden, pages.markdown, pages.translations_json, pages.groups_json
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND ${isPath("pages.path", "$path")} AND pages.kind = 'page' AND ${visibleWhere("pages")}
    AND ${isForAudience("pages")}
  ORDER BY pages.id`;
/** Read along the index of paths until there are enough. A zero is the character behind the slash. */
const LIST = `
  SELECT pages.id, pages.site_id, pages.path, pages.version, pages.language, pages.title, pages.description,
    pages.groups_json
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND NOT pages.hidden AND ${visibleWhere("pages")}
    AND ${isForAudience("pages")}
    AND (NOT $docsOnly::boolean OR pages.answered IS NULL)
    AND ($after::text IS NULL OR ${isBehind("pages.path", "$after")})
    AND ($under = '' OR pages.path = $under OR (pages.path >= $under || '/' AND pages.path < $under || '0'))
    AND pages.id = (
      SELECT same.id FROM pages AS same ${visibleJoins("same")}
      WHERE same.site_id = $siteId AND ${isPath("same.path", "pages.path")} AND same.kind = 'page'
        AND ${visibleWhere("same")} AND ${isForAudience("same")}
      ORDER BY (same.version = $version)::int * 2 + (same.language = $language)::int DESC, same.id LIMIT 1)
  ORDER BY ${ordered("pages.path")} LIMIT $limit`;
const CONTENT = "SELECT markdown, location FROM pages WHERE id = $pageId";
const SOURCE_OF = `
  SELECT sources.kind, sources.location,
    sources.options_json::json ->> 'authorizationVariable' IS NOT NULL AS has_credential
  FROM pages JOIN sources ON sources.id = pages.source_id WHERE pages.id = $pageId`;
const LAST_CHANGES = `
  SELECT pages.id, coalesce(changed.finished_at, changed.started_at) AS at FROM pages
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)
  WHERE pages.id = ANY($pageIds::int[])`;

export function createPageStore(database: Database): PageStore {
  const visible = (siteId: number) => generationOf(database, siteId);
  return {
    async findPages(siteId, path, audience) {
      const asked = { siteId, path, generation: await visible(siteId), audience: audienceValue(audience) };
      return (await database.all<MarkedRow<Page>>(BY_PATH, asked)).map(toPage);
    },
    visibleGeneration: visible,
    async listPages({ docsOnly = false, after = null, audience, ...listing }) {
      const asked = { ...listing, docsOnly, after, audience: audienceValue(audience) };
      return (await database.all<EntryRow>(LIST, asked)).map(toPageEntry);
    },
    async listNavigation(siteId, generation, afterId, limit) {
      const rows = await database.all<NavigationRow>(NAVIGATION, { siteId, generation, afterId, limit });
      return rows.map(toNavigationEntry);
    },
    async listMenus(siteId, generation) {
      const rows = await database.all<{ sourceId: number; json: string }>(MENUS, { siteId, generation });
      return rows
        .map(({ sourceId, json }) => ({ sourceId, entries: readMenu(json) }))
        .filter(({ entries }) => entries.length > 0);
    },
    async listRedirects(siteId, generation) {
      const rows = await database.all<{ json: string }>(REDIRECTS, { siteId, generation });
      return rows.flatMap(({ json }) => readRedirects(json));
    },
    async listScopes(siteId, audience, limit) {
      const asked = { siteId, generation: await visible(siteId), audience: audienceValue(audience), limit };
      const names = async (text: string) =>
        (await database.all<{ name: string }>(text, asked)).map(({ name }) => name);
      return { versions: await names(VERSIONS), languages: await names(LANGUAGES) };
    },
    contentOf: (pageId) => database.get(CONTENT, { pageId }),
    async sourceOf(pageId) {
      const row = await database.get<PageSourceRow>(SOURCE_OF, { pageId });
      return row && toPageSource(row);
    },
    async lastChanges(pageIds) {
      const rows = await database.all<{ id: number; at: number }>(LAST_CHANGES, { pageIds });
      return new Map(rows.map(({ id, at }) => [id, at]));
    },
    async countPages(siteId) {
      const asked = { siteId, generation: await visible(siteId) };
      const counts = await database.get<{ pages: number; passages: number }>(COUNT, asked);
      return counts ?? { pages: 0, passages: 0 };
    },
  };
}
