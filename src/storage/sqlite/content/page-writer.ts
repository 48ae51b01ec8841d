import type { Database } from "bun:sqlite";
import { contentKey } from "../../../enrich/enrichment.ts";
import type { Source, StagedPage } from "../../../ingest/stores.ts";
import type { PageMarks } from "../../../pages/pages.ts";
import type { Steps } from "../../sql/sql.ts";
import { wholeText } from "../../whole-text.ts";

const INSERT_PAGE = `
  INSERT INTO pages (site_id, source_id, path, location, version, language, title, description, front_matter_json,
                     tags_json, groups_json, hidden, markdown, content_hash, born, kind, changed_in,
                     translations_json, answered)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_PASSAGE = `
  INSERT INTO passages (page_id, site_id, position, headings_json, anchor, markdown, text, languages_json, tokens,
                        identifiers_json, inner_headings_json, lacks_words, born)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** How long a hash of what a file says is. */
const DIGEST_CHARACTERS = 64;
/**
 * The page that this one takes the place of, if its file is the same: a hash begins with how the file was read, and ends
 * with how the page is marked.
 */
const SAME_FILE = `
  SELECT coalesce(changed_in, born) AS changedIn FROM pages
  WHERE source_id = ? AND path = ? AND died = ?
    AND substr(content_hash, instr(content_hash, ':') + 1, ${DIGEST_CHARACTERS}) = ?`;

/** Writes pages with their passages. */
export function createPageStager(database: Database) {
  const sameFile = database.query<{ changedIn: number }, [number, string, number, string]>(SAME_FILE);
  const insertPage = database.query(INSERT_PAGE);
  const stagePassages = createPassageStager(database);

  function stagePage(source: Source, runId: number, page: StagedPage): number {
    const { id: sourceId, siteId } = source;
    const { path, contentHash } = page;
    const { version, language, translations }: PageMarks = page.marks ?? source;
    const digestAt = contentHash.indexOf(":") + 1;
    const file = contentHash.slice(digestAt, digestAt + DIGEST_CHARACTERS);
    const before = sameFile.get(sourceId, path, runId, file);
    const { lastInsertRowid } = insertPage.run(
      siteId,
      sourceId,
      path,
      page.location,
      version,
      language,
      page.title,
      page.description ?? null,
      JSON.stringify(page.frontMatter),
      JSON.stringify(page.tags),
      JSON.stringify(page.groups),
      page.hidden ? 1 : 0,
      page.markdown,
      contentHash,
      runId,
      page.kind,
      before?.changedIn ?? null,
      translations === undefined ? null : JSON.stringify(translations),
      page.answered ?? null,
    );
    const pageId = Number(lastInsertRowid);
    stagePassages(pageId, siteId, runId, page);
    return pageId;
  }

  return function* (
    source: Source,
    runId: number,
    pages: readonly StagedPage[],
  ): Steps<ReadonlyMap<string, number>> {
    return new Map(pages.map((page) => [wholeText(page.path), stagePage(source, runId, page)]));
  };
}

function createPassageStager(database: Database) {
  const insert = database.query(INSERT_PASSAGE);
  const enrichments = createEnrichmentKeeper(database);

  return (pageId: number, siteId: number, runId: number, page: StagedPage): void => {
    const isEnriched = enrichments.isNeeded(siteId);
    for (const passage of page.passages) {
      const { lastInsertRowid } = insert.run(
        pageId,
        siteId,
        passage.position,
        JSON.stringify(passage.headingPath),
        passage.anchor,
        passage.markdown,
        passage.text,
        JSON.stringify(passage.codeLanguages),
        passage.tokensEstimated,
        JSON.stringify(passage.identifiers),
        JSON.stringify(passage.innerHeadings),
        passage.lacksWords ? 1 : 0,
        runId,
      );
      const { headingPath: headings, text } = passage;
      if (isEnriched)
        enrichments.keep(siteId, Number(lastInsertRowid), contentKey({ title: page.title, headings, text }));
    }
  };
}

/** Gives passages that are being stored what was written for the same content, so that a new generation has it at once. */
function createEnrichmentKeeper(database: Database) {
  const any = database.query<{ id: number }, [number]>(
    "SELECT id FROM enrichments WHERE site_id = ? LIMIT 1",
  );
  const link = database.query<null, Record<string, number | string>>(`
    INSERT INTO enriched_passages (passage_id, enrichment_id, site_id)
    SELECT $passageId, id, $siteId FROM enrichments WHERE site_id = $siteId AND content_key = $key
    ON CONFLICT (passage_id) DO UPDATE SET enrichment_id = excluded.enrichment_id`);
  return {
    isNeeded: (siteId: number) => any.get(siteId) !== null,
    keep: (siteId: number, passageId: number, key: string) => void link.run({ siteId, passageId, key }),
  };
}
