import type { KeptPublishedPage, PublishedStore } from "@docent/sites/ingest/stores";
import { readStrings } from "../rows/json.ts";
import type { Sql } from "../sql/sql.ts";
import { listJson, select, statement, type Values } from "../sql/statement.ts";
import { publishedPages } from "../tables/content.ts";
import { wholeText } from "../whole-text.ts";

const PAGES_AT_ONCE = 200;

const PAGES = select(
  publishedPages,
  ["path", "address", "title", "validator", "headingsJson", "placesJson"],
  "FROM published_pages WHERE source_id = $sourceId ORDER BY path",
);
const PUT = statement(
  (d) => `
  INSERT INTO published_pages (source_id, path, address, title, validator, headings_json, places_json)
  SELECT CAST($sourceId AS integer), path, address, title, validator, "headingsJson", "placesJson"
  FROM ${d.rows(PAGE)} WHERE TRUE
  ON CONFLICT (source_id, path) DO UPDATE SET
    address = excluded.address, title = excluded.title, validator = excluded.validator,
    headings_json = excluded.headings_json, places_json = excluded.places_json`,
);
const PAGE = {
  path: "text",
  address: "text",
  title: "text",
  validator: "text",
  headingsJson: "text",
  placesJson: "text",
} as const;
const REMOVE = statement(
  (d) => `DELETE FROM published_pages WHERE source_id = $sourceId AND ${d.isOneOf("path", "paths", "text")}`,
);

export const createPublishedStore = (sql: Sql): PublishedStore => ({
  async list(sourceId) {
    const rows = await sql.all(PAGES, { sourceId });
    return rows.map(({ validator, headingsJson, placesJson, ...page }) => ({
      ...page,
      validator: validator ?? undefined,
      headings: headingsIn(readStrings(headingsJson)),
      places: readStrings(placesJson),
    }));
  },

  async put(sourceId, pages) {
    const rows = written(pages);
    for (let at = 0; at < rows.length; at += PAGES_AT_ONCE)
      await sql.runRows(PUT, { sourceId }, rows.slice(at, at + PAGES_AT_ONCE));
  },

  async remove(sourceId, paths) {
    for (let at = 0; at < paths.length; at += PAGES_AT_ONCE)
      await sql.run(REMOVE, { sourceId, paths: paths.slice(at, at + PAGES_AT_ONCE).map(wholeText) });
  },
});

/** One statement writes a row once: of paths that cannot be told apart where they are kept, the later one counts. */
function written(pages: readonly KeptPublishedPage[]): Values[] {
  const rows = pages.map(({ path, address, title, validator, headings, places }) => ({
    path: wholeText(path),
    address: wholeText(address),
    title: wholeText(title),
    validator: validator === undefined ? null : wholeText(validator),
    headingsJson: listJson(headings.flatMap(({ text, id }) => [wholeText(text), wholeText(id)])),
    placesJson: listJson(places.map(wholeText)),
  }));
  return [...new Map(rows.map((row) => [row.path, row])).values()];
}

const headingsIn = (written: readonly string[]): KeptPublishedPage["headings"] =>
  Array.from({ length: written.length >> 1 }, (_, index) => ({
    text: written[index * 2] ?? "",
    id: written[index * 2 + 1] ?? "",
  }));
