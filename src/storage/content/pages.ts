import type { PageRedirect } from "@docent/reading/page/redirects";
import type { PageSource } from "@docent/reading/source";
import type { NavigationEntry, Page, PageEntry, PageStore } from "@docent/sites/pages/pages";
import { audienceValue, isForAudience } from "../audience.ts";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readMenu, readRedirects, readStrings, translationsIn } from "../rows/json.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { Sql } from "../sql/sql.ts";
import { columns, type Statement, select, statement } from "../sql/statement.ts";
import { pages } from "../tables/content.ts";
import { generationOf } from "../visible-generation.ts";

/** A site's pages. SQLite reads them from their index alone: whatever stands behind the text in a row is reached through all of it. */
export const inSite = (d: Dialect) => `
  FROM pages ${d.along("pages_in_site")} ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND ${visibleWhere("pages")}`;
const COUNT = statement<{ pages: number; passages: number }>(
  (d) => `
  SELECT count(*) AS pages,
    coalesce(sum((SELECT count(*) FROM passages WHERE passages.page_id = pages.id)), 0) AS passages ${inSite(d)}`,
);
const NAVIGATION = statement<NavigationRow>(
  (d) => `
  SELECT ${columns(pages, ["id", "path", "version", "language", "title", "hidden", "translationsJson", "sourceId", "groupsJson", "frontMatterJson"])}
  ${inSite(d)} AND pages.id > $afterId ORDER BY pages.id LIMIT $limit`,
);
const scopes = (column: "version" | "language") =>
  statement<{ name: string }>(
    (d) => `
  SELECT DISTINCT pages.${column} AS name ${inSite(d)} AND NOT pages.hidden AND pages.${column} <> ''
    AND ${isForAudience(d, "pages")}
  ORDER BY name LIMIT $limit`,
  );
const VERSIONS = scopes("version");
const LANGUAGES = scopes("language");

export const PAGE_QUERIES = {
  count: COUNT,
  navigation: NAVIGATION,
  versions: VERSIONS,
  languages: LANGUAGES,
};

/** What the latest generation of each source says, of those up to one. */
const lastSaid = (column: "menu_json" | "redirects_json") =>
  statement<{ sourceId: number; json: string }>(`
  SELECT generations.source_id AS "sourceId", ${column} AS json FROM generations JOIN (
    SELECT source_id, max(number) AS number FROM generations
    WHERE site_id = $siteId AND number <= $generation AND undone_at IS NULL AND ${column} IS NOT NULL
    GROUP BY source_id) AS latest
  ON latest.source_id = generations.source_id AND latest.number = generations.number
  WHERE site_id = $siteId ORDER BY generations.source_id`);
const MENUS = lastSaid("menu_json");
const REDIRECTS = lastSaid("redirects_json");

const BY_PATH = statement<MarkedRow<Page>>(
  (d) => `
  SELECT ${columns(pages, ["id", "siteId", "path", "location", "version", "language", "title", "description", "hidden", "markdown", "translationsJson", "groupsJson"])}
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND ${d.isSame("pages.path", "$path")} AND pages.kind = 'page' AND ${visibleWhere("pages")}
    AND ${isForAudience(d, "pages")}
  ORDER BY pages.id`,
);
/** SQLite has an index of those that were asked, and their column behind the text. */
const isOfDocs = ({ engine }: Dialect) =>
  engine === "postgres"
    ? "pages.answered IS NULL"
    : "pages.id NOT IN (SELECT id FROM pages WHERE site_id = $siteId AND answered IS NOT NULL)";
/** Read along the index of paths until there are enough, and no page before or behind them. */
const LIST = statement<EntryRow>(
  (d) => `
  SELECT ${columns(pages, ["id", "siteId", "path", "location", "version", "language", "title", "description", "groupsJson"])}
  FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND pages.path >= $from AND pages.path < $until
    AND (CAST($after AS text) IS NULL OR ${d.isBehind("pages.path", "$after")})
    AND ($under = '' OR pages.path = $under OR pages.path >= $under || '/')
    AND pages.kind = 'page' AND NOT pages.hidden AND ${visibleWhere("pages")} AND ${isForAudience(d, "pages")}
    AND (NOT CAST($docsOnly AS boolean) OR ${isOfDocs(d)})
    AND pages.id = (
      SELECT same.id FROM pages AS same ${visibleJoins("same")}
      WHERE same.site_id = $siteId AND ${d.isSame("same.path", "pages.path")} AND same.kind = 'page'
        AND ${visibleWhere("same")} AND ${isForAudience(d, "same")}
      ORDER BY CAST(same.version = $version AS integer) * 2 + CAST(same.language = $language AS integer) DESC, same.id
      LIMIT 1)
  ORDER BY ${d.orderOf("pages.path")} LIMIT $limit`,
);
/** Behind every path: no text has a byte as large as this character's first one. */
const BEHIND_ALL = "\u{10FFFF}";
/** The first path behind all of a folder: a zero is the character behind the slash. */
const endOf = (under: string) => (under === "" ? BEHIND_ALL : `${under}0`);

