import type {
  IndexPoint,
  SearchScope,
  SearchStore,
  VectorRow,
  VectorsOf,
} from "@docent/finding/search/search-store";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { languageKey, languagesFor } from "@docent/kernel/text/language-tags";
import { createSimilarity } from "@docent/kernel/vectors/quantize";
import { audienceValue, isForAudience } from "../audience.ts";
import { type IndexStateRow, toIndexState } from "../index-rows/index-state.ts";
import { type CandidateRow, type NamedRow, toCandidate, toNamed } from "../rows/candidates.ts";
import { PUBLISHED, type Visibility, WITH_STAGED } from "../rows-of-generation.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { Sql } from "../sql/sql.ts";
import { listJson, type Statement, statement, type Values } from "../sql/statement.ts";

const VECTORS_AT_ONCE_MAX = 2000;
const PAGES_MIN = 8;
/** Of a page that is read whole; far longer ones are lists. */
const PAGE_PASSAGES_MAX = 500;

interface Id {
  id: number;
}

/** Whether who asks for a language reads the one of this name. */
function isRead(d: Dialect, name: string): string {
  // As `languageKey` makes it.
  const key = `lower(${d.bytewise(`replace(${name}, '_', '-')`)})`;
  return `(${d.isOneOf(key, "languages", "text")} OR substr(${key}, 1, length($language) + 1) = $language || '-')`;
}

/**
 * What a filter lets through: a page without a version, a language or groups belongs to all of them; one in the main
 * language of its docs to the languages that it is not translated into; a tag it must have.
 */
const filter = (d: Dialect) => `
  NOT pages.hidden
  AND ($version = '' OR pages.version IN ('', $version))
  AND ($language = '' OR pages.language = '' OR ${isRead(d, "pages.language")}
    OR (pages.translations_json IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM ${d.keysIn("pages.translations_json")} WHERE ${isRead(d, "key")})))
  AND ($tag = '' OR EXISTS (SELECT 1 FROM ${d.stringsIn("pages.tags_json")} WHERE value = $tag))
  AND (${d.hasNo("groups", "text")} OR pages.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM ${d.stringsIn("pages.groups_json")} WHERE ${d.isOneOf("value", "groups", "text")}))
  AND ${isForAudience(d, "pages")}`;

const CANDIDATES = `
  SELECT passages.id AS "passageId", passages.page_id AS "pageId", pages.path, pages.location, pages.version, pages.language,
    pages.groups_json AS "groupsJson", pages.title, passages.headings_json AS "headingsJson", passages.anchor,
    passages.position, passages.markdown, passages.text, passages.inner_headings_json AS "innerHeadingsJson",
    passages.lacks_words AS "lacksWords"
  FROM passages JOIN pages ON pages.id = passages.page_id`;

/** What is read of a site's pages as they are seen: in a generation, or with what a run has staged. */
const seenAs = ({ joins, where }: Visibility) => ({
  /** SQLite reads them from their index alone. */
  pageIds: statement<Id>(
    (d) => `
    SELECT pages.id FROM pages ${d.along("pages_in_site")} ${joins("pages")}
    WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.id > $after AND ${where("pages")} AND ${filter(d)}
    ORDER BY pages.id LIMIT $limit`,
  ),
  groups: statement<{ name: string }>(
    (d) => `
    SELECT DISTINCT value AS name FROM pages ${d.along("pages_in_site")} ${joins("pages")}
    CROSS JOIN ${d.stringsIn("pages.groups_json")}
    WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.groups_json <> '[]' AND ${where("pages")}
    ORDER BY name`,
  ),
  questionIds: statement<Id>(
    (d) => `
    SELECT pages.id FROM pages ${d.along("pages_of_questions")} ${joins("pages")}
    WHERE pages.site_id = $siteId AND pages.answered IS NOT NULL AND pages.id > $after AND ${where("pages")}
    ORDER BY pages.id LIMIT $limit`,
  ),
  ofPage: statement<CandidateRow>(
    (d) => `
    ${CANDIDATES} ${joins("pages")}
    WHERE pages.id = $pageId AND pages.site_id = $siteId AND pages.kind = 'page' AND ${where("pages")} AND ${filter(d)}
    ORDER BY passages.position LIMIT ${PAGE_PASSAGES_MAX}`,
  ),
});
type Seen = ReturnType<typeof seenAs>;
const OF_PUBLISHED = seenAs(PUBLISHED);
const OF_STAGED = seenAs(WITH_STAGED);
export const PAGE_IDS = OF_PUBLISHED.pageIds;

