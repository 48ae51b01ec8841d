import type { Database } from "bun:sqlite";
import { z } from "zod";
import { nameOfFile } from "../../../curated/answer-file.ts";
import type { CuratedStore, LinkedPage, StoredAnswer } from "../../../curated/curated-store.ts";
import { isHidden, splitFrontMatter } from "../../../markdown/front-matter.ts";
import { visibleJoins, visibleWhere } from "../visible-rows.ts";

interface SourceRow {
  path: string;
  location: string;
  source: string;
  version: string;
  language: string;
  frontMatterJson: string;
  markdown: string;
  hidden: number;
  generation: number;
}

interface HandRow {
  name: string;
  version: string;
  language: string;
  markdown: string;
  generation: number;
}

interface LinkedRow extends Omit<LinkedPage, "passages"> {
  passagesJson: string;
}

const frontMatterSchema = z.record(z.string(), z.unknown());
const passagesSchema = z.array(
  z.object({ id: z.number(), anchor: z.string(), inner: z.array(z.object({ anchor: z.string() })) }),
);

/** A page's passages, to find the one that a heading's link leads to. */
const PASSAGES = `
  (SELECT json_group_array(json_object('id', id, 'anchor', anchor, 'inner', json(inner_headings_json)) ORDER BY position)
   FROM passages WHERE page_id = pages.id)`;

/** The generation in which a page's file last changed. */
const CHANGED = "JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)";

export function createCuratedStore(database: Database): CuratedStore {
  // Both are answered by an index alone: every question asks.
  const generationOf = database.query<{ generation: number }, [number]>(
    "SELECT generation FROM sites WHERE id = ?",
  );
  const newest = database.query<{ answers: number; newest: number | null }, [number]>(
    "SELECT count(*) AS answers, max(id) AS newest FROM curated_answers WHERE site_id = ?",
  );
  const ofSources = database.query<SourceRow, { siteId: number; generation: number; limit: number }>(`
    SELECT pages.path, pages.location, sources.location AS source, pages.version, pages.language,
           front_matter_json AS frontMatterJson, pages.markdown, pages.hidden, changed.number AS generation
    FROM pages ${visibleJoins("pages")} ${CHANGED}
    JOIN sources ON sources.id = pages.source_id
    WHERE pages.site_id = $siteId AND pages.kind = 'answer' AND ${visibleWhere("pages")}
    ORDER BY pages.id LIMIT $limit`);
  const handWritten = database.query<HandRow, [number, number]>(`
    SELECT name, version, language, markdown, generation FROM curated_answers
    WHERE site_id = ? ORDER BY name, version, language LIMIT ?`);
  const linked = database.query<LinkedRow, { siteId: number; generation: number; paths: string }>(`
    SELECT pages.path, pages.title, pages.version, pages.language, changed.number AS generation,
           substr(coalesce(pages.description, pages.markdown), 1, 1000) AS text, ${PASSAGES} AS passagesJson
    FROM json_each($paths) AS wanted
    JOIN pages ON pages.site_id = $siteId AND pages.path = wanted.value ${visibleJoins("pages")} ${CHANGED}
    WHERE pages.kind = 'page' AND pages.hidden = 0 AND ${visibleWhere("pages")}
    ORDER BY pages.id`);

  return {
    async state(siteId) {
      const own = newest.get(siteId);
      const generation = generationOf.get(siteId)?.generation ?? 0;
      // A number is never given twice, so no two lists have both the same length and the same last one.
      return { generation, byHand: `${own?.answers ?? 0}.${own?.newest ?? 0}` };
    },

    async fromSources(siteId, generation, limit) {
      return ofSources.all({ siteId, generation, limit }).map(({ frontMatterJson, hidden, ...row }) => ({
        ...row,
        name: nameOfFile(row.location),
        frontMatter: frontMatterSchema.parse(JSON.parse(frontMatterJson)),
        hidden: hidden === 1,
      }));
    },

    async byHand(siteId, limit) {
      return handWritten.all(siteId, limit).map(toAnswer);
    },

    async pages(siteId, generation, paths) {
      return linked
        .all({ siteId, generation, paths: JSON.stringify(paths) })
        .map(({ passagesJson, ...page }) => ({
          ...page,
          passages: passagesSchema.parse(JSON.parse(passagesJson)).map(({ id, anchor, inner }) => ({
            id,
            anchors: [anchor, ...inner.map((heading) => heading.anchor)],
          })),
        }));
    },

    async put(siteId, { name, version, language, markdown }, at) {
      // A row of its own number each time: by that, others know that something has changed.
      database
        .query(
          `INSERT OR REPLACE INTO curated_answers (site_id, name, version, language, markdown, generation, updated_at)
           SELECT id, ?, ?, ?, ?, generation, ? FROM sites WHERE id = ?`,
        )
        .run(name, version, language, markdown, at, siteId);
    },

    async remove(siteId, name) {
      return database.query("DELETE FROM curated_answers WHERE site_id = ? AND name = ?").run(siteId, name)
        .changes;
    },
  };
}

/** Links in it are meant as in a file of that name among the docs' own. */
function toAnswer({ name, version, language, markdown, generation }: HandRow): StoredAnswer {
  const { data, body } = splitFrontMatter(markdown);
  return {
    name,
    source: undefined,
    path: `answers/${name}`,
    location: `answers/${name}.md`,
    version,
    language,
    frontMatter: data,
    markdown: body,
    hidden: isHidden(data),
    generation,
  };
}
