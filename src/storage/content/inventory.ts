import type {
  InventoryEntry,
  InventoryPage,
  InventoryPassage,
  InventoryPlace,
  PageInventory,
} from "@docent/sites/pages/inventory";
import { z } from "zod";
import type { RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import { substringPatterns } from "../substring-patterns.ts";

const COLUMNS = `
  pages.id, pages.path, pages.title, pages.version, pages.language, pages.source_id AS source, pages.location,
  pages.hidden, (SELECT count(*) FROM passages WHERE passages.page_id = pages.id) AS passages,
  coalesce(changed.finished_at, changed.started_at) AS "updatedAt"`;
const FROM = `
  FROM pages JOIN sites ON sites.id = pages.site_id
  ${visibleJoins("pages", "sites.generation")}
  JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)
  WHERE pages.site_id = $siteId`;
/** Stands last in a query: SQLite has these columns behind the page's whole text, which is read to reach them. */
const SEEN = `AND pages.kind = 'page' AND ${visibleWhere("pages", "sites.generation")}`;
const LIST = statement<InventoryRow>(
  (d) => `
  SELECT ${COLUMNS} ${FROM}
    AND (CAST($source AS integer) IS NULL OR pages.source_id = $source)
    AND (${d.hasNo("forms", "text")} OR ${d.isLikeOneOf("pages.path", "forms")} OR ${d.isLikeOneOf("pages.title", "forms")})
    AND (${d.isBehind("pages.path", "$afterPath")} OR (${d.isSame("pages.path", "$afterPath")} AND pages.id > $afterId))
    ${SEEN}
  ORDER BY ${d.orderOf("pages.path")}, pages.id LIMIT $limit`,
);
const AT = statement<InventoryPageRow>(
  (d) => `
  SELECT ${COLUMNS}, pages.description, pages.tags_json AS "tagsJson", pages.groups_json AS "groupsJson" ${FROM}
    AND ${d.isSame("pages.path", "$path")} ${SEEN}
  ORDER BY pages.version DESC, pages.language, pages.id`,
);
const PLACES = statement<InventoryPlaceRow>(
  (d) => `
  SELECT pages.location, pages.path, pages.title, pages.front_matter_json AS "frontMatterJson" ${FROM}
    AND ${d.isOneOf("pages.path", "paths", "text")} AND pages.source_id = $source ${SEEN}`,
);
const PASSAGES = statement<InventoryPassageRow>(`
  SELECT passages.id, headings_json AS "headingsJson", anchor, markdown, text, tokens, EXISTS (
    SELECT 1 FROM passage_vectors
    WHERE passage_id = passages.id AND embedder_id = sites.embedder_id AND bits IS NOT NULL) AS "hasVector"
  FROM passages JOIN sites ON sites.id = passages.site_id WHERE page_id = $pageId ORDER BY position`);

export function createPageInventory(sql: Sql): PageInventory {
  const pageOf = async (row: InventoryPageRow) =>
    toInventoryPage(row, await sql.all(PASSAGES, { pageId: row.id }));
  return {
    async list({ siteId, query, source, after, limit }) {
      const rows = await sql.all(LIST, {
        siteId,
        limit,
        source,
        forms: query === "" ? undefined : substringPatterns(query),
        afterPath: after?.path ?? "",
        afterId: after?.id ?? 0,
      });
      return rows.map(toInventoryEntry);
    },

    async at(siteId, path) {
      return Promise.all((await sql.all(AT, { siteId, path })).map(pageOf));
    },

    async ofPlaces(siteId, source, paths) {
      return (await sql.all(PLACES, { siteId, source, paths: [...paths] })).map(toInventoryPlace);
    },
  };
}

type InventoryRow = RowOf<InventoryEntry>;

type InventoryPageRow = InventoryRow & {
  description: string | null;
  tagsJson: string;
  groupsJson: string;
};

type InventoryPassageRow = RowOf<Omit<InventoryPassage, "headings">> & { headingsJson: string };

interface InventoryPlaceRow {
  location: string;
  path: string;
  title: string;
  frontMatterJson: string;
}

/** Front matter is what a page's author wrote: anything may stand there. */
const madeOfSchema = z.lazy(() => z.object({ original: z.string(), pages: z.int().positive() }));

function toInventoryPlace({ frontMatterJson, ...row }: InventoryPlaceRow): InventoryPlace {
  const madeOf = madeOfSchema.safeParse(JSON.parse(frontMatterJson));
  return { ...row, documentPages: madeOf.data?.pages };
}

const toInventoryEntry = (row: InventoryRow): InventoryEntry => ({ ...row, hidden: row.hidden === 1 });

function toInventoryPage(
  { tagsJson, groupsJson, description, hidden, ...row }: InventoryPageRow,
  passages: readonly InventoryPassageRow[],
): InventoryPage {
  return {
    ...row,
    hidden: hidden === 1,
    description: description ?? undefined,
    tags: readStrings(tagsJson),
    groups: readStrings(groupsJson),
    content: passages.map(({ headingsJson, hasVector, ...passage }) => ({
      ...passage,
      headings: readStrings(headingsJson),
      hasVector: hasVector === 1,
    })),
  };
}
