import type { CuratedStore } from "../../../curated/curated-store.ts";
import {
  type AnswerFileRow,
  type LinkedRow,
  toAnswer,
  toFileAnswer,
  toLinkedPage,
} from "../../rows/curated.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import type { Database } from "../database/database.ts";

/** A page's passages, to find the one that a heading's link leads to. */
const PASSAGES = `
  (SELECT coalesce(json_agg(json_build_object('id', id, 'anchor', anchor, 'inner', inner_headings_json::json)
     ORDER BY position), '[]')::text
   FROM passages WHERE page_id = pages.id)`;

/** The generation in which a page's file last changed. */
const CHANGED = "JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)";

/** Two that were added at the same time have numbers in the order in which they are there: a site's are added one by one. */
const STATE = `
  SELECT sites.generation, count(curated_answers.id) AS answers, coalesce(max(curated_answers.id), 0) AS newest
  FROM sites LEFT JOIN curated_answers ON curated_answers.site_id = sites.id
  WHERE sites.id = $siteId GROUP BY sites.id`;
const OF_SOURCES = `
  SELECT pages.path, pages.location, sources.location AS source, pages.version, pages.language, front_matter_json, groups_json,
    pages.markdown, pages.hidden, changed.number AS generation
  FROM pages ${visibleJoins("pages")} ${CHANGED}
  JOIN sources ON sources.id = pages.source_id
  WHERE pages.site_id = $siteId AND pages.kind = 'answer' AND ${visibleWhere("pages")}
  ORDER BY pages.id LIMIT $limit`;
const BY_HAND = `
  SELECT name, version, language, markdown, generation FROM curated_answers WHERE site_id = $siteId
  ORDER BY name, version, language LIMIT $limit`;
const LINKED = `
  SELECT pages.path, pages.title, pages.version, pages.language, pages.translations_json, pages.groups_json,
    changed.number AS generation,
    substr(coalesce(pages.description, pages.markdown), 1, 1000) AS text, ${PASSAGES} AS passages_json
  FROM unnest($paths::text[]) AS wanted (path)
  JOIN pages ON pages.site_id = $siteId AND md5(pages.path) = md5(wanted.path) AND pages.path = wanted.path
  ${visibleJoins("pages")} ${CHANGED}
  WHERE pages.kind = 'page' AND NOT pages.hidden AND ${visibleWhere("pages")}
  ORDER BY pages.id`;
const LOCK_SITE = "SELECT generation FROM sites WHERE id = $siteId FOR NO KEY UPDATE";
/** With a number of its own each time: by that, others know that something has changed. */
const REPLACED = `
  DELETE FROM curated_answers
  WHERE site_id = $siteId AND name = $name AND version = $version AND language = $language`;
const PUT = `
  INSERT INTO curated_answers (site_id, name, version, language, markdown, generation, updated_at)
  VALUES ($siteId, $name, $version, $language, $markdown, $generation, $at)`;
const REMOVE = "DELETE FROM curated_answers WHERE site_id = $siteId AND name = $name";

export function createCuratedStore(database: Database): CuratedStore {
  return {
    async state(siteId) {
      const row = await database.get<{ generation: number; answers: number; newest: number }>(STATE, {
        siteId,
      });
      // A number is never given twice, so no two lists have both the same length and the same last one.
      return { generation: row?.generation ?? 0, byHand: `${row?.answers ?? 0}.${row?.newest ?? 0}` };
    },

    async fromSources(siteId, generation, limit) {
      return (await database.all<AnswerFileRow>(OF_SOURCES, { siteId, generation, limit })).map(toFileAnswer);
    },

    async byHand(siteId, limit) {
      return (await database.all<Parameters<typeof toAnswer>[0]>(BY_HAND, { siteId, limit })).map(toAnswer);
    },

    async pages(siteId, generation, paths) {
      return (await database.all<LinkedRow>(LINKED, { siteId, generation, paths })).map(toLinkedPage);
    },

    async put(siteId, { name, version, language, markdown }, at) {
      await database.inOneWrite(async (write) => {
        const site = await write.get<{ generation: number }>(LOCK_SITE, { siteId });
        if (site === undefined) return;
        await write.run(REPLACED, { siteId, name, version, language });
        await write.run(PUT, { siteId, name, version, language, markdown, at, ...site });
      });
    },

    remove: (siteId, name) => database.run(REMOVE, { siteId, name }),
  };
}
