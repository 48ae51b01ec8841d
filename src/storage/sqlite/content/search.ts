import type { Database } from "bun:sqlite";
import { createSimilarity } from "../../../embed/quantize.ts";
import { letOthersRun } from "../../../lib/event-loop.ts";
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
import { audienceParameter, isForAudience } from "../audience.ts";

type Parameters = Record<string, string | number | null>;

/** Read in a millisecond or two. */
const VECTORS_AT_ONCE = 500;
const NAMES_AT_ONCE = 200;
const PAGES_MIN = 8;
/** Read in less than a millisecond. */
const PAGE_IDS_AT_ONCE = 1000;
/** As `languageKey` makes it. */
const keyOf = (name: string) => `lower(replace(${name}, '_', '-'))`;
/** Whether who asks for a language reads the one of this name. */
const isRead = (name: string) => `(${keyOf(name)} IN (SELECT value FROM json_each($languages))
    OR substr(${keyOf(name)}, 1, length($language) + 1) = $language || '-')`;
/**
 * What a filter lets through: a page without a version, a language or groups belongs to all of them; one in the main
 * language of its docs to the languages that it is not translated into; a tag it must have.
 */
const FILTER = `
  pages.hidden = 0
  AND ($version = '' OR pages.version IN ('', $version))
  AND ($language = '' OR pages.language = '' OR ${isRead("pages.language")}
    OR (pages.translations_json IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM json_each(pages.translations_json) WHERE ${isRead("key")})))
  AND ($tag = '' OR EXISTS (SELECT 1 FROM json_each(pages.tags_json) WHERE value = $tag))
  AND ($groups = '[]' OR pages.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM json_each(pages.groups_json) WHERE value IN (SELECT value FROM json_each($groups))))
  AND ${isForAudience("pages")}`;

/** Read from their index alone, a part at a time. */
const pageIds = ({ joins, where }: Visibility) => `
  SELECT pages.id FROM pages INDEXED BY pages_in_site ${joins("pages")}
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.id > $after AND ${where("pages")} AND ${FILTER}
  ORDER BY pages.id LIMIT $limit`;
export const PAGE_IDS = pageIds(PUBLISHED);

/** The groups that pages of a generation are for, read from the index of pages alone. */
const groups = ({ joins, where }: Visibility) => `
  SELECT DISTINCT own.value AS name FROM pages INDEXED BY pages_in_site ${joins("pages")}
  JOIN json_each(pages.groups_json) AS own
  WHERE pages.site_id = $siteId AND pages.kind = 'page' AND pages.groups_json <> '[]' AND ${where("pages")}
  ORDER BY name`;
export const GROUPS = groups(PUBLISHED);

const questionIds = ({ joins, where }: Visibility) => `
  SELECT pages.id FROM pages INDEXED BY pages_of_questions ${joins("pages")}
  WHERE pages.site_id = $siteId AND pages.answered IS NOT NULL AND pages.id > $after AND ${where("pages")}
  ORDER BY pages.id LIMIT $limit`;

const CANDIDATES = `
  SELECT passages.id AS passageId, passages.page_id AS pageId, pages.path, pages.version, pages.language,
         pages.groups_json AS groupsJson, pages.title, passages.headings_json AS headingsJson, passages.anchor, passages.position,
         passages.markdown, passages.text,
         passages.inner_headings_json AS innerHeadingsJson, passages.lacks_words AS lacksWords
  FROM passages JOIN pages ON pages.id = passages.page_id`;
const NAMES = `
  SELECT passages.id AS passageId, passages.page_id AS pageId, pages.path, pages.language, pages.title,
         passages.headings_json AS headingsJson, passages.anchor, passages.inner_headings_json AS innerHeadingsJson
  FROM json_each($ids) AS wanted CROSS JOIN pages ON pages.id = wanted.value JOIN passages ON passages.page_id = pages.id
  ORDER BY wanted.key, passages.position`;
/** Of a page that is read whole; far longer ones are lists. */
const PAGE_PASSAGES_MAX = 500;

interface SearchStoreOptions {
  /** Whether sqlite-vec is there to measure with. */
  hasVectors: boolean;
  /** The run whose staged pages are there too. */
  staged?: number;
}

