import { createSimilarity } from "../../../embed/quantize.ts";
import type {
  IndexPoint,
  SearchScope,
  SearchStore,
  VectorRow,
  VectorsOf,
} from "../../../search/search-store.ts";
import { languageKey, languagesFor } from "../../../text/language-tags.ts";
import { type CandidateRow, type NamedRow, toCandidate, toNamed } from "../../rows/candidates.ts";
import { type IndexStateRow, toIndexState } from "../../rows/index/index-state.ts";
import type { SegmentKind } from "../../rows/index/indexable.ts";
import { PUBLISHED, type Visibility, WITH_STAGED } from "../../visible-rows.ts";
import { audienceValue, isForAudience } from "../audience.ts";
import type { Database, Values } from "../database/database.ts";

/** So many come in a few milliseconds. Pages have more or fewer passages, so the number of pages follows from those before. */
const VECTORS_AT_ONCE = 2000;
const VECTOR_PAGES_MIN = 20;
const PAGE_IDS_AT_ONCE = 10_000;
/** As `languageKey` makes it. */
const keyOf = (name: string) => `lower(replace(${name}, '_', '-') COLLATE "C")`;
/** Whether who asks for a language reads the one of this name. */
const isRead = (name: string) => `(${keyOf(name)} = ANY($languages::text[])
    OR substr(${keyOf(name)}, 1, length($language) + 1) = $language || '-')`;
/**
 * What a filter lets through: a page without a version, a language or groups belongs to all of them; one in the main
 * language of its docs to the languages that it is not translated into; a tag it must have.
 */
const FILTER = `
  NOT pages.hidden
  AND ($version = '' OR pages.version IN ('', $version))
  AND ($language = '' OR pages.language = '' OR ${isRead("pages.language")}
    OR (pages.translations_json IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM json_object_keys(pages.translations_json::json) AS key WHERE ${isRead("key")})))
  AND ($tag = '' OR EXISTS (SELECT 1 FROM json_array_elements_text(pages.tags_json::json) AS tag WHERE tag = $tag))
  AND (cardinality($groups::text[]) = 0 OR pages.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM json_array_elements_text(pages.groups_json::json) AS own WHERE own = ANY($groups::text[])))
  AND ${isForAudience("pages")}`;

const pageIds = ({ joins, where }: Visibility) => `
  SELECT pages.id FROM pages ${joins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.id > $after AND ${where("pages")} AND ${FILTER}
  ORDER BY pages.id LIMIT $limit`;

const groups = ({ joins, where }: Visibility) => `
  SELECT DISTINCT own AS name FROM pages ${joins("pages")}
  CROSS JOIN json_array_elements_text(pages.groups_json::json) AS own
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.groups_json <> '[]' AND ${where("pages")}
  ORDER BY name`;

const questionPassages = ({ joins, where }: Visibility) => `
  SELECT passages.id FROM pages ${joins("pages")} JOIN passages ON passages.page_id = pages.id
  WHERE pages.site_id = $siteId AND pages.answered IS NOT NULL AND ${where("pages")}`;

const CANDIDATES = `
  SELECT passages.id AS passage_id, passages.page_id, pages.path, pages.version, pages.language, pages.groups_json,
    pages.title, passages.headings_json, passages.anchor, passages.position, passages.markdown, passages.text,
    passages.inner_headings_json, passages.lacks_words
  FROM passages JOIN pages ON pages.id = passages.page_id`;
const NAMES = `
  SELECT passages.id AS passage_id, passages.page_id, pages.path, pages.language, pages.title,
    passages.headings_json, passages.anchor, passages.inner_headings_json
  FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE passages.page_id = ANY($pageIds::int[]) ORDER BY passages.page_id, passages.position`;
const NAMED_PAGES_AT_ONCE = 200;
const LOAD = `${CANDIDATES} WHERE passages.id = ANY($passageIds::int[]) ORDER BY passages.id`;
const RUNS = `${CANDIDATES} WHERE passages.id IN (
    SELECT wanted.id FROM json_to_recordset($runsJson::text::json) AS run ("pageId" int, first int, last int)
    JOIN passages AS wanted ON wanted.page_id = run."pageId" AND wanted.position BETWEEN run.first AND run.last)
  ORDER BY passages.page_id, passages.position`;
