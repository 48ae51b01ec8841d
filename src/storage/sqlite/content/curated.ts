import type { Database } from "bun:sqlite";
import { and, asc, eq } from "drizzle-orm";
import type { CuratedStore } from "../../../curated/curated-store.ts";
import {
  type AnswerFileRow,
  type LinkedRow,
  toAnswer,
  toFileAnswer,
  toLinkedPage,
} from "../../rows/curated.ts";
import { curatedAnswers } from "../../sql/tables/content.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { typed } from "../typed.ts";
import { prepareGeneration } from "../visible-generation.ts";

/** A page's passages, to find the one that a heading's link leads to. */
const PASSAGES = `
  (SELECT json_group_array(json_object('id', id, 'anchor', anchor, 'inner', json(inner_headings_json)) ORDER BY position)
   FROM passages WHERE page_id = pages.id)`;

/** The generation in which a page's file last changed. */
const CHANGED = "JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)";

const OF_SOURCES = `
  SELECT pages.path, pages.location, sources.location AS source, pages.version, pages.language,
         front_matter_json AS frontMatterJson, groups_json AS groupsJson, pages.markdown, pages.hidden, changed.number AS generation
  FROM pages ${visibleJoins("pages")} ${CHANGED}
  JOIN sources ON sources.id = pages.source_id
  WHERE pages.site_id = $siteId AND pages.kind = 'answer' AND ${visibleWhere("pages")}
  ORDER BY pages.id LIMIT $limit`;
const LINKED = `
  SELECT pages.path, pages.title, pages.version, pages.language, pages.translations_json AS translationsJson,
         pages.groups_json AS groupsJson, changed.number AS generation,
         substr(coalesce(pages.description, pages.markdown), 1, 1000) AS text, ${PASSAGES} AS passagesJson
  FROM json_each($paths) AS wanted
  JOIN pages ON pages.site_id = $siteId AND pages.path = wanted.value ${visibleJoins("pages")} ${CHANGED}
  WHERE pages.kind = 'page' AND pages.hidden = 0 AND ${visibleWhere("pages")}
  ORDER BY pages.id`;
/** With a number of its own each time: by that, others know that something has changed. */
const PUT = `
  INSERT OR REPLACE INTO curated_answers (site_id, name, version, language, markdown, generation, updated_at)
  SELECT id, ?, ?, ?, ?, generation, ? FROM sites WHERE id = ?`;
/** Answered by an index alone, as the generation is: every question asks. */
const NEWEST = "SELECT count(*) AS answers, max(id) AS newest FROM curated_answers WHERE site_id = ?";

type Values = Record<string, string | number>;

export function createCuratedStore(database: Database): CuratedStore {
  const db = typed(database);
  const generationOf = prepareGeneration(database);
  const newest = database.query<{ answers: number; newest: number | null }, [number]>(NEWEST);
  const ofSources = database.query<AnswerFileRow, Values>(OF_SOURCES);
  const linked = database.query<LinkedRow, Values>(LINKED);

  return {
    async state(siteId) {
      const own = newest.get(siteId);
      // A number is never given twice, so no two lists have both the same length and the same last one.
      return { generation: generationOf(siteId), byHand: `${own?.answers ?? 0}.${own?.newest ?? 0}` };
    },

    async fromSources(siteId, generation, limit) {
      return ofSources.all({ siteId, generation, limit }).map(toFileAnswer);
    },

    async byHand(siteId, limit) {
      const { name, version, language } = curatedAnswers;
      return db
        .select()
        .from(curatedAnswers)
        .where(eq(curatedAnswers.siteId, siteId))
        .orderBy(asc(name), asc(version), asc(language))
        .limit(limit)
        .all()
        .map(toAnswer);
    },

    async pages(siteId, generation, paths) {
      return linked.all({ siteId, generation, paths: JSON.stringify(paths) }).map(toLinkedPage);
    },

    async put(siteId, { name, version, language, markdown }, at) {
      database.query(PUT).run(name, version, language, markdown, at, siteId);
    },

    async remove(siteId, name) {
      const isNamed = and(eq(curatedAnswers.siteId, siteId), eq(curatedAnswers.name, name));
      return db.delete(curatedAnswers).where(isNamed).returning({ id: curatedAnswers.id }).all().length;
    },
  };
}