export function createSearchStore(database: Database, options: SearchStoreOptions): SearchStore {
  const pages = preparePages(database, options.staged === undefined ? PUBLISHED : WITH_STAGED);
  const vectors = prepareVectors(database);
  const similarities = options.hasVectors ? measureInside(database) : measureOutside(database);
  const run = options.staged === undefined ? {} : { staged: options.staged };
  const parametersOf = (scope: SearchScope) => ({ ...scopeParameters(scope), ...run });
  const generationOf = ({ siteId, generation }: SiteGeneration) => ({ siteId, generation, ...run });

  const store: SearchStore = {
    at: (point) => storeAt(database, store, options, point),
    async state(siteId) {
      return toIndexState(pages.state.get(siteId) ?? undefined);
    },
    async isKept({ siteId, generation }) {
      return generation === 0 || pages.kept.get({ siteId, generation }) !== null;
    },
    async pageIds(scope) {
      return readPageIds(pages, parametersOf(scope));
    },
    async groups(scope) {
      return pages.groups.all(generationOf(scope)).map(({ name }) => name);
    },
    questionPassages: (scope) => readQuestionPassages(pages, generationOf(scope)),
    vectors: (scope, of) => readVectors({ pages, vectors }, parametersOf({ ...scope, ...EVERY_PAGE }), of),
    names: (scope) => readNames(pages, parametersOf(scope)),
    async similarities(of, vector, passageIds) {
      return new Map(similarities(of, vector, passageIds));
    },
    async load(passageIds) {
      return pages.load.all(JSON.stringify(passageIds)).map(toCandidate);
    },
    async runs(runs) {
      return pages.runs.all(JSON.stringify(runs)).map(toCandidate);
    },
    async passagesOf(scope, pageId) {
      return pages.ofPage.all({ ...parametersOf(scope), pageId }).map(toCandidate);
    },
  };
  return store;
}

type SiteGeneration = Pick<SearchScope, "siteId" | "generation">;

const EVERY_PAGE = { audience: "everything", filter: {} } as const;

function storeAt(
  database: Database,
  store: SearchStore,
  options: SearchStoreOptions,
  point: IndexPoint,
): SearchStore {
  if ("staged" in point) return createSearchStore(database, { ...options, staged: point.staged });
  const { generation } = point;
  return { ...store, state: async (siteId) => ({ ...(await store.state(siteId)), generation }) };
}

/** While a generation is kept, its pages stay the same: those of it that are read later are those of now. */
async function readPageIds(
  { ids }: ReturnType<typeof preparePages>,
  scope: Parameters,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (let after = 0; ; ) {
    const some = ids.values({ ...scope, after, limit: PAGE_IDS_AT_ONCE });
    for (const [id] of some) {
      after = Number(id);
      found.add(after);
    }
    if (some.length < PAGE_IDS_AT_ONCE) return found;
    await letOthersRun();
  }
}

/** Few sites have any. */
async function readQuestionPassages(
  { questionIds, passageIds }: ReturnType<typeof preparePages>,
  scope: Parameters,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (let after = 0; ; ) {
    const pageIds = questionIds.all({ ...scope, after, limit: PAGE_IDS_AT_ONCE }).map(({ id }) => id);
    for (const { id } of passageIds.all(JSON.stringify(pageIds))) found.add(id);
    after = pageIds.at(-1) ?? after;
    if (pageIds.length < PAGE_IDS_AT_ONCE) return found;
    await letOthersRun();
  }
}

async function* readNames(pages: ReturnType<typeof preparePages>, scope: Parameters) {
  yield* pageByPage([...(await readPageIds(pages, scope))], NAMES_AT_ONCE, (ids) =>
    pages.names.all({ ids: JSON.stringify(ids) }).map(toNamed),
  );
}

const finishedSegments = (kind: SegmentKind) => `(
  SELECT json_group_array(segments.id ORDER BY segments.id) FROM segments
  WHERE segments.site_id = sites.id AND finished = 1 AND kind = '${kind}')`;

const revisionsOf = (kind: SegmentKind) => `(
  SELECT json_group_array(DISTINCT revision) FROM segments
  WHERE segments.site_id = sites.id AND finished = 1 AND kind = '${kind}')`;

function preparePages(database: Database, visibility: Visibility) {
  return {
    state: database.query<IndexStateRow, [number]>(`
      SELECT generation, embedders.id, identity, dimensions,
        ${finishedSegments("passages")} AS segmentsJson, ${revisionsOf("passages")} AS revisionsJson,
        ${finishedSegments("enrichments")} AS enrichmentSegmentsJson,
        ${revisionsOf("enrichments")} AS enrichmentRevisionsJson,
        (SELECT 1 FROM enrichment_measures WHERE enrichment_measures.site_id = sites.id AND helps = 1
          AND json_extract(settings_json, '$.enrichment') = 'on') AS enrichmentCounts
      FROM sites LEFT JOIN embedders ON embedders.id = sites.embedder_id WHERE sites.id = ?`),
    kept: database.query<{ id: number }, Parameters>(`
      SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
      WHERE generations.site_id = $siteId AND number = $generation AND undone_at IS NULL
        AND number >= sites.oldest_generation`),
    ids: database.query<{ id: number }, Parameters>(pageIds(visibility)),
    groups: database.query<{ name: string }, Parameters>(groups(visibility)),
    questionIds: database.query<{ id: number }, Parameters>(questionIds(visibility)),
    passageIds: database.query<{ id: number }, [string]>(
      "SELECT id FROM passages WHERE page_id IN (SELECT value FROM json_each(?))",
    ),
    names: database.query<NamedRow, { ids: string }>(NAMES),
    load: database.query<CandidateRow, [string]>(`${CANDIDATES}
      WHERE passages.id IN (SELECT value FROM json_each(?))`),
    runs: database.query<CandidateRow, [string]>(`${CANDIDATES}
      WHERE passages.id IN (
        SELECT wanted.id FROM json_each(?) AS run JOIN passages AS wanted ON wanted.page_id = run.value ->> 'pageId'
          AND wanted.position BETWEEN run.value ->> 'first' AND run.value ->> 'last')
      ORDER BY passages.page_id, passages.position`),
    ofPage: database.query<CandidateRow, Parameters>(`${CANDIDATES} ${visibility.joins("pages")}
      WHERE pages.id = $pageId AND pages.site_id = $siteId AND pages.kind = 'page'
        AND ${visibility.where("pages")} AND ${FILTER}
      ORDER BY passages.position LIMIT ${PAGE_PASSAGES_MAX}`),
  };
}