/** Of a page that is read whole; far longer ones are lists. */
const PAGE_PASSAGES_MAX = 500;
const ofPage = ({ joins, where }: Visibility) => `
  ${CANDIDATES} ${joins("pages")}
  WHERE pages.id = $pageId AND pages.site_id = $siteId AND pages.kind = 'page' AND ${where("pages")} AND ${FILTER}
  ORDER BY passages.position LIMIT ${PAGE_PASSAGES_MAX}`;

const finishedSegments = (kind: SegmentKind) => `(
  SELECT coalesce(json_agg(segments.id ORDER BY segments.id), '[]')::text FROM segments
  WHERE segments.site_id = sites.id AND finished AND kind = '${kind}')`;
const revisionsOf = (kind: SegmentKind) => `(
  SELECT coalesce(json_agg(DISTINCT revision), '[]')::text FROM segments
  WHERE segments.site_id = sites.id AND finished AND kind = '${kind}')`;
/** In one statement, so of one moment: another server may publish between two. */
const STATE = `
  SELECT generation, embedders.id, identity, dimensions, ${finishedSegments("passages")} AS segments_json,
    ${revisionsOf("passages")} AS revisions_json,
    ${finishedSegments("enrichments")} AS enrichment_segments_json,
    ${revisionsOf("enrichments")} AS enrichment_revisions_json,
    EXISTS (SELECT 1 FROM enrichment_measures WHERE enrichment_measures.site_id = sites.id AND helps
      AND settings_json::json ->> 'enrichment' = 'on') AS enrichment_counts
  FROM sites LEFT JOIN embedders ON embedders.id = sites.embedder_id WHERE sites.id = $siteId`;
const IS_KEPT = `
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND number = $generation AND undone_at IS NULL
    AND number >= sites.oldest_generation`;
/** With what was written for a passage, its vector is that of both, where it was made. */
const WITH_WRITTEN = `
  LEFT JOIN enriched_passages ON $isEnriched::boolean AND enriched_passages.passage_id = passage_vectors.passage_id
  LEFT JOIN enrichments ON enrichments.id = enrichment_id AND enrichments.embedder_id = passage_vectors.embedder_id`;
const BITS = "coalesce(enrichments.bits, passage_vectors.bits)";
const VECTOR = "coalesce(enrichments.vector, passage_vectors.vector)";
const VECTORS = `
  SELECT passages.id AS passage_id, passages.page_id, ${BITS} AS bits, ${VECTOR} AS vector FROM passages
  JOIN passage_vectors ON passage_vectors.passage_id = passages.id AND passage_vectors.embedder_id = $embedderId
  ${WITH_WRITTEN}
  WHERE passages.page_id = ANY($pageIds::int[]) AND ${BITS} IS NOT NULL
  ORDER BY passages.page_id, passages.position`;
const VECTORS_OF = `
  SELECT passage_vectors.passage_id, ${VECTOR} AS vector FROM passage_vectors ${WITH_WRITTEN}
  WHERE passage_vectors.embedder_id = $embedderId AND passage_vectors.passage_id = ANY($passageIds::int[])
    AND ${VECTOR} IS NOT NULL`;

const statements = (visibility: Visibility) => ({
  pageIds: pageIds(visibility),
  groups: groups(visibility),
  questionPassages: questionPassages(visibility),
  ofPage: ofPage(visibility),
});
const OF_PUBLISHED = statements(PUBLISHED);
const OF_STAGED = statements(WITH_STAGED);