const PASSAGE_IDS = statement<Id>(
  (d) => `SELECT id FROM passages WHERE ${d.isOneOf("page_id", "pageIds", "int")}`,
);
const NAMES = statement<NamedRow>(
  (d) => `
  SELECT passages.id AS "passageId", passages.page_id AS "pageId", pages.path, pages.language, pages.title,
    passages.headings_json AS "headingsJson", passages.anchor, passages.inner_headings_json AS "innerHeadingsJson"
  FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE ${d.isOneOf("passages.page_id", "pageIds", "int")} ORDER BY passages.page_id, passages.position`,
);
const LOAD = statement<CandidateRow>(
  (d) => `${CANDIDATES} WHERE ${d.isOneOf("passages.id", "passageIds", "int")} ORDER BY passages.id`,
);
const RUNS = statement<CandidateRow>(
  (d) => `
  ${CANDIDATES} WHERE passages.id IN (
    SELECT wanted.id FROM ${d.recordsIn("runsJson", { pageId: "int", first: "int", last: "int" }, "run")}
    JOIN passages AS wanted ON wanted.page_id = run."pageId" AND wanted.position BETWEEN run.first AND run.last)
  ORDER BY passages.page_id, passages.position`,
);

/** In one statement, so of one moment: another server may publish between two. Each search begins with it. */
const STATE = statement<IndexStateRow>(
  (d) => `
  SELECT generation, embedders.id, identity, dimensions,
    (SELECT ${d.jsonOf("kind || ' ' || segments.id || ' ' || revision", "segments.id")}
      FROM segments WHERE segments.site_id = sites.id AND finished) AS "segmentsJson",
    EXISTS (SELECT 1 FROM enrichment_measures WHERE enrichment_measures.site_id = sites.id AND helps
      AND ${d.fieldOf("settings_json", "enrichment")} = 'on') AS "enrichmentCounts"
  FROM sites LEFT JOIN embedders ON embedders.id = sites.embedder_id WHERE sites.id = $siteId`,
);
const IS_KEPT = statement(`
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND number = $generation AND undone_at IS NULL
    AND number >= sites.oldest_generation`);

/** With what was written for a passage, its vector is that of both, where it was made. */
const WITH_WRITTEN = `
  LEFT JOIN enriched_passages
    ON CAST($isEnriched AS boolean) AND enriched_passages.passage_id = passage_vectors.passage_id
  LEFT JOIN enrichments ON enrichments.id = enrichment_id AND enrichments.embedder_id = passage_vectors.embedder_id`;
const BITS = "coalesce(enrichments.bits, passage_vectors.bits)";
const VECTOR = "coalesce(enrichments.vector, passage_vectors.vector)";
const VECTORS = statement<VectorRow>(
  (d) => `
  SELECT passages.id AS "passageId", passages.page_id AS "pageId", ${BITS} AS bits, ${VECTOR} AS vector FROM passages
  JOIN passage_vectors ON passage_vectors.passage_id = passages.id AND passage_vectors.embedder_id = $embedderId
  ${WITH_WRITTEN}
  WHERE ${d.isOneOf("passages.page_id", "pageIds", "int")} AND ${BITS} IS NOT NULL
  ${d.onPostgres("ORDER BY passages.page_id, passages.position")}`,
);
const ofPassages = (d: Dialect) => `
  FROM passage_vectors ${WITH_WRITTEN}
  WHERE passage_vectors.embedder_id = $embedderId
    AND ${d.isOneOf("passage_vectors.passage_id", "passageIds", "int")} AND ${VECTOR} IS NOT NULL`;
const VECTORS_OF = statement<{ passageId: number; vector: Uint8Array }>(
  (d) => `SELECT passage_vectors.passage_id AS "passageId", ${VECTOR} AS vector ${ofPassages(d)}`,
);
/** sqlite-vec measures where the vectors lie. */
const DISTANCES = statement<{ passageId: number; distance: number }>(
  (d) => `
  SELECT passage_vectors.passage_id AS "passageId", vec_distance_cosine(vec_int8(${VECTOR}), vec_int8($vector)) AS distance
  ${ofPassages(d)}`,
);

interface SearchStoreOptions {
  /** Whether sqlite-vec is there to measure with; the vectors come to us otherwise. */
  hasVectors: boolean;
  /** The run whose staged pages are there too. */
  staged?: number;
}

export function createSearchStore(sql: Sql, options: SearchStoreOptions): SearchStore {
  const seen = options.staged === undefined ? OF_PUBLISHED : OF_STAGED;
  const run = options.staged === undefined ? {} : { staged: options.staged };
  const valuesOf = (scope: SearchScope) => ({ ...scopeValues(scope), ...run });
  const generationOf = ({ siteId, generation }: SiteGeneration) => ({ siteId, generation, ...run });
  const readIds = (scope: SearchScope) => readPageIds(sql, seen.pageIds, valuesOf(scope));

  const store: SearchStore = {
    at: (point) => storeAt(sql, store, options, point),
    async state(siteId) {
      return toIndexState(await sql.get(STATE, { siteId }));
    },
    async isKept({ siteId, generation }) {
      return generation === 0 || (await sql.get(IS_KEPT, { siteId, generation })) !== undefined;
    },
    async pageIds(scope) {
      return new Set(await readIds(scope));
    },
    async groups(scope) {
      return (await sql.all(seen.groups, generationOf(scope))).map(({ name }) => name);
    },
    questionPassages: (scope) => readQuestionPassages(sql, seen, generationOf(scope)),
    vectors: (scope, of) => readVectors(sql, () => readIds({ ...scope, ...EVERY_PAGE }), of),
    names: (scope) => readNames(sql, () => readIds(scope)),
    similarities: (of, vector, passageIds) =>
      (options.hasVectors ? measureInside : measureOutside)(sql, { ...vectorValues(of), passageIds }, vector),
    async load(passageIds) {
      return (await sql.all(LOAD, { passageIds })).map(toCandidate);
    },
    async runs(runs) {
      return (await sql.all(RUNS, { runsJson: listJson(runs) })).map(toCandidate);
    },
    async passagesOf(scope, pageId) {
      return (await sql.all(seen.ofPage, { ...valuesOf(scope), pageId })).map(toCandidate);
    },
  };
  return store;
}