/** With what was written for a passage, its vector is that of both, where it was made. */
const WITH_WRITTEN = `
  LEFT JOIN enriched_passages ON $isEnriched = 1 AND enriched_passages.passage_id = passage_vectors.passage_id
  LEFT JOIN enrichments ON enrichments.id = enrichment_id AND enrichments.embedder_id = passage_vectors.embedder_id`;
const BITS = "coalesce(enrichments.bits, passage_vectors.bits)";
const VECTOR = "coalesce(enrichments.vector, passage_vectors.vector)";

const vectorParameters = ({ embedderId, isEnriched }: VectorsOf) => ({
  embedderId,
  isEnriched: isEnriched ? 1 : 0,
});
type VectorParameters = ReturnType<typeof vectorParameters> & { ids: string };

function prepareVectors(database: Database) {
  return database.query<VectorRow, VectorParameters>(`
    SELECT passages.id AS passageId, passages.page_id AS pageId, ${BITS} AS bits, ${VECTOR} AS vector
    FROM json_each($ids) AS wanted
    CROSS JOIN passages ON passages.page_id = wanted.value
    JOIN passage_vectors ON passage_vectors.passage_id = passages.id AND passage_vectors.embedder_id = $embedderId
    ${WITH_WRITTEN} WHERE ${BITS} IS NOT NULL`);
}

interface VectorReading {
  pages: ReturnType<typeof preparePages>;
  vectors: ReturnType<typeof prepareVectors>;
}

async function* readVectors({ pages, vectors }: VectorReading, all: Parameters, of: VectorsOf) {
  yield* pageByPage([...(await readPageIds(pages, all))], VECTORS_AT_ONCE, (ids) =>
    vectors.all({ ids: JSON.stringify(ids), ...vectorParameters(of) }),
  );
}

/** Reads what pages have, about so many rows at once. Pages have more or fewer, so their number follows from those before. */
async function* pageByPage<Row>(ids: readonly number[], rowsAtOnce: number, read: (ids: number[]) => Row[]) {
  for (let at = 0, pagesAtOnce = PAGES_MIN; at < ids.length; ) {
    const some = ids.slice(at, at + pagesAtOnce);
    const rows = read(some);
    yield rows;
    at += some.length;
    pagesAtOnce = Math.max(PAGES_MIN, Math.round((some.length * rowsAtOnce) / Math.max(1, rows.length)));
    await letOthersRun();
  }
}

type Measure = (of: VectorsOf, vector: Int8Array, passageIds: number[]) => [number, number][];

const VECTORS = `
  FROM passage_vectors ${WITH_WRITTEN}
  WHERE passage_vectors.embedder_id = $embedderId
    AND passage_vectors.passage_id IN (SELECT value FROM json_each($ids)) AND ${VECTOR} IS NOT NULL`;

/** sqlite-vec measures where the vectors lie. */
function measureInside(database: Database): Measure {
  const query = database.query<
    { passageId: number; distance: number },
    VectorParameters & { vector: Uint8Array }
  >(`
    SELECT passage_vectors.passage_id AS passageId, vec_distance_cosine(vec_int8(${VECTOR}), vec_int8($vector)) AS distance
    ${VECTORS}`);
  return (of, vector, passageIds) =>
    query
      .all({ ...vectorParameters(of), ids: JSON.stringify(passageIds), vector: bytesOf(vector) })
      .map(({ passageId, distance }) => [passageId, 1 - distance]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Where sqlite-vec cannot be loaded, as on macOS, the vectors come to us. */
function measureOutside(database: Database): Measure {
  const query = database.query<{ passageId: number; vector: Uint8Array }, VectorParameters>(
    `SELECT passage_vectors.passage_id AS passageId, ${VECTOR} AS vector ${VECTORS}`,
  );
  return (of, vector, passageIds) => {
    const similarityTo = createSimilarity(vector);
    return query
      .all({ ...vectorParameters(of), ids: JSON.stringify(passageIds) })
      .map(({ passageId, vector: { buffer, byteOffset, length } }) => [
        passageId,
        similarityTo(new Int8Array(buffer, byteOffset, length), 0),
      ]);
  };
}

function scopeParameters({ siteId, generation, audience, filter }: SearchScope): Parameters {
  const { version, language, tag, groups } = filter;
  return {
    siteId,
    generation,
    audience: audienceParameter(audience),
    version: version ?? "",
    language: languageKey(language ?? ""),
    languages: JSON.stringify(language ? languagesFor(language) : []),
    tag: tag ?? "",
    groups: JSON.stringify(groups ?? []),
  };
}
