import { contentKey } from "@docent/finding/enrich/enrichment";
import type { Source } from "@docent/reading/source";
import type { StagedPage } from "@docent/sites/ingest/stores";
import { LINK, wantedJson } from "../../content/content.ts";
import { postgresDialect } from "../../sql/dialect.ts";
import { all, get, run, type Steps } from "../../sql/sql.ts";
import { statement } from "../../sql/statement.ts";
import { wholeText } from "../../whole-text.ts";

const { isSame, unindexed } = postgresDialect;

/** Whether anything was written for a site. */
const ANY_ENRICHMENT = statement("SELECT id FROM enrichments WHERE site_id = $siteId LIMIT 1");
/** How long a hash of what a file says is. */
const DIGEST_CHARACTERS = 64;
/**
 * The page that this one takes the place of, if its file is the same: a hash begins with how the file was read, and ends
 * with how the page is marked.
 */
const CHANGED_IN = `(
  SELECT coalesce(before.changed_in, before.born) FROM pages AS before
  WHERE before.source_id = $sourceId AND ${isSame("before.path", "staged.path")}
    AND ${unindexed("before.died")} = $runId
    AND substr(before.content_hash, strpos(before.content_hash, ':') + 1, ${DIGEST_CHARACTERS})
      = substr(staged.content_hash, strpos(staged.content_hash, ':') + 1, ${DIGEST_CHARACTERS})
  ORDER BY before.id DESC LIMIT 1)`;
const INSERT_PAGES = statement<{ id: number; path: string }>(`
  INSERT INTO pages (site_id, source_id, path, location, version, language, title, description, front_matter_json,
    tags_json, groups_json, hidden, markdown, content_hash, born, kind, changed_in, translations_json,
    answered)
  SELECT $siteId::int, $sourceId::int, path, location, version, language, title, description, front_matter_json,
    tags_json, groups_json, hidden, markdown, content_hash, $runId::int, kind, ${CHANGED_IN}, translations_json,
    answered
  FROM unnest($paths::text[], $locations::text[], $versions::text[], $languages::text[], $titles::text[],
    $descriptions::text[], $frontMatterJson::text[], $tagsJson::text[], $groupsJson::text[], $hidden::boolean[],
    $markdowns::text[], $contentHashes::text[], $kinds::text[], $translationsJson::text[],
    $answered::text[]) WITH ORDINALITY
    AS staged (path, location, version, language, title, description, front_matter_json, tags_json, groups_json, hidden,
      markdown, content_hash, kind, translations_json, answered, position)
  ORDER BY position
  RETURNING id, path`);
const INSERT_PASSAGES = statement<{ id: number; pageId: number; position: number }>(`
  INSERT INTO passages (page_id, site_id, position, headings_json, anchor, markdown, text, languages_json, tokens,
    identifiers_json, inner_headings_json, lacks_words, born)
  SELECT page_id, $siteId::int, position, headings_json, anchor, markdown, text, languages_json, tokens,
    identifiers_json, inner_headings_json, lacks_words, $runId::int
  FROM unnest($pageIds::int[], $positions::int[], $headingsJson::text[], $anchors::text[], $markdowns::text[],
    $texts::text[], $codeLanguagesJson::text[], $tokens::int[], $identifiersJson::text[], $innerHeadingsJson::text[],
    $lacksWords::boolean[])
    AS staged (page_id, position, headings_json, anchor, markdown, text, languages_json, tokens, identifiers_json,
      inner_headings_json, lacks_words)
  ORDER BY page_id, position
  RETURNING id, page_id AS "pageId", position`);

/** Writes pages with their passages and images: as few statements as there are tables, however many pages there are. */
export function* stagePages(
  source: Source,
  runId: number,
  pages: readonly StagedPage[],
): Steps<ReadonlyMap<string, number>> {
  const { id: sourceId, siteId } = source;
  const rows = yield* all(INSERT_PAGES, {
    siteId,
    sourceId,
    runId,
    ...columnsOf(source, pages),
  });
  const idOf = new Map(rows.map(({ id, path }) => [path, id]));
  const written = pages.flatMap((page) => {
    const pageId = idOf.get(wholeText(page.path));
    return pageId === undefined ? [] : [{ pageId, page }];
  });
  yield* stagePassages({ siteId, runId, written });
  return idOf;
}

function columnsOf(source: Source, pages: readonly StagedPage[]) {
  const marks = pages.map((page) => ({ translations: undefined, ...(page.marks ?? source) }));
  return {
    paths: pages.map(({ path }) => path),
    locations: pages.map(({ location }) => location),
    versions: marks.map(({ version }) => version),
    languages: marks.map(({ language }) => language),
    titles: pages.map(({ title }) => title),
    descriptions: pages.map(({ description }) => description ?? null),
    frontMatterJson: pages.map(({ frontMatter }) => JSON.stringify(frontMatter)),
    tagsJson: pages.map(({ tags }) => JSON.stringify(tags)),
    groupsJson: pages.map(({ groups }) => JSON.stringify(groups)),
    hidden: pages.map(({ hidden }) => String(hidden)),
    markdowns: pages.map(({ markdown }) => markdown),
    contentHashes: pages.map(({ contentHash }) => contentHash),
    kinds: pages.map(({ kind }) => kind),
    translationsJson: marks.map(({ translations }) =>
      translations === undefined ? null : JSON.stringify(translations),
    ),
    answered: pages.map(({ answered }) => answered ?? null),
  };
}

interface Written {
  siteId: number;
  runId: number;
  written: readonly { pageId: number; page: StagedPage }[];
}

function* stagePassages({ siteId, runId, written }: Written): Steps<void> {
  const passages = written.flatMap(({ pageId, page }) =>
    page.passages.map((passage) => ({ pageId, passage })),
  );
  const rows = yield* all(INSERT_PASSAGES, {
    siteId,
    runId,
    pageIds: passages.map(({ pageId }) => pageId),
    positions: passages.map(({ passage }) => passage.position),
    headingsJson: passages.map(({ passage }) => JSON.stringify(passage.headingPath)),
    anchors: passages.map(({ passage }) => passage.anchor),
    markdowns: passages.map(({ passage }) => passage.markdown),
    texts: passages.map(({ passage }) => passage.text),
    codeLanguagesJson: passages.map(({ passage }) => JSON.stringify(passage.codeLanguages)),
    tokens: passages.map(({ passage }) => passage.tokensEstimated),
    identifiersJson: passages.map(({ passage }) => JSON.stringify(passage.identifiers)),
    innerHeadingsJson: passages.map(({ passage }) => JSON.stringify(passage.innerHeadings)),
    lacksWords: passages.map(({ passage }) => String(passage.lacksWords === true)),
  });
  if ((yield* get(ANY_ENRICHMENT, { siteId })) === undefined) return;
  const keyOf = new Map(written.flatMap(({ pageId, page }) => keysOf(pageId, page)));
  const keyed = rows.flatMap(({ id, pageId, position }) => {
    const key = keyOf.get(`${pageId} ${position}`);
    return key === undefined ? [] : [{ passageId: id, key }];
  });
  yield* run(LINK, { siteId, wantedJson: wantedJson(keyed) });
}

/** The keys of a page's passages, by which what was written for the same content is known. */
const keysOf = (pageId: number, { title, passages }: StagedPage): [string, string][] =>
  passages.map(({ position, headingPath: headings, text }) => [
    `${pageId} ${position}`,
    contentKey({ title, headings, text }),
  ]);