type SiteGeneration = Pick<SearchScope, "siteId" | "generation">;

const EVERY_PAGE = { audience: "everything", filter: {} } as const;

function storeAt(sql: Sql, store: SearchStore, options: SearchStoreOptions, point: IndexPoint): SearchStore {
  if ("staged" in point) return createSearchStore(sql, { ...options, staged: point.staged });
  const { generation } = point;
  return { ...store, state: async (siteId) => ({ ...(await store.state(siteId)), generation }) };
}

/** While a generation is kept, its pages stay the same: those of it that are read later are those of now. */
async function readPageIds(sql: Sql, ids: Statement<Id>, scope: Values): Promise<number[]> {
  const found: number[] = [];
  // An id is read sooner than a row.
  const limit = 2 * sql.rowsAtOnce;
  for (;;) {
    const some = await sql.all(ids, { ...scope, after: found.at(-1) ?? 0, limit });
    for (const { id } of some) found.push(id);
    if (some.length < limit) return found;
    await letOthersRun();
  }
}

/** Few sites have any. */
async function readQuestionPassages(sql: Sql, { questionIds }: Seen, scope: Values): Promise<Set<number>> {
  const pageIds = await readPageIds(sql, questionIds, scope);
  if (pageIds.length === 0) return new Set();
  return new Set((await sql.all(PASSAGE_IDS, { pageIds })).map(({ id }) => id));
}

async function* readNames(sql: Sql, readIds: () => Promise<number[]>) {
  const rowsAtOnce = 0.4 * sql.rowsAtOnce;
  yield* pageByPage(await readIds(), rowsAtOnce, async (pageIds) =>
    (await sql.all(NAMES, { pageIds })).map(toNamed),
  );
}

async function* readVectors(sql: Sql, readIds: () => Promise<number[]>, of: VectorsOf) {
  const rowsAtOnce = Math.min(sql.rowsAtOnce, VECTORS_AT_ONCE_MAX);
  yield* pageByPage(await readIds(), rowsAtOnce, (pageIds) =>
    sql.all(VECTORS, { pageIds, ...vectorValues(of) }),
  );
}

/** Reads what pages have, about so many rows at once. Pages have more or fewer, so their number follows from those before. */
async function* pageByPage<Row>(
  ids: readonly number[],
  rowsAtOnce: number,
  read: (pageIds: number[]) => Promise<Row[]>,
) {
  for (let at = 0, pagesAtOnce = PAGES_MIN; at < ids.length; ) {
    const some = ids.slice(at, at + pagesAtOnce);
    const rows = await read(some);
    yield rows;
    at += some.length;
    pagesAtOnce = Math.max(PAGES_MIN, Math.round((some.length * rowsAtOnce) / Math.max(1, rows.length)));
    await letOthersRun();
  }
}

const vectorValues = ({ embedderId, isEnriched }: VectorsOf) => ({ embedderId, isEnriched });

async function measureInside(sql: Sql, of: Values, vector: Int8Array): Promise<Map<number, number>> {
  const { buffer, byteOffset, byteLength } = vector;
  const rows = await sql.all(DISTANCES, { ...of, vector: new Uint8Array(buffer, byteOffset, byteLength) });
  return new Map(rows.map(({ passageId, distance }) => [passageId, 1 - distance]));
}

async function measureOutside(sql: Sql, of: Values, vector: Int8Array): Promise<Map<number, number>> {
  const similarityTo = createSimilarity(vector);
  const rows = await sql.all(VECTORS_OF, of);
  return new Map(
    rows.map(({ passageId, vector: { buffer, byteOffset, length } }) => [
      passageId,
      similarityTo(new Int8Array(buffer, byteOffset, length), 0),
    ]),
  );
}

const scopeValues = ({ siteId, generation, audience, filter }: SearchScope): Values => ({
  siteId,
  generation,
  audience: audienceValue(audience),
  version: filter.version ?? "",
  language: languageKey(filter.language ?? ""),
  languages: filter.language ? languagesFor(filter.language) : [],
  tag: filter.tag ?? "",
  groups: filter.groups?.length ? filter.groups : undefined,
});
