import type { CuratedStore, LinkedPage, StoredAnswer } from "@docent/answering/curated/curated-store";
import { isHidden, pageGroups, splitFrontMatter } from "@docent/reading/markdown/front-matter";
import { nameOfFile } from "@docent/reading/page/answer-file";
import { z } from "zod";
import { readStrings, translationsIn } from "../rows/json.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import type { Dialect } from "../sql/dialect.ts";
import { get, run, type Sql } from "../sql/sql.ts";
import { insertInto, select, statement } from "../sql/statement.ts";
import { curatedAnswers } from "../tables/content.ts";
import { redirectsOf } from "./pages.ts";

/** A page's passages, to find the one that a heading's link leads to. */
const passagesOf = (d: Dialect) => `
  (SELECT ${d.jsonOf(d.objectOf({ id: "id", anchor: "anchor", inner: d.json("inner_headings_json") }), "position")}
   FROM passages WHERE page_id = pages.id)`;

/** The generation in which a page's file last changed. */
const CHANGED = "JOIN generations AS changed ON changed.id = coalesce(pages.changed_in, pages.born)";

/**
 * Answered by indexes alone: every question asks. Two answers that were added at the same time have numbers in the order in
 * which they are there: a site's are added one by one.
 */
const STATE = statement<{ generation: number; answers: number; newest: number }>(`
  SELECT generation, (SELECT count(*) FROM curated_answers WHERE site_id = $siteId) AS answers,
    (SELECT coalesce(max(id), 0) FROM curated_answers WHERE site_id = $siteId) AS newest
  FROM sites WHERE id = $siteId`);
const OF_SOURCES = statement<AnswerFileRow>(`
  SELECT pages.path, pages.location, sources.location AS source, pages.version, pages.language,
    front_matter_json AS "frontMatterJson", groups_json AS "groupsJson", pages.markdown, pages.hidden,
    changed.number AS generation
  FROM pages ${visibleJoins("pages")} ${CHANGED}
  JOIN sources ON sources.id = pages.source_id
  WHERE pages.site_id = $siteId AND pages.kind = 'answer' AND ${visibleWhere("pages")}
  ORDER BY pages.id LIMIT $limit`);
const BY_HAND = select(
  curatedAnswers,
  ["name", "version", "language", "markdown", "generation"],
  "FROM curated_answers WHERE site_id = $siteId ORDER BY name, version, language LIMIT $limit",
);
const LINKED = statement<LinkedRow>(
  (d) => `
  SELECT pages.path, pages.location, pages.title, pages.version, pages.language, pages.translations_json AS "translationsJson",
    pages.groups_json AS "groupsJson", changed.number AS generation,
    substr(coalesce(pages.description, pages.markdown), 1, 1000) AS text, ${passagesOf(d)} AS "passagesJson"
  FROM pages ${visibleJoins("pages")} ${CHANGED}
  WHERE pages.site_id = $siteId AND ${d.isOneOfLong("pages.path", "paths")} AND pages.kind = 'page' AND NOT pages.hidden
    AND ${visibleWhere("pages")}
  ORDER BY pages.id`,
);
const LOCK_SITE = statement<{ generation: number }>(
  ({ onPostgres }) => `SELECT generation FROM sites WHERE id = $siteId ${onPostgres("FOR NO KEY UPDATE")}`,
);
/** With a number of its own each time: by that, others know that something has changed. */
const REPLACED = statement(`
  DELETE FROM curated_answers
  WHERE site_id = $siteId AND name = $name AND version = $version AND language = $language`);
const PUT = statement(
  insertInto(curatedAnswers, [
    "siteId",
    "name",
    "version",
    "language",
    "markdown",
    "generation",
    "updatedAt",
  ]),
);
const REMOVE = statement("DELETE FROM curated_answers WHERE site_id = $siteId AND name = $name");

export function createCuratedStore(sql: Sql): CuratedStore {
  return {
    async state(siteId) {
      const row = await sql.get(STATE, { siteId });
      // A number is never given twice, so no two lists have both the same length and the same last one.
      return { generation: row?.generation ?? 0, byHand: `${row?.answers ?? 0}.${row?.newest ?? 0}` };
    },

    async fromSources(siteId, generation, limit) {
      return (await sql.all(OF_SOURCES, { siteId, generation, limit })).map(toFileAnswer);
    },

    async byHand(siteId, limit) {
      return (await sql.all(BY_HAND, { siteId, limit })).map(toAnswer);
    },

    redirects: (siteId, generation) => redirectsOf(sql, siteId, generation),
    async pages(siteId, generation, paths) {
      return (await sql.all(LINKED, { siteId, generation, paths })).map(toLinkedPage);
    },

    put: (siteId, { name, version, language, markdown }, updatedAt) =>
      sql.inOneWrite(function* () {
        const site = yield* get(LOCK_SITE, { siteId });
        if (site === undefined) return;
        yield* run(REPLACED, { siteId, name, version, language });
        yield* run(PUT, { siteId, name, version, language, markdown, updatedAt, ...site });
      }),

    remove: (siteId, name) => sql.run(REMOVE, { siteId, name }),
  };
}

/** An answer in a file among the docs. */
interface AnswerFileRow {
  path: string;
  location: string;
  source: string;
  version: string;
  language: string;
  frontMatterJson: string;
  groupsJson: string;
  markdown: string;
  hidden: number;
  generation: number;
}

interface LinkedRow extends Omit<LinkedPage, "groups" | "passages" | "translations"> {
  groupsJson: string;
  passagesJson: string;
  translationsJson: string | null;
}

const frontMatterSchema = z.lazy(() => z.record(z.string(), z.unknown()));
const passagesSchema = z.lazy(() =>
  z.array(z.object({ id: z.number(), anchor: z.string(), inner: z.array(z.object({ anchor: z.string() })) })),
);

/** An answer that was added by hand. */
interface AnswerRow {
  name: string;
  version: string;
  language: string;
  markdown: string;
  generation: number;
}

const toFileAnswer = ({ frontMatterJson, groupsJson, hidden, ...row }: AnswerFileRow): StoredAnswer => ({
  ...row,
  name: nameOfFile(row.location),
  frontMatter: frontMatterSchema.parse(JSON.parse(frontMatterJson)),
  groups: readStrings(groupsJson),
  hidden: hidden === 1,
});

const toLinkedPage = ({ passagesJson, translationsJson, groupsJson, ...page }: LinkedRow): LinkedPage => ({
  ...page,
  ...translationsIn(translationsJson),
  groups: readStrings(groupsJson),
  passages: toAnchors(passagesJson),
});

const toAnchors = (passagesJson: string): LinkedPage["passages"] =>
  passagesSchema
    .parse(JSON.parse(passagesJson))
    .map(({ id, anchor, inner }) => ({ id, anchors: [anchor, ...inner.map((heading) => heading.anchor)] }));

/** An answer that was added by hand. Its links are meant as in a file of that name among the docs. */
function toAnswer({ name, version, language, markdown, generation }: AnswerRow): StoredAnswer {
  const { data, body } = splitFrontMatter(markdown);
  return {
    name,
    source: undefined,
    path: `answers/${name}`,
    location: `answers/${name}.md`,
    version,
    language,
    frontMatter: data,
    groups: pageGroups(data).groups,
    markdown: body,
    hidden: isHidden(data),
    generation,
  };
}
