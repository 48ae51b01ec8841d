import type { Database } from "bun:sqlite";
import { z } from "zod";
import { pageLabels } from "../../markdown/front-matter.ts";
import { ANALYZER_REVISION, analyze } from "../../search/analyze.ts";
import { readStrings } from "../rows.ts";

interface IndexedPassage {
  id: number;
  siteId: number;
  title: string;
  headings: string[];
  text: string;
  identifiers: string[];
  /** Words that the page's author chose for search. They count as its title does, and its first passage alone has them. */
  keywords: string[];
}

/** Raised whenever other fields hold what `analyze` makes. */
const FIELDS_REVISION = 2;
const INDEX_REVISION = `${ANALYZER_REVISION}.${FIELDS_REVISION}`;

const frontMatterSchema = z.record(z.string(), z.unknown());

const REVISION_NAME = "keyword_index";

// Of private use: no word of any text.
const SITE_MARK = "\ue000";

/** The term that every passage of a site has, and no other passage. */
export const siteTerm = (siteId: number) => `${SITE_MARK}${siteId}`;

/** The terms of all sites lie between these two. */
export const SITE_TERMS = [SITE_MARK, "\ue001"] as const;

/** Writes passages to the keyword index, as `analyze` cuts them. */
export function createPassageIndexer(database: Database): (passage: IndexedPassage) => void {
  const insert = database.query(
    "INSERT INTO passage_terms (rowid, site, title, headings, body, identifiers) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return ({ id, siteId, title, headings, text, identifiers, keywords }) => {
    const names = [title, ...keywords].join("\n");
    const fields = [names, headings.join("\n"), text, identifiers.join("\n")];
    insert.run(id, siteTerm(siteId), ...fields.map(terms));
  };
}

const terms = (text: string) => analyze(text).join(" ");

/** Whether the keyword index was made by another revision of `analyze`, or is not filled yet. */
export function isIndexStale(database: Database): boolean {
  const row = database
    .query<{ value: string }, [string]>("SELECT value FROM meta WHERE name = ?")
    .get(REVISION_NAME);
  return row?.value !== INDEX_REVISION;
}

/** How many passages the keyword index is made of. */
export function countIndexable(database: Database): number {
  return database.query<{ count: number }, []>("SELECT count(*) AS count FROM passages").get()?.count ?? 0;
}

/** Fills the keyword index anew from the passages, in one transaction: a crash leaves it as it was. */
export function rebuildIndex(database: Database): void {
  const passages = database.query<
    {
      id: number;
      siteId: number;
      title: string;
      headingsJson: string;
      identifiersJson: string;
      frontMatterJson: string;
      text: string;
    },
    []
  >(`
    SELECT passages.id, passages.site_id AS siteId, pages.title, passages.headings_json AS headingsJson,
           passages.identifiers_json AS identifiersJson, passages.text,
           iif(passages.position = 0, pages.front_matter_json, '{}') AS frontMatterJson
    FROM passages JOIN pages ON pages.id = passages.page_id`);
  database
    .transaction(() => {
      database.run("INSERT INTO passage_terms (passage_terms) VALUES ('delete-all')");
      const index = createPassageIndexer(database);
      for (const { headingsJson, identifiersJson, frontMatterJson, ...passage } of passages.iterate()) {
        const identifiers = readStrings(identifiersJson);
        const { keywords } = pageLabels(frontMatterSchema.parse(JSON.parse(frontMatterJson)));
        index({ ...passage, headings: readStrings(headingsJson), identifiers, keywords });
      }
      database
        .query(
          "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        )
        .run(REVISION_NAME, INDEX_REVISION);
    })
    .immediate();
}
