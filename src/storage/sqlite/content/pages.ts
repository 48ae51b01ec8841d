import type { Database } from "bun:sqlite";
import { eq, sql } from "drizzle-orm";
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
import { pages } from "../../sql/tables/content.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { audienceParameter, isForAudience } from "../audience.ts";
import { later } from "../later.ts";
import { typed } from "../typed.ts";
import { prepareGeneration } from "../visible-generation.ts";

/** The first text behind this one, as SQLite orders them. */
const successorOf = (text: string) => `${text}\0`;
/** Behind every path: no text has a byte as large as this character's first one. */
const BEHIND_ALL = "\u{10FFFF}";

/** A site's pages, read from their index alone: whatever stands behind the text in a row is reached through all of it. */
const IN_SITE = `FROM pages INDEXED BY pages_in_site ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND ${visibleWhere("pages")}`;
const scopes = (column: "version" | "language") => `
  SELECT DISTINCT pages.${column} AS name ${IN_SITE} AND pages.hidden = 0 AND pages.${column} <> '' AND ${isForAudience("pages")}
  ORDER BY name LIMIT $limit`;

export const PAGE_QUERIES = {
  count: `SELECT count(*) AS pages,
      coalesce(sum((SELECT count(*) FROM passages WHERE passages.page_id = pages.id)), 0) AS passages
    ${IN_SITE}`,
  navigation: `SELECT pages.id, pages.path, pages.version, pages.language, pages.title, pages.hidden,
      pages.translations_json AS translationsJson,
      pages.source_id AS sourceId, pages.groups_json AS groupsJson, pages.front_matter_json AS frontMatterJson
    ${IN_SITE} AND pages.id > $afterId ORDER BY pages.id LIMIT $limit`,
  versions: scopes("version"),
  languages: scopes("language"),
};

/** What the latest generation of each source says, of those up to one. */
const lastSaid = (column: "menu_json" | "redirects_json") => `
  SELECT source_id AS sourceId, ${column} AS json, max(number)
  FROM generations
  WHERE site_id = $siteId AND number <= $generation AND undone_at IS NULL AND ${column} IS NOT NULL
  GROUP BY source_id ORDER BY source_id`;

const BY_PATH = `
  SELECT pages.id, pages.site_id AS siteId, pages.path, pages.location, pages.version, pages.language, pages.title,
         pages.description, pages.hidden, pages.markdown, pages.translations_json AS translationsJson,
         pages.groups_json AS groupsJson
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.path = $path AND pages.kind = 'page' AND ${visibleWhere("pages")}
    AND ${isForAudience("pages")}
  ORDER BY pages.id`;
/** Read along the index of paths until there are enough, and no page before or behind them. */
const LIST = `
  SELECT pages.id, pages.site_id AS siteId, pages.path, pages.version, pages.language, pages.title, pages.description,
         pages.groups_json AS groupsJson
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.path >= $from AND pages.path < $until
    AND ($under = '' OR pages.path = $under OR pages.path >= $under || '/')
    AND pages.kind = 'page' AND pages.hidden = 0 AND ${visibleWhere("pages")} AND ${isForAudience("pages")}
    AND ($docsOnly = 0 OR pages.id NOT IN (SELECT id FROM pages WHERE site_id = $siteId AND answered IS NOT NULL))
    AND pages.id = (
      SELECT same.id FROM pages AS same ${visibleJoins("same")}
      WHERE same.site_id = $siteId AND same.path = pages.path AND same.kind = 'page' AND ${visibleWhere("same")}
        AND ${isForAudience("same")}
      ORDER BY (same.version = $version) * 2 + (same.language = $language) DESC, same.id LIMIT 1)
  ORDER BY pages.path LIMIT $limit`;
const SOURCE_OF = `
  SELECT sources.kind, sources.location,
         json_extract(sources.options_json, '$.authorizationVariable') IS NOT NULL AS hasCredential
  FROM pages JOIN sources ON sources.id = pages.source_id WHERE pages.id = ?`;
const LAST_CHANGES = `
  SELECT pages.id, coalesce(changed.finished_at, changed.started_at) AS at
  FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)`;

/** The first path behind all of a folder: a zero is the character behind the slash. */
const endOf = (under: string) => (under === "" ? BEHIND_ALL : `${under}0`);

type Values = Record<string, string | number | null>;

function prepare(database: Database) {
  return {
    byPath: database.query<MarkedRow<Page>, Values>(BY_PATH),
    count: database.query<{ pages: number; passages: number }, Values>(PAGE_QUERIES.count),
    list: database.query<EntryRow, Values>(LIST),
    navigation: database.query<NavigationRow, Values>(PAGE_QUERIES.navigation),
    versions: database.query<{ name: string }, Values>(PAGE_QUERIES.versions),
    languages: database.query<{ name: string }, Values>(PAGE_QUERIES.languages),
    menus: database.query<{ sourceId: number; json: string }, Values>(lastSaid("menu_json")),
    redirects: database.query<{ json: string }, Values>(lastSaid("redirects_json")),
    sourceOf: database.query<PageSourceRow, [number]>(SOURCE_OF),
    lastChanges: database.query<{ id: number; at: number }, [string]>(LAST_CHANGES),
  };
}

const prepareContent = (database: Database) =>
  later(() =>
    typed(database)
      .select({ markdown: pages.markdown, location: pages.location })
      .from(pages)
      .where(eq(pages.id, sql.placeholder("pageId")))
      .prepare(),
  );

export function createPageStore(database: Database): PageStore {
  const statements = prepare(database);
  const content = prepareContent(database);
  const visible = prepareGeneration(database);

  return {
    async findPages(siteId, path, audience) {
      const asked = { siteId, path, generation: visible(siteId), audience: audienceParameter(audience) };
      return statements.byPath.all(asked).map(toPage);
    },
    async visibleGeneration(siteId) {
      return visible(siteId);
    },
    async listPages({ under, after, docsOnly = false, audience: reading, ...listing }) {
      const audience = audienceParameter(reading);
      const from = after === undefined || after < under ? under : successorOf(after);
      const until = endOf(under);
      const asked = { ...listing, audience, under, from, until, docsOnly: Number(docsOnly) };
      return statements.list.all(asked).map(toPageEntry);
    },
    async listNavigation(siteId, generation, afterId, limit) {
      const rows = statements.navigation.all({ siteId, generation, afterId, limit });
      return rows.map(toNavigationEntry);
    },
    async listMenus(siteId, generation) {
      return statements.menus
        .all({ siteId, generation })
        .map(({ sourceId, json }) => ({ sourceId, entries: readMenu(json) }))
        .filter(({ entries }) => entries.length > 0);
    },
    async listRedirects(siteId, generation) {
      return statements.redirects.all({ siteId, generation }).flatMap(({ json }) => readRedirects(json));
    },
    async listScopes(siteId, audience, limit) {
      const asked = { siteId, generation: visible(siteId), audience: audienceParameter(audience), limit };
      const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
      return {
        versions: names(statements.versions.all(asked)),
        languages: names(statements.languages.all(asked)),
      };
    },
    async contentOf(pageId) {
      return content.get({ pageId });
    },
    async sourceOf(pageId) {
      const row = statements.sourceOf.get(pageId);
      return row === null ? undefined : toPageSource(row);
    },
    async lastChanges(pageIds) {
      return new Map(statements.lastChanges.all(JSON.stringify(pageIds)).map(({ id, at }) => [id, at]));
    },
    async countPages(siteId) {
      return statements.count.get({ siteId, generation: visible(siteId) }) ?? { pages: 0, passages: 0 };
    },
  };
}