/** `staged`: the run whose staged pages are there too. */
export function createSearchStore(database: Database, staged?: number): SearchStore {
  const sql = staged === undefined ? OF_PUBLISHED : OF_STAGED;
  const run = staged === undefined ? {} : { staged };
  const valuesOf = (scope: SearchScope) => ({ ...scopeValues(scope), ...run });
  const generationOf = ({ siteId, generation }: SiteGeneration) => ({ siteId, generation, ...run });
  const readIds = (scope: SearchScope) => readPageIds(database, sql.pageIds, valuesOf(scope));

  const store: SearchStore = {
    at: (point) => storeAt(database, store, point),
    async state(siteId) {
      return toIndexState(await database.get<IndexStateRow>(STATE, { siteId }));
    },
    async isKept({ siteId, generation }) {
      return generation === 0 || (await database.get(IS_KEPT, { siteId, generation })) !== undefined;
    },
    pageIds: readIds,
    async groups(scope) {
      return (await database.all<{ name: string }>(sql.groups, generationOf(scope))).map(({ name }) => name);
    },
    async questionPassages(scope) {
      const rows = await database.all<{ id: number }>(sql.questionPassages, generationOf(scope));
      return new Set(rows.map(({ id }) => id));
    },
    vectors: (scope, of) => readVectors(database, () => readIds({ ...scope, ...EVERY_PAGE }), of),
    names: (scope) => readNames(database, () => readIds(scope)),
    async similarities({ embedderId, isEnriched }, vector, passageIds) {
      const rows = await database.all<{ passageId: number; vector: Uint8Array }>(VECTORS_OF, {
        embedderId,
        isEnriched,
        passageIds,
      });
      const similarityTo = createSimilarity(vector);
      return new Map(rows.map((row) => [row.passageId, similarityTo(signed(row.vector), 0)]));
    },
    async load(passageIds) {
      return (await database.all<CandidateRow>(LOAD, { passageIds })).map(toCandidate);
    },
    async runs(runs) {
      return (await database.all<CandidateRow>(RUNS, { runsJson: JSON.stringify(runs) })).map(toCandidate);
    },
    async passagesOf(scope, pageId) {
      const asked = { ...valuesOf(scope), pageId };
      return (await database.all<CandidateRow>(sql.ofPage, asked)).map(toCandidate);
    },
  };
  return store;
}

type SiteGeneration = Pick<SearchScope, "siteId" | "generation">;

const EVERY_PAGE = { audience: "everything", filter: {} } as const;

function storeAt(database: Database, store: SearchStore, point: IndexPoint): SearchStore {
  if ("staged" in point) return createSearchStore(database, point.staged);
  const { generation } = point;
  return { ...store, state: async (siteId) => ({ ...(await store.state(siteId)), generation }) };
}

const signed = ({ buffer, byteOffset, length }: Uint8Array) => new Int8Array(buffer, byteOffset, length);

/** While a generation is kept, its pages stay the same: those of it that are read later are those of now. */
async function readPageIds(database: Database, sql: string, scope: Values): Promise<Set<number>> {
  const found = new Set<number>();
  const asked = { ...scope, limit: PAGE_IDS_AT_ONCE };
  for (let after = 0; ; ) {
    const some = await database.all<{ id: number }>(sql, { ...asked, after });
    for (const { id } of some) found.add(id);
    if (some.length < PAGE_IDS_AT_ONCE) return found;
    after = some.at(-1)?.id ?? after;
  }
}

async function* readVectors(
  database: Database,
  readIds: () => Promise<ReadonlySet<number>>,
  { embedderId, isEnriched }: VectorsOf,
) {
  const ids = [...(await readIds())];
  for (let at = 0, pagesAtOnce = VECTOR_PAGES_MIN; at < ids.length; ) {
    const pageIds = ids.slice(at, at + pagesAtOnce);
    const rows = await database.all<VectorRow>(VECTORS, { pageIds, embedderId, isEnriched });
    yield rows;
    at += pageIds.length;
    pagesAtOnce = Math.max(
      VECTOR_PAGES_MIN,
      Math.round((pageIds.length * VECTORS_AT_ONCE) / Math.max(1, rows.length)),
    );
  }
}

async function* readNames(database: Database, readIds: () => Promise<ReadonlySet<number>>) {
  const ids = [...(await readIds())];
  for (let at = 0; at < ids.length; at += NAMED_PAGES_AT_ONCE) {
    const pageIds = ids.slice(at, at + NAMED_PAGES_AT_ONCE);
    yield (await database.all<NamedRow>(NAMES, { pageIds })).map(toNamed);
  }
}

const scopeValues = ({ siteId, generation, audience, filter }: SearchScope): Values => ({
  siteId,
  generation,
  audience: audienceValue(audience),
  version: filter.version ?? "",
  language: languageKey(filter.language ?? ""),
  languages: filter.language ? languagesFor(filter.language) : [],
  tag: filter.tag ?? "",
  groups: filter.groups ?? [],
});