const CONTENT = select(pages, ["markdown", "location"], "FROM pages WHERE id = $pageId");
const SOURCE_OF = statement<PageSourceRow>(
  (d) => `
  SELECT sources.kind, sources.location,
    ${d.fieldOf("sources.options_json", "authorizationVariable")} IS NOT NULL AS "hasCredential"
  FROM pages JOIN sources ON sources.id = pages.source_id WHERE pages.id = $pageId`,
);
const LAST_CHANGES = statement<{ id: number; at: number }>(
  (d) => `
  SELECT pages.id, coalesce(changed.finished_at, changed.started_at) AS at FROM pages
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)
  WHERE ${d.isOneOf("pages.id", "pageIds", "int")}`,
);

/** The old addresses that lead to pages of a generation. */
export const redirectsOf = async (sql: Sql, siteId: number, generation: number): Promise<PageRedirect[]> =>
  (await sql.all(REDIRECTS, { siteId, generation })).flatMap(({ json }) => readRedirects(json));

export function createPageStore(sql: Sql): PageStore {
  const visible = (siteId: number) => generationOf(sql, siteId);
  return {
    async findPages(siteId, path, audience) {
      const asked = { siteId, path, generation: await visible(siteId), audience: audienceValue(audience) };
      return (await sql.all(BY_PATH, asked)).map(toPage);
    },
    visibleGeneration: visible,
    async listPages({ under, after, docsOnly = false, audience, ...listing }) {
      const from = after === undefined || after < under ? under : after;
      const bounds = { under, after, from, until: endOf(under) };
      const asked = { ...listing, ...bounds, docsOnly, audience: audienceValue(audience) };
      return (await sql.all(LIST, asked)).map(toPageEntry);
    },
    async listNavigation(siteId, generation, afterId, limit) {
      return (await sql.all(NAVIGATION, { siteId, generation, afterId, limit })).map(toNavigationEntry);
    },
    async listMenus(siteId, generation) {
      return (await sql.all(MENUS, { siteId, generation }))
        .map(({ sourceId, json }) => ({ sourceId, entries: readMenu(json) }))
        .filter(({ entries }) => entries.length > 0);
    },
    listRedirects: (siteId, generation) => redirectsOf(sql, siteId, generation),
    async listScopes(siteId, audience, limit) {
      const asked = { siteId, generation: await visible(siteId), audience: audienceValue(audience), limit };
      const names = async (of: Statement<{ name: string }>) =>
        (await sql.all(of, asked)).map(({ name }) => name);
      return { versions: await names(VERSIONS), languages: await names(LANGUAGES) };
    },
    contentOf: (pageId) => sql.get(CONTENT, { pageId }),
    async sourceOf(pageId) {
      const row = await sql.get(SOURCE_OF, { pageId });
      return row && toPageSource(row);
    },
    async lastChanges(pageIds) {
      return new Map((await sql.all(LAST_CHANGES, { pageIds })).map(({ id, at }) => [id, at]));
    },
    async countPages(siteId) {
      const generation = await visible(siteId);
      return (await sql.get(COUNT, { siteId, generation })) ?? { pages: 0, passages: 0 };
    },
  };
}

/** A page's row, with its translations as JSON. */
type MarkedRow<Entry> = RowOf<Omit<Entry, "translations" | "groups">> & {
  translationsJson: string | null;
  groupsJson: string;
};

/** A row of a list of pages. */
type EntryRow = RowOf<Omit<PageEntry, "groups">> & { groupsJson: string };

interface NavigationRow extends MarkedRow<Omit<NavigationEntry, "frontMatter">> {
  frontMatterJson: string;
}

/** Where a page comes from. */
interface PageSourceRow {
  kind: string;
  location: string;
  hasCredential: number;
}

const toPageSource = (row: PageSourceRow): PageSource => ({
  ...row,
  hasCredential: row.hasCredential === 1,
});

const toPage = ({ translationsJson, groupsJson, ...row }: MarkedRow<Page>): Page => ({
  ...fieldsOf(row),
  ...translationsIn(translationsJson),
  groups: readStrings(groupsJson),
  hidden: row.hidden === 1,
});

const toPageEntry = ({ groupsJson, ...row }: EntryRow): PageEntry => ({
  ...fieldsOf(row),
  groups: readStrings(groupsJson),
});

const toNavigationEntry = ({
  frontMatterJson,
  groupsJson,
  translationsJson,
  hidden,
  ...row
}: NavigationRow): NavigationEntry => ({
  ...row,
  ...translationsIn(translationsJson),
  hidden: hidden === 1,
  groups: readStrings(groupsJson),
  frontMatter: JSON.parse(frontMatterJson),
});
