import type { Database } from "bun:sqlite";
import type { Candidate, SearchStore } from "../search/search.ts";
import { aliveJoins, aliveWhere } from "./alive.ts";
import { siteTerm } from "./passage-terms.ts";
import { readStrings } from "./tables.ts";

interface Row extends Omit<Candidate, "headings"> {
  headingsJson: string;
}

interface MatchParameters extends Record<string, string | number> {
  match: string;
  generation: number;
  version: string;
  language: string;
  limit: number;
}

export function createSearchStore(database: Database): SearchStore {
  const generationOf = database.query<{ generation: number }, [number]>(
    "SELECT generation FROM sites WHERE id = ?",
  );
  const passages = database.query<{ passages: number }, []>("SELECT count(*) AS passages FROM passages");
  // The order is the keyword index's own, so the joins run for the best passages alone and stop at the limit.
  // Title and headings say what a passage is about; `site` only narrows.
  const best = database.query<Row, MatchParameters>(`
    SELECT passages.id AS passageId, passages.page_id AS pageId, pages.path, pages.version, pages.language,
           pages.title, passages.headings_json AS headingsJson, passages.anchor, passages.markdown, passages.text,
           -passage_terms.rank AS score
    FROM passage_terms
    CROSS JOIN passages ON passages.id = passage_terms.rowid
    ${aliveJoins("passages")}
    JOIN pages ON pages.id = passages.page_id
    WHERE passage_terms MATCH $match AND passage_terms.rank MATCH 'bm25(0.0, 4.0, 2.0, 1.0)'
      AND ${aliveWhere("passages")}
      AND pages.hidden = 0
      AND ($version = '' OR pages.version IN ('', $version))
      AND ($language = '' OR pages.language IN ('', $language))
    ORDER BY passage_terms.rank
    LIMIT $limit`);

  return {
    async generation(siteId) {
      return generationOf.get(siteId)?.generation ?? 0;
    },

    async match({ siteId, generation, terms, filter, limit }) {
      const rows = best.all({
        match: `site:${quote(siteTerm(siteId))} AND {title headings body}:(${terms.map(quote).join(" OR ")})`,
        generation,
        version: filter.version ?? "",
        language: filter.language ?? "",
        limit,
      });
      return rows.map(({ headingsJson, ...row }) => ({ ...row, headings: readStrings(headingsJson) }));
    },

    async frequencies(terms) {
      const rows = database
        .query<{ term: string; doc: number }, string[]>(
          `SELECT term, doc FROM passage_vocabulary WHERE term IN (${terms.map(() => "?").join(", ")})`,
        )
        .all(...terms);
      return { passages: passages.get()?.passages ?? 0, of: new Map(rows.map((row) => [row.term, row.doc])) };
    },
  };
}

/** A term as the keyword index's query language wants it: whatever is in it is text. */
const quote = (term: string) => `"${term.replaceAll('"', '""')}"`;
